package command

import (
	"fmt"
	"strings"
	"unicode"

	"footnote/backend/answer/contract"
	"footnote/backend/cite"
)

// numbering gives sources numbers without gaps, in the order in which a text
// names them.
type numbering map[int]int

// of is the number of a source; one that was not named before is next.
func (n numbering) of(source int) int {
	if n[source] == 0 {
		n[source] = len(n) + 1
	}
	return n[source]
}

// mark is a footnote as it is printed.
func (n numbering) mark(source int, style string) string {
	if style == "[^1]" {
		return fmt.Sprintf("[^%d]", n.of(source))
	}
	return fmt.Sprintf("[%d]", n.of(source))
}

// marked is a canonical text with its footnotes as they are printed.
func (n numbering) marked(canonical string, sources int, style string) string {
	var b strings.Builder
	at := 0
	for _, m := range cite.Markers(canonical, sources) {
		if m.Span.Start == at && at > 0 && style == "[^1]" {
			b.WriteByte(' ')
		}
		b.WriteString(canonical[at:m.Span.Start] + n.mark(m.N, style))
		at = m.Span.End
	}
	return b.String() + canonical[at:]
}

// told is what of an answer stands on a terminal already, while it is written.
type told struct {
	text  []rune // as it came
	shown int    // runes of it that were printed
	lost  bool   // the writer began anew: what is printed is not the answer
}

// add prints of a delta what a line may end behind.
func (a *asking) add(d contract.TextDelta) error {
	t := &a.told
	if d.At < t.shown {
		t.lost = true
	}
	t.text = append(t.text[:min(d.At, len(t.text))], []rune(d.Delta)...)
	if t.lost {
		return nil
	}
	end := len(t.text)
	for end > t.shown && !unicode.IsSpace(t.text[end-1]) && !endsLine(t.text[end-1]) {
		end--
	}
	return a.tell(end)
}

// tell prints the answer as it came up to a rune.
func (a *asking) tell(end int) error {
	t := &a.told
	if end <= t.shown {
		return nil
	}
	words := string(t.text[t.shown:end])
	t.shown = end
	a.clearStatus()
	return a.lines().markdown(safe(a.numbers.marked(words, 0, a.style)))
}

// rest prints what of the whole answer does not stand there yet. Where the check
// changed what had been printed, the answer is printed again.
func (a *asking) rest(canonical string, sources int) error {
	t := &a.told
	if t.shown > 0 && !t.lost && strings.HasPrefix(canonical, string(t.text[:t.shown])) {
		t.text = []rune(canonical)
		if err := a.tell(len(t.text)); err != nil {
			return err
		}
		return a.lines().write("\n")
	}
	if t.shown > 0 {
		if err := a.lines().write("\n\nAs it was checked:\n\n"); err != nil {
			return err
		}
	}
	a.numbers = numbering{}
	return a.lines().markdown(safe(a.numbers.marked(canonical, sources, a.style)) + "\n")
}

// lines is where the answer is written, broken at the terminal's width.
func (a *asking) lines() *wrapper {
	if a.wrap == nil {
		a.wrap = &wrapper{out: a.env.Stdout, width: a.env.Columns}
	}
	return a.wrap
}
