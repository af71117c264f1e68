package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"footnote/backend/evidence"
)

// Kind names an event. The set is closed; clients skip kinds they do not know.
type Kind string

// Event is one numbered fact about a run. Seq is contiguous from 1.
type Event struct {
	Run  RunID     `json:"run"`
	Seq  int       `json:"seq"`
	At   time.Time `json:"at"`
	Kind Kind      `json:"kind"`
	Body Body      `json:"body"`
}

// Body is the payload of one kind of event.
type Body interface{ Kind() Kind }

// Terminal reports whether a kind ends a run.
func (k Kind) Terminal() bool { return k == "finished" || k == "failed" || k == "stopped" }

// The bodies, one a kind, as in the API (§3.1).
type (
	Started struct {
		Thread     ThreadID   `json:"thread"`
		Question   string     `json:"question"`
		Focus      Focus      `json:"focus"`
		Mode       Mode       `json:"mode"`
		SubMode    SubMode    `json:"submode"`
		Scope      Scope      `json:"scope"`
		Web        bool       `json:"web"`
		Offline    bool       `json:"offline"`
		Models     ModelNames `json:"models"`
		PromptHash string     `json:"prompt_hash"`
		Cached     bool       `json:"cached"`
	}
	ModelNames struct {
		Chat      string `json:"chat"`
		System    string `json:"system"`
		Rewrite   string `json:"rewrite"`
		Embedding string `json:"embedding"`
		Rerank    string `json:"rerank"`
	}
	StageChanged struct {
		Stage   Stage  `json:"stage"`
		State   string `json:"state"` // start, progress, end, error
		Label   string `json:"label"`
		Message string `json:"message,omitempty"`
		Detail  string `json:"detail,omitempty"`
		Percent int    `json:"percent,omitempty"`
		In      int    `json:"in,omitempty"`
		Out     int    `json:"out,omitempty"`
		Ms      int64  `json:"ms,omitempty"`
	}
	Planned struct {
		Standalone string   `json:"standalone"`
		Queries    []string `json:"queries"`
		Search     bool     `json:"search"`
		Shelf      bool     `json:"shelf"`
		Reason     string   `json:"reason"`
		By         string   `json:"by"` // model, rules, cache
		Preset     string   `json:"preset"`
		K          int      `json:"k"`
		Weights    Weights  `json:"weights"`
	}
	Scoped struct { // what deep research is going to look into; a second one replaces the first
		Brief      string   `json:"brief"`
		Dimensions []string `json:"dimensions"` // subquestions, in order
		Criteria   []string `json:"criteria"`   // when the evidence suffices
		Notes      string   `json:"notes"`
		ReviewMs   int64    `json:"review_ms"` // how long the run waits for the reader; 0 when it does not
		By         string   `json:"by"`        // model, rules, user
	}
	DimensionBegun struct { // one subquestion of deep research is looked into
		Index     int    `json:"index"` // from 0, within its pass
		Total     int    `json:"total"`
		Dimension string `json:"dimension"`
		Iteration int    `json:"iteration"` // the pass, from 1
	}
	Steered struct { // the reader changed what is looked into
		Dimension string   `json:"dimension"`
		Action    Steering `json:"action"`
		Question  string   `json:"question"` // in its place; empty unless edited
	}
	Outlined struct { // a report of deep research is being written
		Sections []string `json:"sections"` // its headings, in order; one may be left out
	}
	Searching struct {
		Query    string `json:"query"`
		Engine   string `json:"engine"`
		Category string `json:"category,omitempty"`
		Page     int    `json:"page"`

		Dimension string `json:"dimension,omitempty"` // the subquestion of deep research that it is for
	}
	FoundLeads struct {
		Query  string     `json:"query"`
		Engine string     `json:"engine"`
		Count  int        `json:"count"`
		Ms     int64      `json:"ms"`
		Leads  []LeadCard `json:"leads"`
		Error  *Failure   `json:"error,omitempty"`

		Dimension string `json:"dimension,omitempty"`
	}
	LeadCard struct {
		Source    evidence.SourceID `json:"source"`
		Title     string            `json:"title"`
		Address   string            `json:"address"`
		Domain    string            `json:"domain"`
		Snippet   string            `json:"snippet"`
		Published string            `json:"published,omitempty"`
		Score     float64           `json:"engine_score"`
	}
	Reading struct {
		Source    evidence.SourceID `json:"source"`
		Address   string            `json:"address"`
		Dimension string            `json:"dimension,omitempty"`
	}
	ReadDone struct {
		Source   evidence.SourceID `json:"source"`             // the lead's, as in reading
		Document evidence.SourceID `json:"document,omitempty"` // what was read, where its address and text give it another name
		Chars    int               `json:"chars"`
		Ms       int64             `json:"ms"`
		From     string            `json:"from"` // network, cache, file
		Coverage float64           `json:"coverage"`

		Dimension string `json:"dimension,omitempty"`
	}
	Unread struct {
		Source  evidence.SourceID `json:"source"`
		Address string            `json:"address"`
		Code    string            `json:"code"`
		Reason  string            `json:"reason"`

		Dimension string `json:"dimension,omitempty"`
	}
	Compressing struct {
		Dimension string `json:"dimension"`
	}
	Compressed struct { // the subquestion is done: its notes are kept
		Dimension  string `json:"dimension"`
		Sources    int    `json:"sources"`     // that bear on it
		Weak       bool   `json:"weak"`        // too little was found to rely on
		NoteLength int    `json:"note_length"` // characters
		Fallback   bool   `json:"fallback"`    // an excerpt stands for the summary
	}
	Finding struct { // a fact that a source states
		Text      string               `json:"text"`
		Dimension string               `json:"dimension"`
		Passages  []evidence.PassageID `json:"passages"`
	}
	Evaluation struct { // whether the evidence suffices
		Complete bool     `json:"complete"`
		Gaps     []string `json:"gaps"`
		By       string   `json:"by"` // model, rules
	}
	Selected struct {
		Passages []SelectedPassage `json:"passages"`
		Sources  []SourceCard      `json:"sources"`
		Local    int               `json:"local"`
		Web      int               `json:"web"`
		Budget   TokenBudget       `json:"budget"`
	}
	SelectedPassage struct {
		ID         evidence.PassageID `json:"id"`
		Source     evidence.SourceID  `json:"source"`
		N          int                `json:"n"`
		RankBefore int                `json:"rank_before"`
		RankAfter  int                `json:"rank_after"`
		Scores     Scores             `json:"scores"`
	}
	TokenBudget struct {
		Tokens  int `json:"tokens"`
		Window  int `json:"window"`
		LeftOut int `json:"left_out"`
	}
	Thinking struct {
		Delta string `json:"delta"`
	}
	TextDelta struct {
		Delta string `json:"delta"`
		At    int    `json:"at"` // code points: where in the answer it belongs
	}
	Cited struct {
		Marker  int                `json:"marker"`
		Passage evidence.PassageID `json:"passage"`
		Claim   Range              `json:"claim"`
	}
	Dropped struct {
		Marker string `json:"marker"`
		At     int    `json:"at"`
		Reason string `json:"reason"` // no-such-source, malformed, unsupported
	}
	Checked struct {
		Citations []Citation `json:"citations"`
		Report    Report     `json:"report"`
	}
	Counters struct {
		Searches   int `json:"searches"`
		Sources    int `json:"sources"`
		Pages      int `json:"pages"`
		ModelCalls int `json:"model_calls"`
		ToolCalls  int `json:"tool_calls"`
	}
	UsageCounted struct {
		Chat    ModelUsage  `json:"chat"`
		System  ModelUsage  `json:"system"`
		Phase   string      `json:"phase,omitempty"`   // of deep research: Plan, Search, Analyze, Answer
		Tokens  int         `json:"tokens,omitempty"`  // of that phase so far, both roles
		Percent int         `json:"percent,omitempty"` // of all tokens so far, those of that phase
		Ms      int64       `json:"ms,omitempty"`      // of deep research: how long the call took that is counted here
		Context WindowGauge `json:"context"`
	}
	WindowGauge struct {
		Used   int `json:"used"`
		Window int `json:"window"`
	}
	Noticed  Notice
	ToolPart struct { // a tool that a model called
		Call   string          `json:"call"`
		Name   string          `json:"name"`
		Input  json.RawMessage `json:"input"` // an object, as far as it could be read
		State  ToolState       `json:"state"`
		Output string          `json:"output,omitempty"` // one line for people
		Ms     int64           `json:"ms,omitempty"`
	}
	ClarifyAsked struct { // the run asks back and waits
		Question string   `json:"question"`
		Options  []string `json:"options"`
		WaitMs   int64    `json:"wait_ms"`
	}
	Clarified struct {
		Reply string `json:"reply"`
		By    string `json:"by"` // user, timeout, answer-now
	}
	Answering struct {
		By string `json:"by"` // user, budget, steps
	}
	Picture struct { // a source has a preview now
		Source evidence.SourceID `json:"source"`
		Image  string            `json:"image"` // path it is served under
	}
	FollowUps struct {
		Questions []string `json:"questions"`
	}
	FinishedRun struct {
		Outcome Outcome `json:"outcome"`
		Answer  Answer  `json:"answer"`
	}
	FailedRun struct {
		Failure
		Stage   Stage  `json:"stage"`
		Partial string `json:"partial"`
	}
	StoppedRun struct {
		By      string `json:"by"`
		Stage   Stage  `json:"stage"`
		Partial string `json:"partial"`
	}
)

func (Started) Kind() Kind        { return "started" }
func (StageChanged) Kind() Kind   { return "stage" }
func (Planned) Kind() Kind        { return "planned" }
func (Scoped) Kind() Kind         { return "scoped" }
func (DimensionBegun) Kind() Kind { return "dimension" }
func (Steered) Kind() Kind        { return "steered" }
func (Outlined) Kind() Kind       { return "outlined" }
func (Searching) Kind() Kind      { return "searching" }
func (FoundLeads) Kind() Kind     { return "found" }
func (Reading) Kind() Kind        { return "reading" }
func (ReadDone) Kind() Kind       { return "read" }
func (Unread) Kind() Kind         { return "unread" }
func (Compressing) Kind() Kind    { return "compressing" }
func (Compressed) Kind() Kind     { return "compressed" }
func (Finding) Kind() Kind        { return "finding" }
func (Evaluation) Kind() Kind     { return "evaluation" }
func (Selected) Kind() Kind       { return "selected" }
func (Thinking) Kind() Kind       { return "thinking" }
func (TextDelta) Kind() Kind      { return "text" }
func (Cited) Kind() Kind          { return "cited" }
func (Dropped) Kind() Kind        { return "dropped" }
func (Checked) Kind() Kind        { return "checked" }
func (Counters) Kind() Kind       { return "counters" }
func (UsageCounted) Kind() Kind   { return "usage" }
func (Noticed) Kind() Kind        { return "notice" }
func (ToolPart) Kind() Kind       { return "tool" }
func (ClarifyAsked) Kind() Kind   { return "clarify" }
func (Clarified) Kind() Kind      { return "clarified" }
func (Answering) Kind() Kind      { return "answering" }
func (Picture) Kind() Kind        { return "image" }
func (FollowUps) Kind() Kind      { return "follow_ups" }
func (FinishedRun) Kind() Kind    { return "finished" }
func (FailedRun) Kind() Kind      { return "failed" }
func (StoppedRun) Kind() Kind     { return "stopped" }

// Other is a body of a kind this version does not know, kept as it came.
type Other struct {
	kind Kind
	Raw  json.RawMessage
}

// Kind is the unknown kind's name.
func (o Other) Kind() Kind { return o.kind }

// MarshalJSON gives the body back as it came.
func (o Other) MarshalJSON() ([]byte, error) { return o.Raw, nil }

var (
	decoders = map[Kind]func(json.RawMessage) (Body, error){}
	bodies   []Body // an empty one of each kind
)

// Bodies gives an empty body of each kind of event.
func Bodies() []Body { return slices.Clone(bodies) }

func known[B Body](zero B) { // fills the tables above; called from the initialiser below only
	bodies = append(bodies, zero)
	decoders[zero.Kind()] = func(raw json.RawMessage) (Body, error) {
		var b B
		err := json.Unmarshal(raw, &b)
		return b, err
	}
}

var _ = func() bool {
	known(Started{})
	known(StageChanged{})
	known(Planned{})
	known(Scoped{})
	known(DimensionBegun{})
	known(Steered{})
	known(Outlined{})
	known(Searching{})
	known(FoundLeads{})
	known(Reading{})
	known(ReadDone{})
	known(Unread{})
	known(Compressing{})
	known(Compressed{})
	known(Finding{})
	known(Evaluation{})
	known(Selected{})
	known(Thinking{})
	known(TextDelta{})
	known(Cited{})
	known(Dropped{})
	known(Checked{})
	known(Counters{})
	known(UsageCounted{})
	known(Noticed{})
	known(ToolPart{})
	known(ClarifyAsked{})
	known(Clarified{})
	known(Answering{})
	known(FollowUps{})
	known(Picture{})
	known(FinishedRun{})
	known(FailedRun{})
	known(StoppedRun{})
	return true
}()

// DecodeBody reads a body of the given kind. An unknown kind gives Other.
func DecodeBody(kind Kind, raw json.RawMessage) (Body, error) {
	decode, ok := decoders[kind]
	if !ok {
		return Other{kind, raw}, nil
	}
	body, err := decode(raw)
	if err != nil {
		return nil, fmt.Errorf("decode body of %s event: %w", kind, err)
	}
	return body, nil
}

// UnmarshalJSON reads an event envelope.
func (e *Event) UnmarshalJSON(data []byte) error {
	var env struct {
		Run  RunID           `json:"run"`
		Seq  int             `json:"seq"`
		At   time.Time       `json:"at"`
		Kind Kind            `json:"kind"`
		Body json.RawMessage `json:"body"`
	}
	if err := json.Unmarshal(data, &env); err != nil {
		return err
	}
	body, err := DecodeBody(env.Kind, env.Body)
	if err != nil {
		return err
	}
	*e = Event{env.Run, env.Seq, env.At, env.Kind, body}
	return nil
}

// MarshalJSON writes the envelope with times in milliseconds, as the API does.
func (e Event) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Run  RunID  `json:"run"`
		Seq  int    `json:"seq"`
		At   string `json:"at"`
		Kind Kind   `json:"kind"`
		Body Body   `json:"body"`
	}{e.Run, e.Seq, e.At.UTC().Format(stampForm), e.Kind, e.Body})
}
