package server

import (
	"context"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/records"
)

// unreading is a store whose conversations cannot be read whole.
type unreading struct{ api.Store }

func (unreading) Thread(context.Context, contract.ThreadID) (records.ThreadDetail, error) {
	return records.ThreadDetail{}, fault.New(fault.Internal, "The whole conversation was read.", "Ask its title.")
}

// A conversation of a hundred answers is megabytes: that it is there is known from
// its title.
func TestAQuestionIsAskedInAThreadThatIsNotReadForIt(t *testing.T) {
	h := open(t, nil)
	first := h.ask(t, map[string]any{"question": "When was the bridge over the Lorne opened?"})
	h.rooms.DB = unreading{h.rooms.DB}
	var asked api.Asked
	a := h.send(t, "POST", "/api/runs", map[string]any{"question": "What did it cost?", "thread": first.Thread}, nil)
	if a.into(t, &asked); a.status != 202 || asked.Thread != first.Thread {
		t.Errorf("%d %+v", a.status, asked)
	}
	wantFault(t, "in a thread that is not there", h.send(t, "POST", "/api/runs", map[string]any{"question": "a", "thread": "thr_aaaaaaaaaaaaaaaaaaaaaaaaaa"}, nil), 404, fault.NotFound)
}
