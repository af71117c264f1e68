package quote

import (
	"footnote/backend/answer/quote/statements"

	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/answertype"
	"footnote/backend/lang"
)

// withReplies takes out what says nothing by itself, questions and labels; a
// sentence behind a question is weighed together with it, as its reply.
func withReplies(pool []Sentence, passages []Passage) (out []Sentence) {
	cut := map[int][]statements.Statement{}
	for _, s := range pool {
		text := passages[s.Passage].Text
		if s.Leads || !s.Row && isQuestion(s.Text) {
			continue
		}
		all, ok := cut[s.Passage]
		if !ok {
			all = statements.Of(text)
			cut[s.Passage] = all
		}
		if k := s.Order - 1; !s.Row && k >= 0 && k+1 < len(all) {
			if before := text[all[k].Start:all[k].End]; isQuestion(before) {
				s.asked, s.found = before, found{}
			}
		}
		out = append(out, s)
	}
	return out
}

func isQuestion(text string) bool {
	return strings.HasSuffix(text, "?") || strings.HasSuffix(text, "？")
}

// weighed is the text of a sentence as it is weighed.
func (s Sentence) weighed() string {
	if s.asked != "" {
		return s.asked + " " + s.Text
	}
	return cmp.Or(s.Told, s.Text)
}

// withSuccessors puts the next sentence in the place of one that says nothing by
// itself: a question, or a heading that runs into its text ("Gallery railing.").
func withSuccessors(r Result, passages []Passage) Result {
	var out []Sentence
	for _, s := range r.Sentences {
		if !s.Row && (strings.HasSuffix(s.Text, "?") || statements.WordCount(s.Text) <= 3 && !leadsTo(s, r.Sentences, passages[s.Passage].Text)) {
			if all := statements.Of(passages[s.Passage].Text); s.Order+1 < len(all) {
				s = s.replacedBy(all, s.Order+1, passages[s.Passage].Text)
			}
		}
		if !slices.ContainsFunc(out, func(o Sentence) bool { return o.Passage == s.Passage && o.Span == s.Span }) {
			out = append(out, s)
		}
	}
	r.Sentences = out
	return r
}

// replacedBy is the sentence in the place of another one of its passage.
func (s Sentence) replacedBy(all []statements.Statement, order int, text string) Sentence {
	s.Order, s.Span, s.Row = order, all[order].Span, all[order].Row
	s.Text = text[s.Span.Start:s.Span.End]
	return s
}

// leadReach is how many sentences a label may stand before what it leads to.
const leadReach = 4

// leadsTo reports whether a sentence soon after this one in its line was chosen
// too: a label such as a date then says what that is about.
func leadsTo(s Sentence, chosen []Sentence, text string) bool {
	return slices.ContainsFunc(chosen, func(o Sentence) bool {
		return o.Passage == s.Passage && o.Order > s.Order && o.Order <= s.Order+leadReach && !strings.Contains(text[s.Span.End:o.Span.Start], "\n")
	})
}

// pointsBack reports whether a sentence cannot be understood without the one before.
func pointsBack(sentence string) bool {
	return lang.LeanOf(lang.Spoken(sentence), sentence) == lang.BackOnTo
}

const antecedentRunes = 240

// withAntecedents puts in front of a sentence what it cannot be understood
// without: the label that its line opens with, and the sentence before one that
// points back to it.
func withAntecedents(r Result, passages []Passage) Result {
	var out []Sentence
	add := func(s Sentence) {
		if !slices.ContainsFunc(out, func(o Sentence) bool { return o.at() == s.at() }) {
			out = append(out, s)
		}
	}
	for _, s := range r.Sentences {
		all := statements.Of(passages[s.Passage].Text)
		if label, ok := labelOf(s, all, passages[s.Passage].Text); ok && tellsMore(label, s) && !slices.ContainsFunc(out, func(o Sentence) bool {
			return o.Passage == s.Passage && o.Order > label.Order && o.Order < s.Order
		}) {
			add(label)
		}
		if before, ok := antecedent(s, all, passages[s.Passage].Text); ok && !slices.ContainsFunc(r.Sentences, func(o Sentence) bool { return o.at() == before.at() }) {
			add(before)
		}
		add(s)
	}
	r.Sentences = out
	return r
}

// labelOf is the label that the line of a sentence opens with. A question that
// opens it is none: its reply is understood without.
func labelOf(s Sentence, all []statements.Statement, text string) (Sentence, bool) {
	if s.Row || s.Order >= len(all) || !all[s.Order].Opens || text[all[s.Order].Under.End-1] == '?' {
		return s, false
	}
	i := slices.IndexFunc(all, func(o statements.Statement) bool { return o.Span == all[s.Order].Under })
	if i < 0 {
		return s, false
	}
	label := s.replacedBy(all, i, text)
	label.Also, label.Score = nil, 0
	return label, true
}

// tellsMore reports whether a label says what its sentence does not: a date, or
// more of the question.
func tellsMore(label, s Sentence) bool {
	return answertype.HasDate(label.Text) || s.opening > 0
}

// antecedent is the sentence before s in its paragraph, when s points back to it
// and it points no further.
func antecedent(s Sentence, all []statements.Statement, text string) (Sentence, bool) {
	if s.Row || s.Order == 0 || !pointsBack(s.Text) {
		return s, false
	}
	before := s.replacedBy(all, s.Order-1, text)
	before.Also, before.Score = nil, 0
	far := strings.Contains(text[before.Span.End:s.Span.Start], "\n\n") || all[s.Order-1].Under != all[s.Order].Under
	return before, !far && !before.Row && !pointsBack(before.Text) && utf8.RuneCountInString(before.Text) <= antecedentRunes && !strings.HasSuffix(before.Text, "?")
}

// endsAsSentence reports whether a text ends as sentences do: titles, buttons and
// lines of menus do not.
func endsAsSentence(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRightFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Pe, unicode.Pf) || r == '"' || r == '\'' || unicode.IsSpace(r)
	}))
	return unicode.Is(unicode.Sentence_Terminal, last) || last == ':' || last == '：'
}
