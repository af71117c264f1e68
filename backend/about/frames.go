package about

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"footnote/backend/lang"
)

// frame is how a language turns a statement into a question.
type frame struct {
	be         [][]string // forms between a subject and what is said of it
	article    map[string]bool
	indefinite map[string]bool
	degree     map[string]bool // that a measure ends with: "34 metres high"
	when       string
	what       string
	how        string
	about      string // asks what a text says about what a heading names
	means      string // asks what a term means
	steps      steps
}

//go:embed frames.tsv
var frameTable string

// frames reads the table once. It is part of the program: one that cannot be read
// is a mistake in it, which the tests find.
var frames = sync.OnceValue(func() map[lang.Code]*frame {
	all := map[lang.Code]*frame{}
	for line := range strings.Lines(frameTable) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(fields) != 3 {
			panic(fmt.Errorf("no line of a table: %q", line))
		}
		code := lang.Code(fields[0])
		if all[code] == nil {
			all[code] = &frame{}
		}
		all[code].take(fields[1], fields[2])
	}
	return all
})

func (f *frame) take(kind, value string) {
	set := map[string]bool{}
	for form := range strings.SplitSeq(value, "|") {
		set[form] = true
	}
	switch kind {
	case "be":
		for form := range strings.SplitSeq(value, "|") {
			f.be = append(f.be, strings.Fields(form))
		}
	case "article":
		f.article = set
	case "indefinite":
		f.indefinite = set
	case "degree":
		f.degree = set
	case "when":
		f.when = value
	case "what":
		f.what = value
	case "how":
		f.how = value
	case "about":
		f.about = value
	case "means":
		f.means = value
	case "purpose", "infinitive", "mine", "told", "headed", "marker", "how-to":
		f.steps.take(kind, value)
	default:
		panic(fmt.Errorf("no kind of a table: %q", kind))
	}
}
