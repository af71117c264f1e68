package eval

import (
	"fmt"
	"math"
	"time"
)

// SpeedRow is one figure of what the product costs. Figures of a busy computer say
// little by themselves: the anchor was measured beside them.
type SpeedRow struct {
	Line   string  `json:"line"` // what was done
	What   string  `json:"what"` // what of it is counted
	Value  float64 `json:"value"`
	Unit   string  `json:"unit"`             // s, ms, MB
	Anchor string  `json:"anchor,omitempty"` // what the figure is held against
	Of     float64 `json:"of,omitempty"`     // the anchor's figure
	Ratio  float64 `json:"ratio,omitempty"`  // Value / Of
}

// against holds a figure against that of something else.
func (r SpeedRow) against(anchor string, of float64) SpeedRow {
	if of > 0 {
		r.Anchor, r.Of, r.Ratio = anchor, of, math.Round(100*r.Value/of)/100
	}
	return r
}

// String is the figure for people.
func (r SpeedRow) String() string {
	s := fmt.Sprintf("%s: %s %.4g %s", r.Line, r.What, r.Value, r.Unit)
	if r.Anchor != "" {
		s += fmt.Sprintf(" (%.2f × %s, %.4g %s)", r.Ratio, r.Anchor, r.Of, r.Unit)
	}
	return s
}

func seconds(line, what string, d time.Duration) SpeedRow {
	return SpeedRow{Line: line, What: what, Value: float64(d.Milliseconds()) / 1000, Unit: "s"}
}

func milliseconds(line, what string, d time.Duration) SpeedRow {
	return SpeedRow{Line: line, What: what, Value: float64(d.Microseconds()) / 1000, Unit: "ms"}
}

func megabytes(line, what string, bytes int64) SpeedRow {
	return SpeedRow{Line: line, What: what, Value: math.Round(float64(bytes)/1e5) / 10, Unit: "MB"}
}

// timesOf are the middle and the slow end of many times, and what each took of a core.
func timesOf(line string, times []time.Duration, cpu time.Duration) []SpeedRow {
	rows := []SpeedRow{{Line: line, What: "p50", Value: percentile(times, .5), Unit: "ms"}, {Line: line, What: "p95", Value: percentile(times, .95), Unit: "ms"}}
	if cpu > 0 && len(times) > 0 {
		rows = append(rows, milliseconds(line, "CPU", cpu/time.Duration(len(times))))
	}
	return rows
}
