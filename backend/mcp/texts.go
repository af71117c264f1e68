package mcp

import (
	"fmt"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/records"
)

// harmless is text from outside as a model may read it: cut to n characters, and
// without what speaks to the machine that reads it.
func harmless(text string, n int) string {
	text = evidence.WithoutOrders(text)
	if r := []rune(text); len(r) > n {
		return string(r[:n]) + "…"
	}
	return text
}

// answerText is an answer with its sources and the quotes that prove it.
func answerText(a contract.Answer) string {
	var b strings.Builder
	b.WriteString(a.Answer)
	if cut := a.CutOff(); cut != "" {
		b.WriteString("\n\n" + cut)
	}
	if a.Outcome == contract.NoEvidence || len(a.Sources) == 0 {
		return b.String()
	}
	if sure := a.Sureness(); sure != "" {
		b.WriteString("\n\n" + sure)
	}
	b.WriteString("\n\nSources\n")
	for _, s := range a.Sources {
		fmt.Fprintf(&b, "[%d] %s — %s (footnote://source/%s)\n", s.N, oneLine(s.Title), placeOf(s), s.ID)
	}
	if len(a.Citations) > 0 {
		b.WriteString("\nQuotes\n")
	}
	for _, c := range a.Citations {
		fmt.Fprintf(&b, "[%d] “%s” (%s)\n", c.Marker, oneLine(c.Quote.Text), c.Verdict)
	}
	return b.String()
}

func placeOf(s contract.SourceCard) string {
	switch {
	case s.Kind != evidence.File:
		return s.URL
	case s.Locator.Page > 0:
		return fmt.Sprintf("%s:%d", s.Path, s.Locator.Page)
	}
	return s.Path
}

func passagesText(items []foundPassage) string {
	if len(items) == 0 {
		return "Nothing was found in the user's files."
	}
	var b strings.Builder
	for i, p := range items {
		fmt.Fprintf(&b, "%d. %s — %s (%s)\n%s\n\n", i+1, oneLine(p.Title), p.Path, p.Source, p.Text)
	}
	return strings.TrimSpace(b.String())
}

func pagesText(items []foundPage) string {
	if len(items) == 0 {
		return "Nothing was found on the web."
	}
	var b strings.Builder
	for i, p := range items {
		fmt.Fprintf(&b, "%d. %s — %s\n%s\n\n", i+1, oneLine(p.Title), p.URL, p.Snippet)
	}
	return strings.TrimSpace(b.String())
}

func sourceOf(s evidence.Source) sourceText {
	out := sourceText{ID: s.ID, Title: s.Title}
	if s.Kind == evidence.File {
		out.Path = s.Address
	} else {
		out.URL = s.Address
	}
	return out
}

// cut takes the wanted stretch of a text, as much of it as one reply may hold.
func (s *sourceText) cut(text string, start, end int) {
	all := []rune(text)
	s.Total = len(all)
	if end == 0 || end > len(all) {
		end = len(all)
	}
	s.Start = min(start, end)
	s.End = min(end, s.Start+mostText)
	s.Text = evidence.WithoutOrders(string(all[s.Start:s.End]))
}

func stretchText(s sourceText) string {
	text := s.Text
	if s.End < s.Total {
		text += fmt.Sprintf("\n\n(characters %d to %d of %d; read on with start = %d)", s.Start, s.End, s.Total, s.End)
	}
	return text
}

func threadsText(threads []records.ThreadInfo) string {
	if len(threads) == 0 {
		return "There are no conversations."
	}
	var b strings.Builder
	for _, t := range threads {
		fmt.Fprintf(&b, "%s — %s (footnote://thread/%s)\n", t.Updated.Format("2006-01-02"), oneLine(t.Title), t.ID)
	}
	return strings.TrimSpace(b.String())
}

func threadText(d records.ThreadDetail) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", oneLine(d.Title))
	for _, run := range d.Items {
		fmt.Fprintf(&b, "\n## %s\n\n", oneLine(run.Question.Text))
		switch {
		case run.Answer != nil:
			b.WriteString(answerText(*run.Answer))
		case run.Failure != nil:
			b.WriteString(strings.TrimSpace(run.Partial + "\n\n" + run.Failure.Message))
		default:
			b.WriteString(run.Partial)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// stepOf is what an event means to somebody who waits; empty when nothing.
func stepOf(e contract.Event) string {
	switch b := e.Body.(type) {
	case contract.StageChanged:
		if b.State == "start" {
			return b.Label
		}
	case contract.DimensionBegun:
		return fmt.Sprintf("Researching %d of %d: %s", b.Index+1, b.Total, oneLine(b.Dimension))
	case contract.Finding:
		return "Found: " + oneLine(harmless(b.Text, 200))
	}
	return ""
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
