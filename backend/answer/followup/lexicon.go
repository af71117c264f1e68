package followup

import (
	"embed"
	"regexp"
	"slices"
	"strings"

	"footnote/backend/pattern"
)

//go:embed tables/*.tsv
var tableFiles embed.FS

// lexicon are the words of a language that carry the form of a question.
type lexicon struct {
	name    string
	classes map[string]map[string]bool
	opening *pattern.Regexp // of a question that goes on with the last one
}

func (l *lexicon) is(class, word string) bool { return l.classes[class][word] }

var lexicons = readLexicons()

func readLexicons() (out []*lexicon) {
	byName := map[string]*lexicon{}
	for _, fields := range rows("words", 3) {
		l := byName[fields[1]]
		if l == nil {
			l = &lexicon{name: fields[1], classes: map[string]map[string]bool{}}
			byName[fields[1]] = l
			out = append(out, l)
		}
		if l.classes[fields[0]] == nil {
			l.classes[fields[0]] = map[string]bool{}
		}
		for w := range strings.FieldsSeq(fields[2]) {
			l.classes[fields[0]][strings.ReplaceAll(w, "_", " ")] = true
		}
	}
	for _, fields := range rows("openings", 2) {
		phrases := strings.Split(regexp.QuoteMeta(fields[1]), `\|`)
		slices.SortStableFunc(phrases, func(a, b string) int { return len(b) - len(a) })
		byName[fields[0]].opening = pattern.New(`(?i)^[\s¿]*(?:` + strings.Join(phrases, "|") + `)(?:[\s,:]+|$)`)
	}
	return out
}

// rows are the rows of a table, each of so many fields.
func rows(name string, fields int) (out [][]string) {
	b, err := tableFiles.ReadFile("tables/" + name + ".tsv")
	if err != nil {
		panic(err) // the file is embedded: its absence is a broken build
	}
	for line := range strings.Lines(string(b)) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		row := strings.Split(line, "\t")
		if len(row) != fields {
			panic("table " + name + ": " + line)
		}
		out = append(out, row)
	}
	return out
}

// lexiconOf is that of the language whose words of form a text has most of;
// where nothing tells, the one that is expected.
func lexiconOf(text string, expected *lexicon) *lexicon {
	toks := tokenize(text)
	best, most := expected, expected.share(toks)
	for _, l := range lexicons {
		if n := l.share(toks); n > most {
			best, most = l, n
		}
	}
	return best
}

func (l *lexicon) share(toks []token) (n int) {
	for _, t := range toks {
		for _, class := range []string{"wh", "aux", "det", "prep"} {
			if l.is(class, t.lower) {
				n++
			}
		}
	}
	return n
}
