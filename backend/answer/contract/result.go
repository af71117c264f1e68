package contract

import (
	"math"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/privacy"
)

// Outcome says what kind of answer came out.
type Outcome string

// Outcomes of a finished run.
const (
	Answered   Outcome = "answered"
	Extracted  Outcome = "extracted"
	Computed   Outcome = "computed"
	Chatted    Outcome = "chatted"
	NoEvidence Outcome = "no-evidence"
)

// Grade says whether an answer answers.
type Grade string

// Grades of an answer.
const (
	GradeAnswers Grade = "answers"
	GradeClosest Grade = "closest" // it shows the closest passages; they may not answer
	GradeNone    Grade = "none"    // the sources do not answer
)

// Answer is the result of a finished run, in the form of the API (§6.2): offsets
// count Unicode code points, nothing is left out when empty.
type Answer struct {
	Question      string                `json:"question"`
	Answer        string                `json:"answer"`
	Outcome       Outcome               `json:"outcome"`
	Grade         Grade                 `json:"grade"`
	Confidence    *float64              `json:"confidence"` // that it answers, 0 to 1, calibrated; null where nothing was weighed
	Citations     []Citation            `json:"citations"`
	Sources       []SourceCard          `json:"sources"`
	Report        Report                `json:"report"`
	Disagreements []Disagreement        `json:"disagreements"`
	FollowUps     []string              `json:"follow_ups"`
	Usage         UsagePair             `json:"usage"`
	Timing        Timing                `json:"timing"`
	Ledger        []privacy.LedgerEntry `json:"ledger"`
	Notices       []Notice              `json:"notices"`
	Run           RunID                 `json:"run"`
	Thread        ThreadID              `json:"thread"`
	Cached        bool                  `json:"cached"`
	Research      *Research             `json:"research,omitempty"`  // of deep research, where the report came from
	Compacted     *Compacted            `json:"compacted,omitempty"` // older turns, as the model read them; nil when all were whole
	Diff          *Diff                 `json:"diff,omitempty"`      // of a refreshed answer: what is other than before
	Timestamp     Stamp                 `json:"timestamp"`
	LatencyMs     int64                 `json:"latency_ms"`
}

// Stamp is a time with three digits of a second, as events have theirs: time.Time
// leaves out those that are zero.
type Stamp string

// StampOf writes a time.
func StampOf(t time.Time) Stamp { return Stamp(t.UTC().Format(stampForm)) }

// Time reads it, to zero where it is none.
func (s Stamp) Time() time.Time {
	t, err := time.Parse(time.RFC3339Nano, string(s))
	if err != nil {
		return time.Time{}
	}
	return t
}

const stampForm = "2006-01-02T15:04:05.000Z"

// Sureness is one line about what a quoted answer is worth; empty for others.
func (a Answer) Sureness() string {
	if a.Confidence == nil {
		return ""
	}
	percent := strconv.Itoa(int(math.Round(100**a.Confidence))) + " %"
	switch a.Grade {
	case GradeAnswers:
		return "Quoted word for word; " + percent + " sure that it answers."
	case GradeClosest:
		return "The closest passages, quoted word for word; " + percent + " sure that they answer."
	}
	return "No passage answers this: " + percent + " sure that the closest one does."
}

// CutOff says that the answer is cut off and why; empty for one that is whole.
func (a Answer) CutOff() string {
	if at := slices.IndexFunc(a.Notices, func(n Notice) bool { return n.Code == NoticeCutOff }); at >= 0 {
		return a.Notices[at].Message
	}
	return ""
}

// Range is a half-open range of code points.
type Range struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Quoted is a range with the text it covers.
type Quoted struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text"`
}

// Verdict says how a passage bears on the sentence that cites it.
type Verdict string

// Verdicts of the checker.
const (
	QuotedIn     Verdict = "quoted" // it is a sentence or row of the source itself
	Supported    Verdict = "supported"
	Partly       Verdict = "partly"
	NotFound     Verdict = "not-found"
	Contradicted Verdict = "contradicted"
	Unchecked    Verdict = "unchecked"
)

// Citation ties a claim of the answer to a quote of a passage. Claim offsets are
// of the answer, the others of the passage's text.
type Citation struct {
	Marker    int                `json:"marker"`
	Passage   evidence.PassageID `json:"passage_id"`
	Source    evidence.SourceID  `json:"source_id"`
	Claim     Quoted             `json:"claim"`
	Quote     Quoted             `json:"quote"`
	At        evidence.Locator   `json:"locator"` // where the quote begins; start and end are those of its passage
	Highlight []Range            `json:"highlight"`
	Verdict   Verdict            `json:"verdict"`
	Why       string             `json:"why"` // what is missing or differs; empty when supported
}

// PlacedPassage is a passage of a source card.
type PlacedPassage struct {
	ID evidence.PassageID `json:"id"`
	At evidence.Locator   `json:"locator"`
}

// Scores of a source or passage; a score that does not exist is nil.
type Scores struct {
	Semantic  *float64 `json:"semantic"`
	Keyword   *float64 `json:"keyword"`
	Freshness *float64 `json:"freshness"`
	Authority *float64 `json:"authority"`
	Composite *float64 `json:"composite"`
}

// SourceCard is a numbered source of an answer.
type SourceCard struct {
	N          int               `json:"n"`
	ID         evidence.SourceID `json:"id"`
	Kind       evidence.Kind     `json:"kind"`
	Title      string            `json:"title"`
	URL        string            `json:"url,omitempty"`
	Domain     string            `json:"domain,omitempty"`
	Path       string            `json:"path,omitempty"`
	Locator    evidence.Locator  `json:"locator"`
	Passages   []PlacedPassage   `json:"passages"`
	Image      *string           `json:"image"`
	Published  *string           `json:"published"` // YYYY-MM-DD
	Engine     string            `json:"engine"`
	Snippet    string            `json:"snippet"`
	Coverage   float64           `json:"coverage"`
	Flags      []string          `json:"flags"`
	Scores     Scores            `json:"scores"`
	RankBefore int               `json:"rank_before"`
	RankAfter  int               `json:"rank_after"`
	Reason     string            `json:"reason"`
	AlsoIn     []string          `json:"also_in,omitempty"` // paths of files and addresses of pages that say the same, or almost: copies, which are no sources of their own
}

// Report is the quality report of an answer (CITE-8).
type Report struct {
	HasCitations      bool            `json:"has_citations"`
	CitationCount     int             `json:"citation_count"`
	AllCitationsValid bool            `json:"all_citations_valid"`
	Coverage          float64         `json:"estimated_factual_coverage"`
	Verdicts          map[Verdict]int `json:"verdicts"`
	Unanswered        []string        `json:"unanswered"`
	Warnings          []string        `json:"warnings"`
	Table             string          `json:"table,omitempty"` // encoder when the sentence encoder had a say; else by words alone
}

// Disagreement is a claim on which sources differ.
type Disagreement struct {
	Claim string `json:"claim"`
	Sides []Side `json:"sides"`
}

// Side is what one source says on a disputed claim.
type Side struct {
	Source  evidence.SourceID  `json:"source_id"`
	Value   string             `json:"value"`
	Date    string             `json:"date"`       // of the source, YYYY-MM-DD; empty when unknown
	Passage evidence.PassageID `json:"passage_id"` // that says so
	Quote   string             `json:"quote"`      // its sentence
}

// ModelUsage counts what one role used.
type ModelUsage struct {
	Model      string `json:"model"`
	Prompt     int    `json:"prompt"`
	Completion int    `json:"completion"`
	Total      int    `json:"total"`
	Calls      int    `json:"calls"`
	Estimated  bool   `json:"estimated"`
}

// UsagePair is the usage of both roles.
type UsagePair struct {
	Chat   ModelUsage `json:"chat"`
	System ModelUsage `json:"system"`
}

// Timing of the stages in milliseconds.
type Timing struct {
	Plan      int64 `json:"plan_ms"`
	Gather    int64 `json:"gather_ms"`
	Read      int64 `json:"read_ms"`
	Select    int64 `json:"select_ms"`
	FirstText int64 `json:"first_text_ms"`
	Compose   int64 `json:"compose_ms"`
	Check     int64 `json:"check_ms"`
	Images    int64 `json:"images_ms"`
	Waited    int64 `json:"waited_ms"` // of all of it: while models, engines or pages were awaited
}

// NoticeCutOff is the code of the notice that a model stopped before the end of
// what it wrote.
const NoticeCutOff = "cut-off"

// Notice tells the reader something about how the answer came to be.
type Notice struct {
	Code    string `json:"code"`
	Level   string `json:"level"` // info, warn
	Message string `json:"message"`
	Action  string `json:"action,omitempty"`
}

// Compacted is what the older turns of a thread were shortened to, word for word
// as the model read it.
type Compacted struct {
	Turns   int    `json:"turns"` // how many were shortened
	Summary string `json:"summary"`
}

// RangeIn turns a byte range of text into code points.
func RangeIn(text string, start, end int) Range {
	a := utf8.RuneCountInString(text[:start])
	return Range{Start: a, End: a + utf8.RuneCountInString(text[start:end])}
}

// NoVerdicts counts none of each verdict.
func NoVerdicts() map[Verdict]int {
	return map[Verdict]int{QuotedIn: 0, Supported: 0, Partly: 0, NotFound: 0, Contradicted: 0}
}
