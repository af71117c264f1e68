package report

import (
	"slices"
	"strings"

	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

const (
	fromPassage  = 4 // sentences quoted of one passage in a section, at most
	mostOfCues   = 5 // sentences of a section by cues
	quotedSource = 3 // of a source among them
)

// byCue quotes what has a cue, from all that was found on the topic; program words
// where nothing has.
func (w *reporter) byCue(s section) (quoted, said string) {
	if text, done := w.reserved[s.kind]; done && text != "" {
		return text, ""
	} else if done {
		return "", w.nothingBy(s)
	}
	about := s.about
	if s.everywhere || len(about) == 0 {
		about = w.everywhere()
	}
	passages := w.quotable(w.Study.Topic, w.evidenceOn(about))
	r := w.best(quote.OfSide(w.Pipeline.Checker(), w.Study.Topic, s.cue, passages), passages, bounded{most: mostOfCues, words: s.words, source: quotedSource})
	if len(r.Sentences) == 0 {
		return "", w.nothingBy(s)
	}
	return "- " + strings.Join(bulleted(r), "\n- "), ""
}

// nothingBy says that no sentence has a cue; of sources that the cues, English words,
// cannot read it says so.
func (w *reporter) nothingBy(s section) string {
	if slices.ContainsFunc(w.allEvidence(), func(c rank.Candidate) bool { return lang.Detect(c.Passage.Text) != lang.English }) {
		return w.say("not-told")
	}
	return w.say(s.none)
}

// everywhere are the places of all explored dimensions.
func (w *reporter) everywhere() (about []int) {
	for i := range w.Explored {
		about = append(about, i)
	}
	return about
}

// allEvidence is what any side was explored with; where none brought anything, what
// the searches did.
func (w *reporter) allEvidence() []rank.Candidate {
	if len(w.Explored) == 0 || w.Vectors != nil && w.Pipeline.Models.Chat.Model == nil {
		return w.Pipeline.Selection.Chosen
	}
	return w.evidenceOn(w.everywhere())
}

// reserve chooses what the sections by cues are going to quote, before the others
// quote it.
func (w *reporter) reserve(sections []section) {
	w.reserved = map[string]string{}
	for _, s := range sections {
		if s.cue != nil {
			text, _ := w.byCue(s)
			w.reserved[s.kind] = text
		}
	}
}

// unsaid stands for a section that only a model can write: that it is missing, and
// what a reader who judges can go by.
func (w *reporter) unsaid(s section) string {
	why := w.say("no-model")
	if w.Pipeline.Models.Chat.Model != nil {
		why = w.say("model-failed")
	}
	switch s.kind {
	case recommendationKind:
		return w.say("no-recommendation", why, w.lookedThrough()) + w.open()
	case connectionsKind:
		text := w.say("no-connections", why)
		if shared := w.shared(); len(shared) > 0 {
			text += " " + w.say("shared-sources") + "\n\n- " + strings.Join(shared, "\n- ")
		}
		return text
	case conclusionsKind:
		return w.say("no-conclusions", why, w.lookedThrough()) + w.origin() + w.open()
	}
	return ""
}

// lookedThrough is how many sources were read, and on how many subquestions that any of
// them says something of.
func (w *reporter) lookedThrough() string {
	sources := w.say("sources", len(w.Pipeline.Selection.Numbers))
	if len(w.Explored) == 0 {
		return w.say("looked-through-all", sources)
	}
	return w.say("looked-through", sources, w.say("subquestions", len(w.Explored)))
}

// origin says that what answers the question rests on one source, or on copies of it.
func (w *reporter) origin() string {
	switch w.alone {
	case 0:
		return ""
	case 1:
		return " " + w.say("one-source")
	}
	return " " + w.say("one-origin", w.alone)
}

// open says what nothing was found on, where the report has not said it.
func (w *reporter) open() string {
	if text := w.notFound(); text != "" && !w.toldOpen {
		return "\n\n" + text
	}
	return ""
}

const mostShared = 5 // sources that are named for several subquestions

// shared names the sources that several subquestions rest on, those of most first.
func (w *reporter) shared() (lines []string) {
	type bearing struct {
		title string
		on    []string
	}
	var all []bearing
	at := map[evidence.SourceID]int{}
	for _, x := range w.Explored {
		for _, c := range x.Evidence {
			if w.Pipeline.Selection.Numbers[c.Source.ID] == 0 {
				continue
			}
			i, known := at[c.Source.ID]
			if !known {
				i = len(all)
				at[c.Source.ID] = i
				all = append(all, bearing{title: plain.OneLine(evidence.WithoutOrders(c.Source.Title), 120)})
			}
			if !slices.Contains(all[i].on, x.Question) {
				all[i].on = append(all[i].on, x.Question)
			}
		}
	}
	all = slices.DeleteFunc(all, func(b bearing) bool { return len(b.on) < 2 || strings.TrimSpace(b.title) == "" })
	slices.SortStableFunc(all, func(a, b bearing) int { return len(b.on) - len(a.on) })
	for _, b := range all {
		on := plain.EscapeMarkdown(strings.Join(b.on, "; "))
		if len(b.on) == len(w.Explored) {
			on = w.say("all-of-them")
		}
		if line := "“" + plain.EscapeMarkdown(b.title) + "”: " + on; len(lines) < mostShared && !slices.Contains(lines, line) { // versions of a document have one title
			lines = append(lines, line)
		}
	}
	return lines
}
