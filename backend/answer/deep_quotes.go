package answer

import (
	"slices"
	"strings"

	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const (
	summaryQuotes = 5   // sentences of a quoted summary
	themeQuotes   = 3   // of a dimension among the key findings
	partQuotes    = 14  // of a part of the analysis
	quoteShare    = 0.5 // of the best sentence's score, from which a sentence bears on a question
	fewestWords   = 5   // of a sentence that is quoted
)

// sectionByQuotes puts a section together from sentences of its passages that the
// report does not have yet.
func (w *reporter) sectionByQuotes(s section) string {
	switch {
	case s.title == keyFindings:
		return w.themes(s.words)
	case s.about == nil:
		return renderExtract(w.answerByQuotes(w.passagesFor(s), s.words))
	}
	return renderExtract(w.quotes(first(s.asks, w.plan.Standalone), w.evidenceOn(s.about), partQuotes, s.words))
}

// answerByQuotes is what a quoted answer to the whole question would say; where that
// is nothing new, the sentences that fit it best.
func (w *reporter) answerByQuotes(passages []rank.Candidate, words int) extractResult {
	question := w.plan.Standalone
	r := quotedFrom(w.Checker, question, w.quotable(question, passages), nil)
	r.Short = ""
	r.Sentences = slices.DeleteFunc(r.Sentences, func(s extractSentence) bool { return w.said[sentenceKey(s.Text)] })
	if r.State == extractNone || len(r.Sentences) == 0 {
		return w.quotes(question, passages, summaryQuotes, words)
	}
	for _, s := range r.Sentences {
		w.said[sentenceKey(s.Text)] = true
	}
	return r
}

// fillUp is what the sources say beyond a short section that a model wrote; empty
// where the section is long enough, or is not about parts of the research.
func (w *reporter) fillUp(s section, text string) string {
	left := s.words - rank.CountWords(text)
	if s.about == nil && s.title != keyFindings || 2*left < s.words {
		return ""
	}
	if s.title == keyFindings {
		return w.themes(left)
	}
	r := w.quotes(first(s.asks, w.plan.Standalone), w.evidenceOn(s.about), partQuotes, left)
	if len(r.Sentences) == 0 {
		return ""
	}
	return "In the words of the sources:\n\n- " + strings.Join(bulleted(r), "\n- ")
}

// themes are findings on each dimension, quoted, about so many words in all.
func (w *reporter) themes(words int) string {
	var parts []string
	most := themeQuotes
	if w.chat.Model == nil { // the analysis is quoted from what is left
		most = 1
	}
	for i, x := range w.explored {
		r := w.quotes(x.Question, w.evidenceOn([]int{i}), most, words/len(w.explored))
		if len(r.Sentences) > 0 {
			parts = append(parts, "**"+escapeMarkdown(x.Question)+"**\n\n- "+strings.Join(bulleted(r), "\n- "))
		}
	}
	return strings.Join(parts, "\n\n")
}

// bulleted are quoted sentences one by one.
func bulleted(r extractResult) (lines []string) {
	for _, s := range r.Sentences {
		lines = append(lines, renderExtract(extractResult{Sentences: []extractSentence{s}}))
	}
	return lines
}

// quotes are the sentences of passages that have words of a question and that the
// report does not have yet, best first until there are so many of them or so many
// words.
func (w *reporter) quotes(question string, passages []rank.Candidate, most, words int) extractResult {
	q := newAsked(w.Checker, question)
	all, _ := q.candidates(w.quotable(question, passages))
	slices.SortStableFunc(all, func(a, b extractSentence) int { return compareFloat(b.Score, a.Score) })
	var chosen []extractSentence
	for _, s := range all {
		if len(chosen) == most || words <= 0 || s.Score < quoteShare*all[0].Score {
			break
		}
		key := sentenceKey(s.Text)
		if s.leads || strings.HasSuffix(s.Text, "?") || !q.touches(s.Text) || len(strings.Fields(key)) < fewestWords || w.said[key] || evidence.Instructs(s.Text) {
			continue
		}
		w.said[key] = true
		words -= rank.CountWords(s.Text)
		chosen = append(chosen, s)
	}
	return extractResult{State: extractAnswer, Sentences: inReadingOrder(chosen)}
}

// quotable are passages as they are quoted from, with how well they fit a question.
func (w *reporter) quotable(question string, passages []rank.Candidate) []extractPassage {
	texts := make([]string, len(passages))
	for i, c := range passages {
		texts[i] = rankText(c)
	}
	scores, best := rank.NewBM25(texts).Scores(question), 0.0
	for _, score := range scores {
		best = max(best, score)
	}
	quotable := make([]extractPassage, len(passages))
	for i, c := range passages {
		quotable[i] = extractPassage{N: w.numbers[c.Source.ID], Title: evidence.Prefix(c.Source, c.Passage.At), Text: c.Passage.Text}
		if best > 0 {
			quotable[i].BM = scores[i] / best
		}
	}
	return quotable
}

// note remembers the sentences that a model wrote, so that none is quoted again.
func (w *reporter) note(text string) {
	for _, line := range strings.Split(markers.ReplaceAllString(text, ""), "\n") {
		for _, s := range evidence.Sentences(line) {
			w.said[sentenceKey(line[s.Start:s.End])] = true
		}
	}
}

// sentenceKey is equal for sentences that say the same, word for word.
func sentenceKey(sentence string) string {
	return strings.Join(strings.Fields(strings.Trim(cite.Same(sentence), " .!?-*•")), " ")
}

// evidenceOn is all that dimensions may be cited from, by place in the explored
// ones, best first and in turn.
func (w *reporter) evidenceOn(about []int) (all []rank.Candidate) {
	for i := range mostEvidence * max(1, w.s.Deep.Passes) {
		for _, at := range about {
			list := w.explored[at].Evidence
			if i < len(list) && w.numbers[list[i].Source.ID] > 0 && !hasPassage(all, list[i]) {
				all = append(all, list[i])
			}
		}
	}
	return all
}

// notFound is a paragraph on the subquestions that brought nothing, or nothing
// that the report does not say elsewhere; empty when there are none.
func (w *reporter) notFound() string {
	var lines []string
	open := slices.DeleteFunc(w.study.unproductive(), func(question string) bool {
		return slices.ContainsFunc(w.explored, func(x Explored) bool { return x.Question == question })
	})
	if slices.Sort(open); len(open) > 0 {
		lines = append(lines, "Nothing was found on: "+escapeMarkdown(strings.Join(slices.Compact(open), "; "))+".")
	}
	if len(w.bare) > 0 {
		lines = append(lines, "Nothing beyond what is quoted elsewhere in this report was found on: "+escapeMarkdown(strings.Join(w.bare, "; "))+".")
	}
	return strings.Join(lines, "\n\n")
}
