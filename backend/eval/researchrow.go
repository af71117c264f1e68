package eval

import (
	"fmt"
	"time"

	"footnote/backend/answer/contract"
)

// ResearchRow is the result of one file of questions put to deep research. Shares
// are 0 when there is nothing to count.
type ResearchRow struct {
	Set       string  `json:"set"`
	Questions int     `json:"questions"`
	Failed    int     `json:"failed"`    // runs that gave no report
	InBudget  int     `json:"in_budget"` // ended within minutes and turns
	Early     int     `json:"early"`     // of them, sent to their report by a limit
	Whole     int     `json:"whole"`     // reports with all sections
	Quotes    int     `json:"quotes"`    // of reports and of what was collected for them
	Departed  int     `json:"quotes_departed"`
	Citations int     `json:"citations"`
	Supported float64 `json:"supported"` // of citations, by the product's own checker
	Invented  int     `json:"invented"`  // markers and citations without a source that can be opened
	goldFound
	RatioP50      float64 `json:"wall_to_sequential_p50"`
	RatioMax      float64 `json:"wall_to_sequential_max"`
	WallMsP50     float64 `json:"wall_ms_p50"`
	WallMsMax     float64 `json:"wall_ms_max"`
	WordsP50      float64 `json:"words_p50"`
	WordsInBounds int     `json:"words_in_bounds"`
	ModelCalls    float64 `json:"model_calls"`
}

// String is one line for people.
func (r ResearchRow) String() string {
	s := fmt.Sprintf("%-12s %d questions  failed %d  in budget %d (early %d)  all sections %d  quotes verbatim %d of %d  invented %d of %d, supported %.3f",
		r.Set, r.Questions, r.Failed, r.InBudget, r.Early, r.Whole, r.Quotes-r.Departed, r.Quotes, r.Invented, r.Citations, r.Supported)
	if r.WithGold > 0 {
		s += fmt.Sprintf("  gold among sources %.3f, all %.3f of %d", r.GoldInSources, r.AllGold, r.WithGold)
	}
	return s + fmt.Sprintf("  wall / sequential p50 %.2f max %.2f  wall p50 %.1f s max %.1f s  words p50 %.0f, %d within bounds  %.1f model calls",
		r.RatioP50, r.RatioMax, r.WallMsP50/1000, r.WallMsMax/1000, r.WordsP50, r.WordsInBounds, r.ModelCalls)
}

// researched is what became of one question.
type researched struct {
	ID        string           `json:"id"`
	Question  string           `json:"question"`
	Outcome   contract.Outcome `json:"outcome"`
	Early     string           `json:"early"`    // the limit that ended the search
	Missing   []string         `json:"missing"`  // sections
	Wanted    []string         `json:"wanted"`   // gold pages
	Sources   []string         `json:"sources"`  // addresses
	Departed  []string         `json:"departed"` // quotes that do not stand where they say
	Invented  []string         `json:"invented"` // markers and citations without a source that can be opened
	InBudget  bool             `json:"in_budget"`
	Gold      bool             `json:"gold"`
	AllGold   bool             `json:"all_gold"`
	Words     int              `json:"words"`
	Calls     int              `json:"calls"`
	Citations int              `json:"citations"`
	Supported int              `json:"supported"`
	Quotes    int              `json:"quotes"`
	researchTimes
	Report string `json:"report"`
	Error  string `json:"error,omitempty"`
}

// researchTimes are how long it took, and its parts one after the other.
type researchTimes struct {
	WallMs       int64 `json:"wall_ms"`
	SequentialMs int64 `json:"sequential_ms"`
}

func researchRow(set string, results []researched, opt ResearchOptions) ResearchRow {
	r := ResearchRow{Set: set, Questions: len(results)}
	var walls, ratios, words []time.Duration // in thousandths, where they are no times
	supported, calls := 0, 0
	for _, q := range results {
		if len(q.Wanted) > 0 {
			r.WithGold++
			r.GoldInSources += one(q.Gold)
			r.AllGold += one(q.AllGold)
		}
		if q.Error != "" {
			r.Failed++
			continue
		}
		r.InBudget += int(one(q.InBudget))
		r.Early += int(one(q.Early != ""))
		r.Whole += int(one(len(q.Missing) == 0))
		r.WordsInBounds += int(one(q.Words >= opt.WordsMin && q.Words <= opt.WordsMax))
		r.Quotes, r.Departed = r.Quotes+q.Quotes, r.Departed+len(q.Departed)
		r.Citations, r.Invented = r.Citations+q.Citations, r.Invented+len(q.Invented)
		supported, calls = supported+q.Supported, calls+q.Calls
		walls = append(walls, time.Duration(q.WallMs)*time.Millisecond)
		words = append(words, time.Duration(q.Words)*time.Millisecond)
		ratios = append(ratios, time.Duration(1000*float64(q.WallMs)/float64(max(1, q.SequentialMs)))*time.Millisecond)
	}
	r.GoldInSources /= float64(max(1, r.WithGold))
	r.AllGold /= float64(max(1, r.WithGold))
	r.Supported = float64(supported) / float64(max(1, r.Citations))
	r.ModelCalls = float64(calls) / float64(max(1, len(walls)))
	r.WallMsP50, r.WallMsMax, r.WordsP50 = percentile(walls, 0.5), percentile(walls, 1), percentile(words, 0.5)
	r.RatioP50, r.RatioMax = percentile(ratios, 0.5)/1000, percentile(ratios, 1)/1000
	return r
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
