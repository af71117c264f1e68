package sharing

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/plain"
)

// Withheld stands in the place of what may not be opened.
const Withheld = "A source you may not open."

// NoticeCut is the code of the notice that an answer is not shown whole.
const NoticeCut = "not-whole"

// Cited is a citation of an answer as somebody else may read it; of one that they
// may not only is known that it is there.
type Cited struct {
	Passage evidence.Passage
	Source  evidence.Source
	Quote   contract.Range // of the passage's text, in code points
	Hidden  bool
}

// Whole is a run as others see it who may read all that it had: its question and
// answer, and nothing of how it was asked.
func Whole(run contract.Run) contract.Run {
	run = told(run)
	if run.Answer == nil {
		return run
	}
	a := *run.Answer
	run.Answer = &contract.Answer{
		Question: a.Question, Answer: a.Answer, Outcome: a.Outcome, Grade: a.Grade, Confidence: a.Confidence, Citations: a.Citations, Sources: slices.Clone(a.Sources),
		Report: a.Report, Disagreements: plain.Full(a.Disagreements), Run: a.Run, Thread: a.Thread, Timestamp: a.Timestamp, LatencyMs: a.LatencyMs,
	}
	for i := range run.Answer.Sources {
		run.Answer.Sources[i].AlsoIn = nil
	}
	return filled(run)
}

// Cut is a run as others see it who may not read all that it had: of its answer
// only what it cites of sources that they may open, in the words of those sources.
func Cut(run contract.Run, cited []Cited) contract.Run {
	run = told(run)
	run.Partial, run.Failure, run.Answer = "", nil, nil
	if run.Status == contract.Running {
		return run
	}
	run.Status = contract.Finished
	c := cutter{numbers: map[evidence.SourceID]int{}, said: map[string]bool{}}
	for _, one := range cited {
		c.add(one)
	}
	if len(cited) == 0 {
		c.text.WriteString(Withheld)
	}
	run.Answer = &contract.Answer{
		Question: run.Question.Text, Answer: c.text.String(), Outcome: contract.Extracted, Grade: contract.GradeClosest, Citations: c.citations, Sources: c.cards, Run: run.ID, Thread: run.Thread, Timestamp: contract.StampOf(run.Started),
		Report:  contract.Report{HasCitations: len(c.citations) > 0, CitationCount: len(c.citations), AllCitationsValid: true, Verdicts: contract.NoVerdicts()},
		Notices: []contract.Notice{{Code: NoticeCut, Level: "info", Message: "This answer also rests on sources that you may not open: what it cites of the others stands here, word for word."}},
	}
	run.Answer.Report.Verdicts[contract.QuotedIn] = len(c.citations)
	return filled(run)
}

// told is a run without what only its person has to do with.
func told(run contract.Run) contract.Run {
	q := run.Question
	run.Question = contract.Question{Text: q.Text, Thread: q.Thread, Focus: q.Focus, Mode: q.Mode}
	run.Ledger = nil
	if run.Failure != nil {
		why := noAnswer()
		run.Failure = &why
	}
	return run
}

// Told is an event of a run as others see it.
func Told(e contract.Event) contract.Event {
	switch b := e.Body.(type) {
	case contract.FinishedRun:
		e.Body = contract.FinishedRun{Answer: *Whole(contract.Run{Answer: &b.Answer}).Answer}
	case contract.FailedRun:
		e.Body = contract.FailedRun{Failure: noAnswer()}
	}
	return e
}

// noAnswer does not tell why: that may be of sources.
func noAnswer() contract.Failure {
	return contract.Failure{Code: fault.NotFound, Message: "This question got no answer.", Hint: "Ask it yourself to get one."}
}

// filled has no list that is missing.
func filled(run contract.Run) contract.Run {
	a := run.Answer
	a.Citations, a.Sources, a.Disagreements = plain.Full(a.Citations), plain.Full(a.Sources), plain.Full(a.Disagreements)
	a.FollowUps, a.Ledger, a.Notices = plain.Full(a.FollowUps), plain.Full(a.Ledger), plain.Full(a.Notices)
	a.Report.Unanswered, a.Report.Warnings = plain.Full(a.Report.Unanswered), plain.Full(a.Report.Warnings)
	return run
}

// cutter writes what may be read of an answer, each sentence once.
type cutter struct {
	text      strings.Builder
	citations []contract.Citation
	cards     []contract.SourceCard
	numbers   map[evidence.SourceID]int
	said      map[string]bool
	hid       bool // the last thing written stands for what may not be opened
}

func (c *cutter) add(one Cited) {
	quote := within(one.Passage.Text, one.Quote)
	if hidden := one.Hidden || quote == ""; hidden || c.said[string(one.Passage.ID)+quote] {
		if hidden && !c.hid {
			c.paragraph(Withheld)
		}
		c.hid = c.hid || hidden
		return
	}
	c.hid, c.said[string(one.Passage.ID)+quote] = false, true
	n := c.number(one)
	line := strings.Join(strings.Fields(quote), " ")
	start := c.paragraph(line)
	end := start + utf8.RuneCountInString(line)
	fmt.Fprintf(&c.text, " [%d]", n)
	c.citations = append(c.citations, contract.Citation{
		Marker: n, Passage: one.Passage.ID, Source: one.Source.ID, Claim: contract.Quoted{Start: start, End: end, Text: line},
		Quote: contract.Quoted{Start: one.Quote.Start, End: one.Quote.End, Text: quote}, At: one.Passage.At, Highlight: []contract.Range{one.Quote}, Verdict: contract.QuotedIn,
	})
}

// paragraph writes one, and gives where it begins in code points.
func (c *cutter) paragraph(line string) int {
	if c.text.Len() > 0 {
		c.text.WriteString("\n\n")
	}
	start := utf8.RuneCountInString(c.text.String())
	c.text.WriteString(line)
	return start
}

// number is that of a source, with a card when it is new.
func (c *cutter) number(one Cited) int {
	n := c.numbers[one.Source.ID]
	if n == 0 {
		n = len(c.cards) + 1
		c.numbers[one.Source.ID] = n
		card := contract.SourceCard{N: n, ID: one.Source.ID, Kind: one.Source.Kind, Title: one.Source.Title, Locator: one.Passage.At, Passages: []contract.PlacedPassage{}, Flags: []string{}}
		if one.Source.Kind == evidence.File {
			card.Path = one.Source.Address
		} else {
			card.URL = one.Source.Address
		}
		c.cards = append(c.cards, card)
	}
	card := &c.cards[n-1]
	card.Passages = append(card.Passages, contract.PlacedPassage{ID: one.Passage.ID, At: one.Passage.At})
	return n
}

// within is the part of a text that a range covers; empty where it covers none.
func within(text string, r contract.Range) string {
	runes := []rune(text)
	if r.Start < 0 || r.Start >= r.End || r.End > len(runes) {
		return ""
	}
	return string(runes[r.Start:r.End])
}
