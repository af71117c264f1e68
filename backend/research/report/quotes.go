package report

import (
	"cmp"
	"context"
	"footnote/backend/plain"
	"slices"
	"strings"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/answer/queries"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/rank"
	"footnote/backend/research/facets"
	"footnote/backend/research/sentences"
	"footnote/backend/research/sides"
	"footnote/backend/research/subject"
)

const (
	summaryQuotes = 5   // sentences of a quoted summary
	nearQuotes    = 3   // where none of them surely answers
	themeQuotes   = 3   // of a dimension among the key findings
	partQuotes    = 14  // of a part of the analysis
	beyondTopic   = 0.3 // more for a sentence that has what a question asks of its topic
	quoteShare    = 0.5 // of the best sentence's score, from which a sentence bears on a question
)

// sectionByQuotes puts a section together from sentences of its passages that the
// report does not have yet. said are words of the program before them, or for what no
// quotation can say.
func (w *reporter) sectionByQuotes(ctx context.Context, s section) (quoted, said string) {
	switch {
	case s.write != nil:
		return s.write(w)
	case s.kind == keyFindings:
		return w.themes(ctx, s.words), ""
	case s.cue != nil:
		return w.byCue(s)
	case !s.quoted:
		return "", w.unsaid(s)
	case s.about == nil:
		return w.summary(ctx, s.words)
	}
	return w.onSubquestion(ctx, cmp.Or(s.asks, w.Pipeline.Plan.Standalone), w.evidenceOn(s.about), bounded{most: partQuotes, words: s.words}).Quotations(), ""
}

// summary answers the question, part by part, or says that the sources do not.
func (w *reporter) summary(ctx context.Context, words int) (quoted, said string) {
	question := w.wholeQuestion()
	if w.atLarge(question) || w.Pipeline.Task.Question.SubMode == contract.DueDiligence {
		return w.broadSummary(words), ""
	}
	parts := (subject.Topic{Things: []string{w.Study.Topic}}).Parts(w.Pipeline.Plan.Standalone)
	if len(parts) == 0 {
		parts = []string{question}
	}
	var answers, open []string
	weighed := false
	var near []quote.Sentence
	for _, part := range parts {
		quotable := w.quotable(part, w.allEvidence())
		r, ok := w.answered(ctx, part, quotable)
		weighed = weighed || ok
		r.Sentences = slices.DeleteFunc(r.Sentences, func(s quote.Sentence) bool { return w.said[sentences.Key(s.Text)] || !sentences.States(s) })
		if ok && r.State == quote.Answer && len(r.Sentences) > 0 {
			w.hasSaid(r.Sentences)
			answers = append(answers, r.Quotations())
			continue
		}
		open = append(open, part)
		if ok {
			near = append(near, w.bearing(part, r, quotable, sentences.Likely)...)
		}
	}
	switch {
	case !weighed:
		return w.broadSummary(words), ""
	case len(answers) == 0:
		if w.Subject.In(nil).Foreign { // the scorer misses answers in other languages than English
			if text := w.underAsked(ctx, question); text != "" {
				return text, w.say("unsure-answer")
			}
		}
		if near = w.readable(near, bounded{most: nearQuotes}); len(near) > 0 {
			w.hasSaid(near)
			return quote.Result{Sentences: near}.Quotations(), w.say("unsure-answer")
		}
		if near = w.readable(w.nearestOf(ctx), bounded{most: nearQuotes}); len(near) > 0 {
			w.hasSaid(near)
			return quote.Result{Sentences: near}.Quotations(), w.say("unsure-answer")
		}
		if w.Subject.In(nil).Foreign {
			return w.broadSummary(words), w.say("unsure-answer")
		}
		w.asked = quote.Beyond(w.Pipeline.Checker(), w.Study.Topic, question)
		return "", w.say("no-answer")
	case len(open) > 0:
		answers = append(answers, w.say("unanswered", listed(open)))
	}
	return strings.Join(answers, "\n\n"), ""
}

// atLarge reports whether a question asks nothing but its topic, or what somebody says
// about it.
func (w *reporter) atLarge(question string) bool {
	topic := cmp.Or(strings.Join(subject.Names(question), " "), w.Study.Topic)
	whole := sentences.Key(topic) == sentences.Key(question) // of a language whose questions are not taken apart
	return subject.SaysAbout(question) || !whole && quote.AsksAtLarge(w.Pipeline.Checker(), topic, question)
}

// onTopic leaves out what newer sources say otherwise, and of due diligence what stands
// under no heading; all that a handbook says may be of none.
func (w *reporter) onTopic(all []quote.Sentence, passages []quote.Passage) []quote.Sentence {
	if w.Pipeline.Task.Question.SubMode == contract.DueDiligence {
		return w.telling(all, passages)
	}
	return w.current(all, passages)
}

// broadSummary is what fits a question best that no single sentence can answer.
func (w *reporter) broadSummary(words int) string {
	r := w.answerByQuotes(w.allEvidence(), words)
	if len(r.Sentences) == 0 && w.written == 0 { // all is reserved for other sections: a summary may say it too
		w.said = map[string]bool{}
		r = w.answerByQuotes(w.allEvidence(), words)
	}
	return r.Quotations()
}

// wholeQuestion is the question with its thing named in each of its parts.
func (w *reporter) wholeQuestion() string {
	if parts := (subject.Topic{Things: []string{w.Study.Topic}}).Parts(w.Pipeline.Plan.Standalone); len(parts) > 0 {
		return strings.Join(parts, " ")
	}
	return w.Pipeline.Plan.Standalone
}

func (w *reporter) hasSaid(all []quote.Sentence) {
	for _, s := range all {
		w.said[sentences.Key(s.Text)] = true
	}
}

// answerByQuotes is what a quoted answer to the whole question would say; where that
// is nothing new, the sentences that fit it best.
func (w *reporter) answerByQuotes(passages []rank.Candidate, words int) quote.Result {
	question := w.wholeQuestion()
	quotable := w.quotable(question, passages)
	r := quote.FindByWords(question, quotable, quote.Deps{Checker: w.Pipeline.Checker(), Parts: queries.Parts})
	r.Short, r.Sentences = "", w.onTopic(w.Subject.Only(r.Sentences, quotable), quotable)
	beyond, answering := quote.Beyond(w.Pipeline.Checker(), w.Study.Topic, question), map[int]bool{} // passages
	for _, s := range r.Sentences {
		answering[s.Passage] = answering[s.Passage] || beyond(s.Heading+" "+s.Text)
	}
	r.Sentences = slices.DeleteFunc(r.Sentences, func(s quote.Sentence) bool {
		return w.said[sentences.Key(s.Text)] || !sentences.States(s) || !answering[s.Passage]
	})
	r.Sentences = quote.Readable(r.Sentences, quotable, func(text string) bool { return w.said[sentences.Key(text)] })
	if r.State == quote.None || len(r.Sentences) == 0 {
		if r = w.quotes(question, passages, summaryQuotes, words); len(r.Sentences) > 0 {
			return r
		}
		all, _ := quote.NewQuery(w.Pipeline.Checker(), question).Candidates(quotable)
		return w.best(all, quotable, bounded{most: summaryQuotes, words: words, source: summaryQuotes})
	}
	w.hasSaid(r.Sentences)
	return r
}

// themes are findings on each dimension, quoted, about so many words in all.
func (w *reporter) themes(ctx context.Context, words int) string {
	var parts []string
	most := themeQuotes
	if w.Pipeline.Models.Chat.Model == nil { // the analysis is quoted from what is left
		most = 1
	}
	for i, x := range w.Explored {
		r := w.onSubquestion(ctx, x.Question, w.evidenceOn([]int{i}), bounded{most: most, words: words / len(w.Explored)})
		if len(r.Sentences) > 0 {
			parts = append(parts, "**"+plain.EscapeMarkdown(x.Question)+"**\n\n- "+strings.Join(bulleted(r), "\n- "))
		}
	}
	return strings.Join(parts, "\n\n")
}

// bulleted are quoted sentences one by one.
func bulleted(r quote.Result) (lines []string) {
	for _, s := range r.Sentences {
		lines = append(lines, quote.Result{Sentences: []quote.Sentence{s}}.Quotations())
	}
	return lines
}

// quotes are the sentences of passages that have words of a question, or bear on
// the side of a topic that it names, and that the report does not have yet, best
// first until there are so many of them or so many words.
func (w *reporter) quotes(question string, passages []rank.Candidate, most, words int) quote.Result {
	quotable := w.quotable(question, passages)
	if topic, cue := sides.Of(question); cue != nil {
		return w.best(quote.OfSide(w.Pipeline.Checker(), topic, cue, quotable), quotable, bounded{most: most, words: words, source: most})
	}
	q := quote.NewQuery(w.Pipeline.Checker(), question)
	all, _ := q.Candidates(quotable)
	beyond := quote.Beyond(w.Pipeline.Checker(), w.Study.Topic, question)
	all = slices.DeleteFunc(all, func(s quote.Sentence) bool {
		return !q.Touches(s.Text) || w.Pipeline.Models.Chat.Model == nil && !beyond(s.Heading+" "+s.Text)
	})
	for i := range all { // a model's words for a subquestion are seldom those of the sources
		if w.Pipeline.Models.Chat.Model != nil && beyond(all[i].Heading+" "+all[i].Text) {
			all[i].Score += beyondTopic
		}
	}
	return w.best(all, quotable, bounded{most: most, words: words, source: most})
}

// onSubquestion is what answers a subquestion by the calibrated scorer; of one that
// asks nothing by itself, as the side of a topic does, what bears on it.
func (w *reporter) onSubquestion(ctx context.Context, question string, passages []rank.Candidate, b bounded) quote.Result {
	if w.Vectors != nil && w.Pipeline.Models.Chat.Model == nil && !sides.Is(w.code(), question) && !w.atLarge(question) {
		asked, heading := question, question
		if below := facets.Under(question, w.allEvidence()); len(below) > 0 && !strings.ContainsAny(question, "?？؟") { // a heading: what stands there on the whole question
			question, asked, passages = w.wholeQuestion(), "", below
		}
		quotable := w.quotable(question, passages)
		if r, ok := w.answered(ctx, question, quotable); ok {
			if r.State != quote.Answer {
				r.Sentences = nil
			}
			if asked == "" {
				b.most = max(min(b.most, headedQuotes), len(r.Sentences))
				if !w.asksAll() {
					r.Sentences = w.nearAsked(ctx, r.Sentences)
				}
				r.Sentences = append(r.Sentences, w.underHeaded(ctx, heading, quotable)...)
			} else {
				r.Sentences = append(r.Sentences, w.bearing(asked, r, quotable, bears)...)
			}
			r.Sentences = w.readable(r.Sentences, b)
			w.hasSaid(r.Sentences)
			return r
		}
	}
	r := w.quotes(question, passages, b.most, b.words)
	if w.Vectors == nil || !sides.Is(w.code(), question) || w.atLarge(w.wholeQuestion()) || w.Pipeline.Models.Chat.Model != nil {
		return r
	}
	r.Sentences = w.nearAsked(ctx, r.Sentences) // of a side of the topic, what bears on the question
	return r
}

// bears is how likely a sentence must be an answer to bear on a question.
const bears = 0.1

// bearing are the sentences that are so likely to answer a question, the likeliest first,
// though none of them is sure to. Each has something of what it asks of the topic; empty
// for all that was considered.
func (w *reporter) bearing(asked string, r quote.Result, passages []quote.Passage, least float64) (all []quote.Sentence) {
	m, touches := w.Subject.Among(passages), quote.Beyond(w.Pipeline.Checker(), w.Study.Topic, asked)
	for _, c := range r.Trace.Considered {
		if s, placed := sentences.Placed(c, passages); placed && !c.Row && c.Right >= least && sentences.Ends(s.Text) && m.Covers(s, passages) && !quote.Dangles(s.Text) && touches(s.Text) && (w.asked == nil || w.asked(s.Text)) {
			all = append(all, s)
		}
	}
	return w.current(all, passages)
}

// readable are the sentences that the report does not have yet and that can stand by
// themselves, each once, in almost the same words too.
func (w *reporter) readable(all []quote.Sentence, b bounded) (some []quote.Sentence) {
	texts := make([]string, len(all))
	for i, s := range all {
		texts[i] = s.Text
	}
	for i, first := range rank.Twins(texts) {
		if s := sentences.WithoutMark(all[i]); first == i && !w.said[sentences.Key(s.Text)] && sentences.States(s) && len(some) < b.most {
			some = append(some, s)
		}
	}
	return some
}

// bounded is how much is quoted: sentences, words, sentences of a source.
type bounded struct{ most, words, source int }

// best chooses among sentences; where nothing answers the question, only among those
// that touch what it asks. What was chosen is not quoted again.
func (w *reporter) best(all []quote.Sentence, passages []quote.Passage, b bounded) quote.Result {
	all = w.onTopic(w.Subject.Only(all, passages), passages)
	if w.asked != nil {
		all = slices.DeleteFunc(all, func(s quote.Sentence) bool { return !w.asked(s.Text) })
	}
	slices.SortStableFunc(all, quote.ByScore)
	said := func(text string) bool { return w.said[sentences.Key(text)] }
	var chosen []quote.Sentence
	ofPassage, ofSource, keys := map[int]int{}, map[int]int{}, map[string]bool{}
	for _, s := range all {
		if len(chosen) == b.most || b.words <= 0 || s.Score < quoteShare*all[0].Score {
			break
		}
		key := sentences.Key(s.Text)
		if !sentences.States(s) || said(s.Text) || keys[key] {
			continue
		}
		if ofPassage[s.Passage] == fromPassage || ofSource[s.N] == b.source || len(quote.Readable([]quote.Sentence{s}, passages, said)) == 0 && !s.Follows(chosen) {
			continue
		}
		keys[key] = true
		ofPassage[s.Passage]++
		ofSource[s.N]++
		b.words -= rank.CountWords(s.Text)
		chosen = append(chosen, sentences.WithoutMark(s))
	}
	chosen = w.onTopic(quote.Readable(chosen, passages, said), passages)
	w.hasSaid(chosen)
	return quote.Result{State: quote.Answer, Sentences: chosen}
}

// quotable are passages as they are quoted from, with how well they fit a question.
func (w *reporter) quotable(question string, passages []rank.Candidate) []quote.Passage {
	texts := make([]string, len(passages))
	for i, c := range passages {
		texts[i] = gather.RankText(c)
	}
	scores, best := rank.NewBM25(texts).Scores(question), 0.0
	for _, score := range scores {
		best = max(best, score)
	}
	quotable := make([]quote.Passage, len(passages))
	for i, c := range passages {
		quotable[i] = quote.Passage{ID: c.Passage.ID, Digest: c.Source.Digest, Start: c.Passage.At.Start, Cosine: c.Score.Cosine, N: w.Pipeline.Selection.Numbers[c.Source.ID], Title: evidence.Prefix(c.Source, c.Passage.At), Text: c.Passage.Text}
		if best > 0 {
			quotable[i].BM = scores[i] / best
		}
	}
	return quotable
}

// note remembers the sentences that a model wrote, so that none is quoted again.
func (w *reporter) note(text string) {
	for _, line := range strings.Split(answer.Markers.ReplaceAllString(text, ""), "\n") {
		for _, s := range evidence.Sentences(line) {
			w.said[sentences.Key(line[s.Start:s.End])] = true
		}
	}
}

// evidenceOn is all that dimensions may be cited from, by place in the explored
// ones, best first and in turn.
func (w *reporter) evidenceOn(about []int) (all []rank.Candidate) {
	for i := range MostEvidence * max(1, w.Pipeline.Task.Settings.Deep.Passes) {
		for _, at := range about {
			list := w.Explored[at].Evidence
			if i < len(list) && w.Pipeline.Selection.Numbers[list[i].Source.ID] > 0 && !hasPassage(all, list[i]) {
				all = append(all, list[i])
			}
		}
	}
	return all
}

// openSides are the subquestions that brought nothing at all, in order.
func (w *reporter) openSides() []string {
	open := slices.DeleteFunc(w.Study.Unproductive(), func(question string) bool {
		return w.answers && question == w.Pipeline.Plan.Standalone || slices.ContainsFunc(w.Explored, func(x contract.Explored) bool { return x.Question == question })
	})
	slices.Sort(open)
	return slices.Compact(open)
}

// listed are questions and sides as the end of a sentence.
func listed(questions []string) string {
	text := plain.EscapeMarkdown(strings.Join(questions, "; "))
	if strings.HasSuffix(text, "?") {
		return text
	}
	return text + "."
}

// notFound is a paragraph on the subquestions that brought nothing, or nothing
// that the report does not say elsewhere, and on older versions; empty when there are none.
func (w *reporter) notFound() string {
	var lines []string
	if open := w.openSides(); len(open) > 0 {
		lines = append(lines, w.say("nothing-found", listed(open)))
	}
	if len(w.left.bare) > 0 {
		lines = append(lines, w.say("nothing-further", listed(w.left.bare)))
	}
	if len(w.versions) > 0 {
		lines = append(lines, w.say("older-versions", listed(w.versions)))
	}
	return strings.Join(lines, "\n\n")
}
