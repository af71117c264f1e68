package eval

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/eval/keys"
)

// AskRow is the result of one file of questions. Shares are 0 when there is
// nothing to count. Overhead is latency without the time in which models,
// engines and pages were awaited.
type AskRow struct {
	Set       string `json:"set"`
	Questions int    `json:"questions"`
	citedFiles
	goldFound
	keys.Counts
	askTimes
	FiguresGiven float64 `json:"figures_in_passages"` // of the figures of the wanted answers: in the passages given, mean per question
	FiguresTold  float64 `json:"figures_in_answer"`   // and in the answer
	Verbatim     float64 `json:"quotes_verbatim"`     // of citations
	WithCitation float64 `json:"with_citation"`
	NoEvidence   float64 `json:"no_evidence"`
	GoldCited    float64 `json:"gold_cited"`
	Supported    float64 `json:"supported"` // of citations, by the product's own checker
	ModelCalls   float64 `json:"model_calls"`
	Citations    int     `json:"citations"`
	SeveralGold  int     `json:"several_gold"` // questions with several gold pages
	WithFigures  int     `json:"with_figures"`
	Failed       int     `json:"failed"` // runs that gave no answer
}

// citedFiles are of questions whose right files are known.
type citedFiles struct {
	CitedRight   float64 `json:"cited_right_file"`       // of questions with one right file: it is cited
	CitedFirst   float64 `json:"cited_right_file_first"` // and by the first citation
	CitedAny     float64 `json:"cited_any_file"`         // of questions with several right files: one is cited
	CitedShare   float64 `json:"cited_files_share"`      // of those files, the share that is cited
	OneFile      int     `json:"one_file"`               // questions with one right file
	SeveralFiles int     `json:"several_files"`          // with several
}

// goldFound is of questions whose right pages are known.
type goldFound struct {
	GoldInSources float64 `json:"gold_in_sources"`     // of questions with gold pages: one is among the sources
	AllGold       float64 `json:"all_gold_in_sources"` // of questions with several gold pages: all are among the sources
	WithGold      int     `json:"with_gold"`
}

// askTimes are how long answers took.
type askTimes struct {
	LatencyMsP50   float64 `json:"latency_ms_p50"`
	FirstTextMsP50 float64 `json:"first_text_ms_p50"`
	OverheadMsP50  float64 `json:"overhead_ms_p50"`
	OverheadMsP95  float64 `json:"overhead_ms_p95"`
}

// String is one line for people.
func (r AskRow) String() string {
	s := fmt.Sprintf("%-12s %d questions", r.Set, r.Questions)
	if r.OneFile > 0 {
		s += fmt.Sprintf("  right file cited %.3f (first %.3f) of %d", r.CitedRight, r.CitedFirst, r.OneFile)
	}
	if r.SeveralFiles > 0 {
		s += fmt.Sprintf("  one of several %.3f, share %.3f of %d", r.CitedAny, r.CitedShare, r.SeveralFiles)
	}
	if r.WithGold > 0 {
		s += fmt.Sprintf("  gold among sources %.3f, cited %.3f of %d", r.GoldInSources, r.GoldCited, r.WithGold)
	}
	if r.SeveralGold > 0 {
		s += fmt.Sprintf("  all gold among sources %.3f of %d", r.AllGold, r.SeveralGold)
	}
	if r.Answerable+r.Absent > 0 {
		s += fmt.Sprintf("  of %d answerable claimed right %d, wrong %d, close right %d, among %d; of %d absent claimed %d", r.Answerable, r.ClaimedRight, r.ClaimedWrong, r.CloseRight, r.CloseAmong, r.Absent, r.Invented)
	}
	if r.WithFigures > 0 {
		s += fmt.Sprintf("  figures in passages %.3f, in answer %.3f of %d", r.FiguresGiven, r.FiguresTold, r.WithFigures)
	}
	return s + fmt.Sprintf("  quotes verbatim %.3f of %d, supported %.3f  with citation %.3f  no evidence %.3f  failed %d  %.2f model calls  latency p50 %.0f ms, own p50 %.0f p95 %.0f ms",
		r.Verbatim, r.Citations, r.Supported, r.WithCitation, r.NoEvidence, r.Failed, r.ModelCalls, r.LatencyMsP50, r.OverheadMsP50, r.OverheadMsP95)
}

// asked is what became of one question.
type asked struct {
	ID         string           `json:"id"`
	Question   string           `json:"question"`
	Wanted     []string         `json:"wanted"`
	Cited      []string         `json:"cited"` // names of cited files or addresses, in order of citation
	Sources    []string         `json:"sources"`
	Outcome    contract.Outcome `json:"outcome"`
	Grade      contract.Grade   `json:"grade"`
	Confidence *float64         `json:"confidence"`
	Right      bool             `json:"right"`
	Gold       bool             `json:"gold"`
	Calls      int              `json:"calls"`
	Citations  int              `json:"citations"`
	Verbatim   int              `json:"verbatim"`
	Supported  int              `json:"supported"`
	keyed
	asking
	figuresMet
	unprinted
	Answer string `json:"answer"`
	Error  string `json:"error,omitempty"`
}

// keyed is what its key says of an answer.
type keyed struct {
	Kind   string         `json:"kind,omitempty"`
	Judged keys.Judgement `json:"judged,omitempty"`
}

// asking is how long one question took.
type asking struct {
	LatencyMs int64 `json:"latency_ms"`
	WaitedMs  int64 `json:"waited_ms"`
	FirstMs   int64 `json:"first_text_ms"`
}

// figuresMet counts the figures of the wanted answer.
type figuresMet struct {
	Figures int `json:"figures"` // of the wanted answer
	Given   int `json:"given"`   // of them in the passages
	Told    int `json:"told"`    // and in the answer
}

// unprinted is what a row counts and no list shows.
type unprinted struct {
	trace      *quote.Trace
	allGold    bool
	goldCited  bool
	first      bool
	share      float64 // of the wanted files that is cited
	sourceDocs int
	gold       int
}

// MarshalJSON of what became of a question leaves no list out.
func (r asked) MarshalJSON() ([]byte, error) {
	type plain asked
	p := plain(r)
	for _, list := range []*[]string{&p.Wanted, &p.Cited, &p.Sources} {
		if *list == nil {
			*list = []string{}
		}
	}
	return json.Marshal(p)
}

func askRow(set string, results []asked) AskRow {
	r := AskRow{Set: set, Questions: len(results)}
	var latency, first, own []time.Duration
	verbatim, supported := 0, 0
	count := func(yes bool, sum *float64) {
		if yes {
			*sum++
		}
	}
	for _, q := range results {
		if q.Error != "" {
			r.Failed++
		} else {
			latency = append(latency, time.Duration(q.LatencyMs)*time.Millisecond)
			first = append(first, time.Duration(q.FirstMs)*time.Millisecond)
			own = append(own, time.Duration(max(0, q.LatencyMs-q.WaitedMs))*time.Millisecond)
		}
		switch {
		case q.sourceDocs == 1:
			r.OneFile++
			count(q.Right, &r.CitedRight)
			count(q.first, &r.CitedFirst)
		case q.sourceDocs > 1:
			r.SeveralFiles++
			count(q.Right, &r.CitedAny)
			r.CitedShare += q.share
		}
		if q.gold > 0 {
			r.WithGold++
			count(q.Gold, &r.GoldInSources)
			count(q.goldCited, &r.GoldCited)
		}
		if q.gold > 1 {
			r.SeveralGold++
			count(q.allGold, &r.AllGold)
		}
		if q.Figures > 0 {
			r.WithFigures++
			r.FiguresGiven += float64(q.Given) / float64(q.Figures)
			r.FiguresTold += float64(q.Told) / float64(q.Figures)
		}
		r.Counts.Count(q.Judged)
		count(q.Citations > 0, &r.WithCitation)
		count(q.Outcome == contract.NoEvidence, &r.NoEvidence)
		r.Citations += q.Citations
		r.ModelCalls += float64(q.Calls)
		verbatim += q.Verbatim
		supported += q.Supported
	}
	r.divide()
	r.Verbatim = float64(verbatim) / float64(max(1, r.Citations))
	r.Supported = float64(supported) / float64(max(1, r.Citations))
	r.LatencyMsP50, r.FirstTextMsP50 = percentile(latency, 0.5), percentile(first, 0.5)
	r.OverheadMsP50, r.OverheadMsP95 = percentile(own, 0.5), percentile(own, 0.95)
	return r
}

// divide turns sums into shares and means.
func (r *AskRow) divide() {
	per := func(sum *float64, n int) { *sum /= float64(max(1, n)) }
	per(&r.CitedRight, r.OneFile)
	per(&r.CitedFirst, r.OneFile)
	per(&r.CitedAny, r.SeveralFiles)
	per(&r.CitedShare, r.SeveralFiles)
	per(&r.GoldInSources, r.WithGold)
	per(&r.GoldCited, r.WithGold)
	per(&r.AllGold, r.SeveralGold)
	per(&r.FiguresGiven, r.WithFigures)
	per(&r.FiguresTold, r.WithFigures)
	per(&r.WithCitation, r.Questions)
	per(&r.NoEvidence, r.Questions)
	per(&r.ModelCalls, r.Questions)
}

// figure is a number that measures something: one with a sign of money or of
// percent, a fraction or thousands. Years, days and counts by hand are none.
var figure = regexp.MustCompile(`[$€£¥] ?\d[\d,]*(?:\.\d+)?|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d+|\d+ ?%`)

func figuresOf(text string) []string {
	var out []string
	for _, f := range figure.FindAllString(text, -1) {
		if f = strings.Trim(strings.ReplaceAll(f, ",", ""), "$€£¥% "); !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// figures counts the figures of the wanted answer in the passages given and in
// the answer.
func (r *asked) figures(wanted, said, given string) {
	in := func(text string) []string { return number.FindAllString(strings.ReplaceAll(text, ",", ""), -1) }
	told, passages := in(said), in(given)
	for _, f := range figuresOf(wanted) {
		r.Figures++
		if slices.Contains(told, f) {
			r.Told++
		}
		if slices.Contains(passages, f) {
			r.Given++
		}
	}
}

var number = regexp.MustCompile(`\d+(?:\.\d+)?`)
