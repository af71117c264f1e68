package quote

import (
	"footnote/backend/answer/quote/statements"

	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// What is quoted behind the best sentence at most.
const (
	sequelSentences = 6   // of a list, or of lines that a colon leads to
	sequelOfProse   = 2   // of a reason or a way to do something
	sequelRunes     = 480 // together

	sureAlone = 0.7 // confidence from which one sentence is enough
)

var differenceAsked = pattern.New(`(?i)\b(?:differences?|differs?|unterschiede?|différences?|diferencias?|differenz[ae]?|diferenças?|verschil(?:len)?|różnic[aey]|skillnad(?:en)?)\b|разниц|отлич|різниц|区别|區別|差异|違い|차이`)

// withSequel quotes what follows the best sentence where it ends with a colon, and
// where a way, a reason or a difference is asked for: one sentence seldom holds
// those. Where it is not sure to answer, the next one of its paragraph stands
// beside it: what is asked for is often told there.
func (q Query) withSequel(r Result, passages []Passage) Result {
	if r.State == None || len(r.Sentences) == 0 || r.Sentences[0].Row || r.Short != "" {
		return r
	}
	best, most := r.Sentences[0], 0
	var before []Sentence
	if lang.AsksFor(q.text) == lang.Manner {
		before = best.ledBy(passages[best.Passage].Text)
	}
	switch {
	case endsWithColon(best.Text):
		most = sequelSentences
	case r.State == Answer && q.wantsMore():
		most = sequelOfProse
	case r.Confidence < sureAlone:
		most = 1
	}
	sequel := best.followedBy(passages[best.Passage].Text, most)
	others := slices.DeleteFunc(slices.Clone(r.Sentences[1:]), func(s Sentence) bool {
		return len(before) > 0 && s.Passage == best.Passage || slices.ContainsFunc(sequel, func(o Sentence) bool { return o.at() == s.at() })
	})
	r.Sentences = slices.Concat(before, r.Sentences[:1], sequel, others)
	return r
}

// ledBy are the sentences of its paragraph before one that goes on from them ("only then
// unscrew it"): what is to be done first is not left out.
func (s Sentence) ledBy(text string) (before []Sentence) {
	all, runes := statements.Of(text), 0
	if s.Order >= len(all) || lang.LeanOf(lang.Spoken(s.Text), s.Text) == lang.Upright {
		return nil
	}
	for order := s.Order - 1; order >= 0; order-- {
		one := s.replacedBy(all, order, text)
		one.Also, one.Score, one.Told = nil, 0, ""
		if runes += utf8.RuneCountInString(one.Text); runes > sequelRunes || one.Row || all[order].Under != all[s.Order].Under || strings.Contains(text[one.Span.End:all[order+1].Start], "\n\n") {
			break
		}
		before = append(before, one)
	}
	slices.Reverse(before)
	return before
}

func (q Query) wantsMore() bool {
	asked := lang.AsksFor(q.text)
	return asked == lang.Manner || asked == lang.Reason || differenceAsked.MatchString(q.text)
}

// followedBy are the sentences behind s, most of them at most, as far as the
// paragraph goes; behind a colon also the list or the lines that it leads to.
func (s Sentence) followedBy(text string, most int) (sequel []Sentence) {
	all := statements.Of(text)
	if s.Order >= len(all) || all[s.Order].Span != s.Span {
		return nil
	}
	last, listed, runes := s, endsWithColon(s.Text), 0
	for order := s.Order + 1; order < len(all) && len(sequel) < most; order++ {
		next := s.replacedBy(all, order, text)
		next.Also, next.Score, next.Told = nil, 0, ""
		if runes += utf8.RuneCountInString(next.Text); runes > sequelRunes || next.Row || all[order].Under != all[s.Order].Under || isQuestion(next.Text) {
			break
		}
		between := text[last.Span.End:next.Span.Start]
		if strings.Contains(between, "\n\n") && !endsWithColon(last.Text) || !listed && !endsAsSentence(next.Text) {
			break
		}
		next.apart = listed && strings.Contains(between, "\n")
		if sequel, last = append(sequel, next), next; endsWithColon(next.Text) {
			listed, most = true, sequelSentences
		}
	}
	return sequel
}

func endsWithColon(text string) bool {
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
}
