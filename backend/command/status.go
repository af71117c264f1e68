package command

import (
	"fmt"
	"io"
	"strings"
	"time"

	"footnote/backend/answer/contract"
)

// status is the one line at the foot of a terminal that says what goes on.
type status struct {
	label, part string
	pages       int
	findings    int
	until       time.Time // when research has to end; zero for other questions
	shown       bool
}

const wipe = "\r\033[K"

// say is the line in words: what is done, on which subquestion, how many pages
// were read, how long it may take.
func (s *status) say(now time.Time) string {
	said := []string{s.label}
	if s.part != "" {
		said = append(said, s.part)
	}
	if s.pages > 0 {
		said = append(said, counted(s.pages, "page")+" read")
	}
	if s.findings > 0 {
		said = append(said, counted(s.findings, "finding"))
	}
	if left := s.until.Sub(now); !s.until.IsZero() && left > 0 {
		said = append(said, fmt.Sprintf("%d min left at most", int(left.Minutes())+1))
	}
	return strings.Join(said, " · ")
}

// follow takes up what an event tells; it reports whether the line has changed.
func (s *status) follow(e contract.Event) bool {
	switch b := e.Body.(type) {
	case contract.StageChanged:
		if b.State != "start" {
			return false
		}
		s.label, s.part = b.Label, ""
	case contract.DimensionBegun:
		s.part = fmt.Sprintf("%d of %d: %s", b.Index+1, b.Total, b.Dimension)
	case contract.ReadDone:
		s.pages++
	case contract.Finding:
		s.findings++
	default:
		return false
	}
	return true
}

// showStatus puts the line in place of the last one.
func (a *asking) showStatus() {
	if !a.env.Terminal || a.flags.quiet || a.flags.lines || a.told.shown > 0 {
		return
	}
	columns := a.env.Columns
	if columns == 0 {
		columns = 80
	}
	io.WriteString(a.env.Stderr, wipe+clipped(safeLine(a.status.say(time.Now())), columns-1))
	a.status.shown = true
}

func (a *asking) clearStatus() {
	if a.status.shown {
		io.WriteString(a.env.Stderr, wipe)
		a.status.shown = false
	}
}
