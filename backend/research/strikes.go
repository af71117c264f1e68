package research

import (
	"context"
	"errors"
	"sync"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/llm"
)

// mostStrikes are replies of one kind in a row that are of no use, after which the
// model is not asked for that kind any more in this run.
const mostStrikes = 3

// kindsOfSteps says what a model is asked for, by the purpose of the call.
var kindsOfSteps = map[string]string{
	"scope": "plan the research", "extract": "take findings from pages", "compress": "sum up what was found", "judge": "say what is missing",
	"plan": "plan the next pass", "related": "name related topics", purposeSection: "write the report",
}

const purposeSection = "section"

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
	if errors.Is(err, llm.ErrNotStructured) || errors.Is(err, errCut) || errors.Is(err, context.DeadlineExceeded) {
		return true
	}
	code := fault.CodeOf(err)
	return code == fault.ModelRefused || code == fault.ModelTimeout
}

// errGivenUp says that the model is not asked for this kind any more.
var errGivenUp = fault.New(fault.ModelRefused, "The model gave nothing of use three times.", "Choose a larger model.")

// strike counts the outcome of a step and says when the model is given up for its
// kind.
func (r *research) strike(kind string, replies int, err error) {
	if r.strikes.count(kind, replies, err) {
		r.p.Tell.Notice(contract.Notice{Code: "mode-degraded", Level: "warn", Action: "choose-model",
			Message: "The model gave nothing of use three times when it was asked to " + kindsOfSteps[kind] + ". The research goes on without it for that."})
	}
}
