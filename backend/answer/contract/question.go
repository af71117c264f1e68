package contract

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/privacy"
	"footnote/backend/rank"
)

// ThreadID names a conversation, RunID one question being answered in it.
type (
	ThreadID string
	RunID    string
)

// Focus says where evidence may come from.
type Focus string

// The eight focuses.
const (
	FocusWeb       Focus = "web"
	FocusLocal     Focus = "local"
	FocusAll       Focus = "all"
	FocusAcademic  Focus = "academic"
	FocusVideo     Focus = "video"
	FocusCommunity Focus = "community"
	FocusCompute   Focus = "compute"
	FocusWriting   Focus = "writing"
)

var focuses = []Focus{FocusWeb, FocusLocal, FocusAll, FocusAcademic, FocusVideo, FocusCommunity, FocusCompute, FocusWriting}

// ParseFocus reads a focus; "chat" is an alias of writing. The error is a
// fault.InvalidFocus.
func ParseFocus(s string) (Focus, error) {
	if s == "chat" {
		return FocusWriting, nil
	}
	if f := Focus(s); slices.Contains(focuses, f) {
		return f, nil
	}
	return "", fault.New(fault.InvalidFocus, "Invalid focus mode", "Use one of web, local, all, academic, video, community, compute, writing.")
}

// needsNetwork tells the focuses that have nothing to search without it.
func (f Focus) needsNetwork() bool {
	return f == FocusWeb || f == FocusAcademic || f == FocusVideo || f == FocusCommunity
}

// Reachable is the fault local-only for a focus that needs the network where
// there is to be none, else nil.
func (f Focus) Reachable(local bool) error {
	if !local || !f.needsNetwork() {
		return nil
	}
	return fault.New(fault.LocalOnly, "The focus "+string(f)+" needs the network, and Footnote works locally only.", "Let it use the network, or choose another focus.")
}

// Mode says how much work a question gets.
type Mode string

// The four modes.
const (
	ModeSpeed    Mode = "speed"
	ModeBalanced Mode = "balanced"
	ModeAgent    Mode = "agent"
	ModeDeep     Mode = "deep"
)

// ParseMode reads a mode. The error is a fault.InvalidMode.
func ParseMode(s string) (Mode, error) {
	if m := Mode(s); slices.Contains([]Mode{ModeSpeed, ModeBalanced, ModeAgent, ModeDeep}, m) {
		return m, nil
	}
	return "", fault.New(fault.InvalidMode, "Invalid mode", "Use one of speed, balanced, agent, deep.")
}

// SubMode says what kind of report deep research writes. It means nothing in the
// other modes.
type SubMode string

// The two kinds of report. Empty means DeepResearch.
const (
	DeepResearch SubMode = "deep-research"
	DueDiligence SubMode = "due-diligence"
)

// ParseSubMode reads a kind of report; empty is DeepResearch. The error is a
// fault.InvalidMode.
func ParseSubMode(s string) (SubMode, error) {
	switch m := SubMode(s); m {
	case "":
		return DeepResearch, nil
	case DeepResearch, DueDiligence:
		return m, nil
	}
	return "", fault.New(fault.InvalidMode, "Invalid kind of research", "Use one of deep-research, due-diligence.")
}

// Scope restricts the local side.
type Scope = evidence.Scope

// Models names the models of one question; empty means the setting, "none" no
// model at all, else provider/model.
type Models struct {
	Chat   string `json:"chat"`
	System string `json:"system"`
}

// Weights of the four scores; they sum to 1.
type Weights = rank.Weights

// Question is what a reader asks, with everything that belongs to the message.
// Its JSON form is the body of POST /api/runs.
type Question struct {
	Text         string   `json:"question"`
	Thread       ThreadID `json:"thread,omitempty"`
	Context      string   `json:"context,omitempty"` // longer pasted text
	Focus        Focus    `json:"focus"`
	Mode         Mode     `json:"mode"`
	SubMode      SubMode  `json:"submode,omitempty"`
	Web          bool     `json:"web"`
	Offline      bool     `json:"offline"`
	Scope        Scope    `json:"scope"`
	Preset       string   `json:"preset"`
	Weights      *Weights `json:"weights,omitempty"`
	K            int      `json:"k,omitempty"` // passages given to the model; 0 = the preset's
	Models       Models   `json:"models"`
	Instructions string   `json:"instructions,omitempty"`
	Personas     []string `json:"personas,omitempty"`
	Engines      []string `json:"engines,omitempty"`
	Language     string   `json:"language"`
	Cache        bool     `json:"cache"`
	Private      bool     `json:"private"`
	Replaces     RunID    `json:"replaces,omitempty"`
	Refreshes    RunID    `json:"refreshes,omitempty"`  // an answer of the thread that this one is compared with
	Unattended   bool     `json:"unattended,omitempty"` // nobody is there to reply: nothing is asked back
	Aside        bool     `json:"aside,omitempty"`      // no turn of its thread, unless it finds changes; set by the engine

	Since   string   `json:"since,omitempty"`   // of the web, nothing older than a day, week, month or year
	Domains []string `json:"domains,omitempty"` // of the web, only these; with a dash before it, all but this
	Beside  []Focus  `json:"beside,omitempty"`  // whose engines are asked as well
	Earlier []Said   `json:"earlier,omitempty"` // of a conversation that is kept elsewhere, oldest first

	Untold string `json:"untold,omitempty"` // words of the text that another program took from files: they do not leave

	persona string // text of the personas, once the engine took the question
}

// Check trims the text and refuses what cannot be asked. maxText and maxContext
// are the limits in characters.
func (q *Question) Check(maxText, maxContext int) error {
	q.Text = strings.TrimSpace(strings.ToValidUTF8(q.Text, "\uFFFD"))
	q.Context = strings.ToValidUTF8(q.Context, "\uFFFD")
	n := utf8.RuneCountInString(q.Text)
	if n == 0 {
		return fault.New(fault.QuestionEmpty, "The question is empty.", "Type a question.")
	}
	if n > maxText {
		return fault.New(fault.QuestionTooLong, fmt.Sprintf("The question has %d characters; %d are allowed.", n, maxText),
			`Put long text into "context".`)
	}
	if n := utf8.RuneCountInString(q.Context); n > maxContext {
		return fault.New(fault.TooLarge, fmt.Sprintf("The attached text has %d characters; %d are allowed.", n, maxContext),
			"Save it as a file and add the file instead.")
	}
	if _, err := ParseFocus(string(q.Focus)); err != nil {
		return err
	}
	if _, err := ParseMode(string(q.Mode)); err != nil {
		return err
	}
	if err := q.checkResearch(); err != nil {
		return err
	}
	return q.checkBounds()
}

const shortestResearch = 2 // characters of a question

// checkResearch holds a question for deep research to what that needs.
func (q *Question) checkResearch() (err error) {
	if q.Mode != ModeDeep {
		return nil
	}
	if utf8.RuneCountInString(q.Text) < shortestResearch {
		return fault.New(fault.InvalidRequest, "The question is too short to be researched.", "Write what you want to know.")
	}
	q.SubMode, err = ParseSubMode(string(q.SubMode))
	return err
}

// TakeCommand reads a command for research at the beginning of a question: it
// starts a new research, whatever the mode was.
func (q *Question) TakeCommand() {
	command, rest, _ := strings.Cut(strings.Join(strings.Fields(q.Text), " "), " ")
	for _, kind := range []SubMode{DeepResearch, DueDiligence} {
		if command == "/"+string(kind) {
			q.Text, q.Mode, q.SubMode = rest, ModeDeep, kind
		}
	}
}

// Status of a run.
type Status string

// A run is running until exactly one of the others holds.
const (
	Running  Status = "running"
	Finished Status = "finished"
	Failed   Status = "failed"
	Stopped  Status = "stopped"
)

// Run is one question and what became of it.
type Run struct {
	ID       RunID      `json:"id"`
	Thread   ThreadID   `json:"thread"`
	Question Question   `json:"question"`
	Status   Status     `json:"status"`
	Started  time.Time  `json:"started"`
	Ended    *time.Time `json:"ended,omitempty"`
	Answer   *Answer    `json:"answer,omitempty"`  // of a finished run
	Partial  string     `json:"partial,omitempty"` // text of a failed or stopped one
	Failure  *Failure   `json:"failure,omitempty"`

	Ledger []privacy.LedgerEntry `json:"ledger,omitempty"` // of a failed or stopped run; a finished one's is in its answer
}

// Failure is how a run failed, for people.
type Failure struct {
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
	Hint    string     `json:"hint"`
}

// Turn is one earlier question of a thread with its answer.
type Turn struct {
	Question string
	Answer   string
	Cited    []evidence.Found // what the answer cited, as far as it is kept
	Untold   string           // words of the question that another program took from files
	Proposed []string         // questions that a model proposed to ask next
	Files    bool             // text of files lay before whoever wrote the answer, or it is not known whether it did
}

// FilesRead are the paths of the files that a run's answer rests on or was
// restricted to.
func (r Run) FilesRead() []string {
	paths := slices.Clone(r.Question.Scope.Files)
	if r.Answer == nil {
		return paths
	}
	for _, s := range r.Answer.Sources {
		if s.Kind == evidence.File && !slices.Contains(paths, s.Path) {
			paths = append(paths, s.Path)
		}
	}
	return paths
}

// UsedFiles reports whether text of files lay before whoever wrote the answer; of a
// run that was cut off it is taken for granted where files could be searched.
func (r Run) UsedFiles() bool {
	if r.Answer == nil {
		return r.Question.Focus == FocusLocal || r.Question.Focus == FocusAll
	}
	return slices.ContainsFunc(r.Answer.Sources, func(c SourceCard) bool { return c.Kind == evidence.File })
}

// EndedBy is a run as its last event tells it.
func (r Run) EndedBy(last Event) Run {
	r.Status, r.Ended = Stopped, &last.At
	switch body := last.Body.(type) {
	case FinishedRun:
		r.Status, r.Answer = Finished, &body.Answer
	case FailedRun:
		r.Status, r.Failure, r.Partial = Failed, &body.Failure, body.Partial
	case StoppedRun:
		r.Partial = body.Partial
	}
	return r
}

// SpeakAs gives a question the text of its personas.
func (q *Question) SpeakAs(persona string) { q.persona = persona }

// Persona is the text of the personas.
func (q Question) Persona() string { return q.persona }

// AllInstructions is what a reader asks of the answer's manner: the personas' texts and
// their own.
func (q Question) AllInstructions() string {
	return strings.TrimSpace(strings.TrimSpace(q.persona) + "\n" + strings.TrimSpace(q.Instructions))
}
