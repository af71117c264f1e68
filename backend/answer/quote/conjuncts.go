package quote

import (
	"context"
	"slices"
	"strings"

	"footnote/backend/answer/quote/conjuncts"
)

// withConjuncts adds sentences about a thing that a question asks for and that
// nothing chosen speaks of, and names what has no answer.
func withConjuncts(ctx context.Context, question string, r Result, passages []Passage, d Deps) Result {
	c := d.Checker
	if r.State == None {
		return r
	}
	for _, part := range d.parts(question) {
		for _, thing := range conjuncts.Of(c, part) {
			speaks := func(s Sentence) bool {
				return thing.In(c, strings.Join([]string{passages[s.Passage].Title, s.Heading, s.Told, s.Text}, " "))
			}
			if slices.ContainsFunc(r.Sentences, speaks) {
				continue
			}
			more := FindSentences(ctx, thing.Question, passages, d)
			more.Sentences = slices.DeleteFunc(more.Sentences, func(s Sentence) bool {
				return !thing.In(c, s.Heading+" "+s.Text) || slices.ContainsFunc(r.Sentences, func(o Sentence) bool { return o.at() == s.at() })
			})
			if more.State == None || len(more.Sentences) == 0 {
				if !slices.ContainsFunc(passages, func(p Passage) bool { return thing.In(c, p.Title+"\n"+p.Text) }) {
					r.Open = append(r.Open, thing.Name)
				}
				continue
			}
			r.Sentences, r.Short = inReadingOrder(append(r.Sentences, more.Sentences[:min(len(more.Sentences), mostSentences/3)]...)), ""
		}
	}
	return r
}
