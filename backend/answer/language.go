package answer

import (
	"context"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// Files whose openings tell which languages the library is in.
const languageSample = 60

// otherLanguages names the languages of texts when the question is in none of
// them, in alphabetical order; nil when it is, or when nothing tells. Words of
// one language find nothing in another.
func otherLanguages(question string, texts []string) []string {
	asked := lang.Detect(question)
	if asked == lang.Unknown {
		return nil
	}
	seen := map[lang.Code]int{}
	for _, t := range texts {
		if code := lang.Detect(t); code != lang.Unknown {
			seen[code]++
		}
	}
	if len(seen) == 0 || seen[asked] > 0 {
		return nil
	}
	var names []string
	for code := range seen {
		names = append(names, code.Name())
	}
	slices.Sort(names)
	return names
}

// inOtherLanguages is a sentence about files in other languages than the question;
// empty for none.
func inOtherLanguages(what string, names []string) string {
	if len(names) == 0 {
		return ""
	}
	return what + " in " + listed(names, "and") + ". A question in " + listed(names, "or") + " may find more."
}

func listed(names []string, join string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " " + join + " " + names[len(names)-1]
}

// aboutLanguages says when the closest passages of files are in other languages than
// the question.
func (p *Pipeline) aboutLanguages(r quote.Result) {
	quoted := map[int]bool{}
	for _, s := range r.Sentences {
		quoted[s.Passage] = true
	}
	var texts []string
	for i, c := range p.Selection.Chosen {
		if c.Source.Kind != evidence.File {
			return
		}
		if r.State != quote.Answer || quoted[i] {
			texts = append(texts, c.Passage.Text)
		}
	}
	what := "The closest passages are"
	if r.State == quote.Answer {
		what = "What is quoted is"
	}
	if said := inOtherLanguages(what, otherLanguages(p.Task.Question.Text, texts)); said != "" {
		p.Tell.Notice(contract.Notice{Code: "other-language", Level: "info", Message: said})
	}
}

// filesInOtherLanguages says when the files are in other languages than the
// question; empty when they are not, or when it cannot be told.
func (p *Pipeline) filesInOtherLanguages(ctx context.Context) string {
	lister, can := p.engine.Shelf.(Lister)
	if !can {
		return ""
	}
	m, err := lister.Inventory(ctx, "", "newest", false, p.Task.Question.Scope, languageSample)
	if err != nil || m.Files > languageSample { // of more files too little is seen
		return ""
	}
	var texts []string
	for _, f := range m.In {
		texts = append(texts, f.Found.Passage.Text)
	}
	return inOtherLanguages("Your files are", otherLanguages(p.Task.Question.Text, texts))
}
