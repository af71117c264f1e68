package eval

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"footnote/backend/answer/contract"
)

// AnsweringRow is the result of one set. Shares are of the questions there, gone
// or written to tempt, and 0 when there are none.
type AnsweringRow struct {
	Set   string `json:"set"`
	There int    `json:"there"`
	Gone  int    `json:"gone"`
	Tempt int    `json:"tempt"`

	Given        float64 `json:"given"`         // of those there: the passages that were read hold what answers
	FirstRight   float64 `json:"first_right"`   // of those there: the first statement is right, whatever the grade
	ThreeRight   float64 `json:"three_right"`   // one of the first three is
	ClaimedRight float64 `json:"claimed_right"` // and it is given as the answer
	ClaimedWrong float64 `json:"claimed_wrong"` // a wrong statement is given as the answer
	Closest      float64 `json:"closest"`       // passages are shown as close
	Refused      float64 `json:"refused"`       // nothing is
	GoneClaimed  float64 `json:"gone_claimed"`  // an answer is claimed that cannot be there
	TemptClaimed float64 `json:"tempt_claimed"` // or is not
	confidences
	LatencyMsP50 float64 `json:"latency_ms_p50"`
	LatencyMsP95 float64 `json:"latency_ms_p95"`
	Failed       int     `json:"failed"`
}

// confidences measure how far the confidence of answers is to be trusted.
type confidences struct {
	Rated      int     `json:"rated"`       // answers with a confidence
	AUROCRight float64 `json:"auroc_right"` // of the confidence: right answers above all others
	AUROCGone  float64 `json:"auroc_gone"`  // questions there above those gone
	AUROCTempt float64 `json:"auroc_tempt"` // and above those that tempt
	ECE        float64 `json:"ece"`         // expected calibration error, ten bins
	Gone5      float64 `json:"gone_at_5"`   // of those gone: as sure as all but 5 % of those there
	Gone20     float64 `json:"gone_at_20"`  // all but 20 %
	Tempt10    float64 `json:"tempt_at_10"` // of those that tempt
	Tempt20    float64 `json:"tempt_at_20"`
	Risk80     float64 `json:"risk_at_80"` // wrong among the surest 80 % of those there
	Risk95     float64 `json:"risk_at_95"`
}

// String is one line for people.
func (r AnsweringRow) String() string {
	s := fmt.Sprintf("%-24s there %d: given %.2f, first right %.2f (of three %.2f), claimed right %.2f, claimed wrong %.2f, closest %.2f, refused %.2f",
		r.Set, r.There, r.Given, r.FirstRight, r.ThreeRight, r.ClaimedRight, r.ClaimedWrong, r.Closest, r.Refused)
	if r.Gone > 0 {
		s += fmt.Sprintf("  gone %d: claimed %.2f, AUROC %.3f, at 5 %% %.2f, 20 %% %.2f", r.Gone, r.GoneClaimed, r.AUROCGone, r.Gone5, r.Gone20)
	}
	if r.Tempt > 0 {
		s += fmt.Sprintf("  tempt %d: claimed %.2f, AUROC %.3f, at 10 %% %.2f, 20 %% %.2f", r.Tempt, r.TemptClaimed, r.AUROCTempt, r.Tempt10, r.Tempt20)
	}
	return s + fmt.Sprintf("  AUROC right %.3f, ECE %.3f, risk at 80 %% %.2f, 95 %% %.2f of %d rated  p50 %.0f p95 %.0f ms  failed %d",
		r.AUROCRight, r.ECE, r.Risk80, r.Risk95, r.Rated, r.LatencyMsP50, r.LatencyMsP95, r.Failed)
}

func answeringRow(set string, results []outcome) AnsweringRow {
	r := AnsweringRow{Set: set}
	var times []time.Duration
	for _, q := range results {
		if q.Error != "" {
			r.Failed++
			continue
		}
		times = append(times, time.Duration(q.LatencyMs)*time.Millisecond)
		r.count(q)
	}
	share := func(n int, sums ...*float64) {
		for _, sum := range sums {
			*sum /= float64(max(1, n))
		}
	}
	share(r.There, &r.Given, &r.FirstRight, &r.ThreeRight, &r.ClaimedRight, &r.ClaimedWrong, &r.Closest, &r.Refused)
	share(r.Gone, &r.GoneClaimed)
	share(r.Tempt, &r.TemptClaimed)
	r.confidences = confidencesOf(results)
	r.LatencyMsP50, r.LatencyMsP95 = percentile(times, 0.5), percentile(times, 0.95)
	return r
}

func (r *AnsweringRow) count(q outcome) {
	claimed := q.Grade == contract.GradeAnswers
	add := func(yes bool, to *float64) {
		if yes {
			*to++
		}
	}
	switch q.Kind {
	case there:
		r.There++
		add(q.Given, &r.Given)
		add(q.Right, &r.FirstRight)
		add(q.Right3, &r.ThreeRight)
		add(claimed && q.Right, &r.ClaimedRight)
		add(claimed && !q.Right, &r.ClaimedWrong)
		add(q.Grade == contract.GradeClosest, &r.Closest)
		add(q.Grade == contract.GradeNone, &r.Refused)
	case gone:
		r.Gone++
		add(claimed, &r.GoneClaimed)
	case tempt:
		r.Tempt++
		add(claimed, &r.TemptClaimed)
	}
}

// confidencesOf measures the confidence of the questions that have one; where
// nothing at all was found it is 0.
func confidencesOf(results []outcome) confidences {
	of := map[expected][]float64{}
	var right, other []float64
	var rated []outcome
	for _, q := range results {
		if q.Error != "" || q.Confidence == nil && q.Grade != contract.GradeNone {
			continue
		}
		p := q.confidence()
		rated, of[q.Kind] = append(rated, q), append(of[q.Kind], p)
		if q.Right {
			right = append(right, p)
		} else {
			other = append(other, p)
		}
	}
	return confidences{
		Rated: len(rated), AUROCRight: areaUnder(right, other), AUROCGone: areaUnder(of[there], of[gone]), AUROCTempt: areaUnder(of[there], of[tempt]),
		ECE:   calibrationError(rated),
		Gone5: atRefusal(of[there], of[gone], 0.05), Gone20: atRefusal(of[there], of[gone], 0.2),
		Tempt10: atRefusal(of[there], of[tempt], 0.1), Tempt20: atRefusal(of[there], of[tempt], 0.2),
		Risk80: riskAt(rated, 0.8), Risk95: riskAt(rated, 0.95),
	}
}

func (q outcome) confidence() float64 {
	if q.Confidence == nil {
		return 0
	}
	return *q.Confidence
}

// areaUnder is the area under the receiver operating characteristic: the chance
// that one of yes is above one of no, equal ones counting half; 0 without both.
func areaUnder(yes, no []float64) float64 {
	if len(yes) == 0 || len(no) == 0 {
		return 0
	}
	sorted, sum := slices.Sorted(slices.Values(no)), 0
	for _, y := range yes {
		below, _ := slices.BinarySearch(sorted, y)
		upTo, _ := slices.BinarySearchFunc(sorted, y, func(n, y float64) int {
			if n > y {
				return 1
			}
			return -1
		})
		sum += below + upTo
	}
	return float64(sum) / float64(2*len(yes)*len(no))
}

// calibrationError is the mean distance between confidence and share right, over
// ten bins by confidence.
func calibrationError(rated []outcome) (sum float64) {
	type bin struct {
		sure, right float64
	}
	var bins [10]bin
	for _, q := range rated {
		b := &bins[min(9, int(q.confidence()*10))]
		b.sure += q.confidence()
		if q.Right {
			b.right++
		}
	}
	for _, b := range bins {
		sum += math.Abs(b.sure - b.right)
	}
	return sum / float64(max(1, len(rated)))
}

// atRefusal is the share of no that is at least as sure as all but a share of
// yes.
func atRefusal(yes, no []float64, refused float64) float64 {
	if len(yes) == 0 || len(no) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(yes))
	from, n := sorted[int(refused*float64(len(sorted)))], 0
	for _, p := range no {
		if p >= from {
			n++
		}
	}
	return float64(n) / float64(len(no))
}

// riskAt is the share wrong among the surest of the questions there.
func riskAt(rated []outcome, coverage float64) float64 {
	some := slices.DeleteFunc(slices.Clone(rated), func(q outcome) bool { return q.Kind != there })
	slices.SortStableFunc(some, func(a, b outcome) int { return cmp.Compare(b.confidence(), a.confidence()) })
	some = some[:int(math.Ceil(coverage*float64(len(some))))]
	wrong := 0
	for _, q := range some {
		if !q.Right {
			wrong++
		}
	}
	return float64(wrong) / float64(max(1, len(some)))
}
