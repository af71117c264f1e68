package calls

import (
	"context"
	"errors"
	"sync"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

// mostStrikes are replies of one kind in a row that are of no use, after which the
// model is not asked for that kind any more in this run.
const mostStrikes = 3

// kindsOfSteps says what a model is asked for, by the purpose of the call.
var kindsOfSteps = map[string]string{
	"scope": "plan the research", "extract": "take findings from pages", "compress": "sum up what was found", "judge": "say what is missing",
	"plan": "plan the next pass", "related": "name related topics", Section: "write the report",
}

// Section is the purpose of a call that writes a section.
const Section = "section"

// strikes counts useless replies by kind. Safe for concurrent use.
type strikes struct {
	mu sync.Mutex
	by map[string]int
}

// out reports whether a model is not asked for a kind any more.
func (s *strikes) out(kind string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.by[kind] >= mostStrikes
}

// count notes the outcome of a step that took so many replies, and reports whether
// it was the one too many. A useful one makes good what was before, unless the kind
// is given up already.
func (s *strikes) count(kind string, replies int, err error) (last bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.by[kind]
	switch {
	case before >= mostStrikes:
		return false
	case err == nil:
		s.by[kind] = 0
		return false
	case !ofNoUse(err):
		return false
	}
	s.by[kind] += max(1, replies)
	return s.by[kind] >= mostStrikes
}

// ofNoUse reports whether an error says that the model itself gave nothing, not that
// it was not asked, or was stopped.
func ofNoUse(err error) bool {
	if errors.Is(err, llm.ErrNotStructured) || errors.Is(err, ErrCut) || errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	code := fault.CodeOf(err)
	return code == fault.ModelRefused || code == fault.ModelTimeout
}

// ErrGivenUp says that the model is not asked for this kind any more.
var ErrGivenUp = fault.New(fault.ModelRefused, "The model gave nothing of use three times.", "Choose a larger model.")

// ErrCut says that a reply came to no proper end.
var ErrCut = errors.New("the reply was cut")
