package trace

import (
	"context"
	"encoding/json"
	"iter"
	"sync"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/llm"
)

// Tapes keeps what models said in runs, beside how their evidence was ranked. A
// run that has none is fault not-found. Traces that can do it have it done.
type Tapes interface {
	KeepTape(ctx context.Context, run contract.RunID, t Tape) error
	Tape(ctx context.Context, run contract.RunID) (Tape, error)
}

// Tape is what a run was given beside its evidence: the settings that held, and
// what models said, word for word, in the order in which they were asked. Keys
// are no settings; no secret is on it.
type Tape struct {
	Settings   map[string]any `json:"settings"` // section.key
	PromptHash string         `json:"prompt_hash"`
	Calls      []TapedCall    `json:"calls"`
}

// TapedCall is one call of a model. Asked is the digest of the messages; the
// text is as the model wrote it, markers unread.
type TapedCall struct {
	Purpose string         `json:"purpose"`
	Model   string         `json:"model"`
	Asked   string         `json:"asked"`
	Said    string         `json:"said"`
	Tools   []llm.ToolCall `json:"tools,omitempty"`
	Finish  llm.Finish     `json:"finish"`
	Failed  fault.Code     `json:"failed,omitempty"`
}

const (
	mostTaped   = 200     // calls of a run
	longestTape = 2 << 20 // bytes that models said in a run; what comes after is not kept
)

// Recorder takes down a run's calls.
type Recorder struct {
	mu    sync.Mutex
	calls []*TapedCall
	bytes int
}

type recorderKey struct{}

// WithRecorder has what models say under ctx taken down.
func WithRecorder(ctx context.Context) (context.Context, *Recorder) {
	r := &Recorder{}
	return context.WithValue(ctx, recorderKey{}, r), r
}

// begin opens a call; nil when the tape is full.
func (r *Recorder) begin(call llm.Call) *TapedCall {
	asked, err := json.Marshal(call.Messages)
	if err != nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.calls) == mostTaped {
		return nil
	}
	taped := &TapedCall{Purpose: call.Purpose, Model: call.Model, Asked: evidence.Digest(asked)}
	r.calls = append(r.calls, taped)
	return taped
}

func (r *Recorder) hear(c *TapedCall, d llm.Delta, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		c.Failed = fault.CodeOf(err)
		return
	}
	if d.Retract {
		r.bytes -= len(c.Said)
		c.Said = ""
	}
	if r.bytes += len(d.Text); r.bytes <= longestTape {
		c.Said += d.Text
	}
	if d.Call != nil {
		c.Tools = append(c.Tools, *d.Call)
	}
	if d.Finish != "" {
		c.Finish = d.Finish
	}
}

// Said are the calls so far.
func (r *Recorder) Said() []TapedCall {
	r.mu.Lock()
	defer r.mu.Unlock()
	calls := make([]TapedCall, len(r.calls))
	for i, c := range r.calls {
		calls[i] = *c
	}
	return calls
}

// Recorded are models that are taken down, in contexts that have a recorder.
type Recorded struct{ llm.ModelSource }

// Resolve finds a model and puts the recorder before it.
func (m Recorded) Resolve(ctx context.Context, want string) (llm.ResolvedModel, error) {
	r, err := m.ModelSource.Resolve(ctx, want)
	if r.Model != nil {
		r.Model = tapedModel{r.Model}
	}
	return r, err
}

type tapedModel struct{ next llm.Model }

// Stream passes the reply on as it comes.
func (m tapedModel) Stream(ctx context.Context, call llm.Call) iter.Seq2[llm.Delta, error] {
	r, _ := ctx.Value(recorderKey{}).(*Recorder)
	if r == nil {
		return m.next.Stream(ctx, call)
	}
	return func(yield func(llm.Delta, error) bool) {
		taped := r.begin(call)
		for d, err := range m.next.Stream(ctx, call) {
			if taped != nil {
				r.hear(taped, d, err)
			}
			if !yield(d, err) {
				return
			}
		}
	}
}
