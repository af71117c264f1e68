package answer

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// Files whose openings tell which languages the library is in.
const languageSample = 60

// excerpt is a text that tells a language, and how much text stands for it.
type excerpt struct {
	text   string
	amount int
}

// otherLanguages names the languages of texts when the question is in none of them,
// that of the most text first; nil when it is, or when nothing tells. Words of one
// language find nothing in another.
func otherLanguages(question string, texts []excerpt) []string {
	if lang.Detect(question) == lang.Unknown {
		return nil
	}
	amount := map[lang.Code]int{}
	for _, t := range texts {
		if code := lang.Detect(t.text); code != lang.Unknown {
			amount[code] += max(1, t.amount)
		}
	}
	if slices.ContainsFunc(lang.Plausible(question), func(code lang.Code) bool { return amount[code] > 0 }) {
		return nil
	}
	var names []string
	for _, code := range slices.SortedFunc(maps.Keys(amount), func(a, b lang.Code) int {
		return cmp.Or(cmp.Compare(amount[b], amount[a]), strings.Compare(a.Name(), b.Name()))
	}) {
		names = append(names, code.Name())
	}
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

// aboutLanguages says when what is quoted of files is in other languages than the
// question. Where nothing answers, the closest passages are so by chance: then it
// names the languages of the files, if they can be told.
func (p *Pipeline) aboutLanguages(ctx context.Context, r quote.Result) {
	var texts []excerpt
	for _, c := range p.Selection.Chosen {
		if c.Source.Kind != evidence.File {
			return
		}
		texts = append(texts, excerpt{c.Passage.Text, len(c.Passage.Text)})
	}
	if r.State == quote.Answer {
		texts = p.quotedTexts(r)
	}
	names := otherLanguages(p.Task.Question.Text, texts)
	said := inOtherLanguages("What is quoted is", names)
	if r.State != quote.Answer && len(names) > 0 {
		said = cmp.Or(p.filesInOtherLanguages(ctx), inOtherLanguages("The closest passages are", names))
	}
	if said != "" {
		p.Tell.Notice(contract.Notice{Code: "other-language", Level: "info", Message: said})
	}
}

// quotedTexts are the sentences of an answer, which may be in another language than
// what stands around them; where one alone tells none, as rows of tables do, its passage.
func (p *Pipeline) quotedTexts(r quote.Result) (texts []excerpt) {
	for _, s := range r.Sentences {
		text := s.Text
		if s.Row || lang.Detect(text) == lang.Unknown {
			text = p.Selection.Chosen[s.Passage].Passage.Text
		}
		texts = append(texts, excerpt{text, len(text)})
	}
	return texts
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
	var texts []excerpt
	for _, f := range m.In {
		texts = append(texts, excerpt{f.Found.Passage.Text, f.Passages})
	}
	return inOtherLanguages("Your files are", otherLanguages(p.Task.Question.Text, texts))
}
