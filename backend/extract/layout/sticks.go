package layout

import (
	"cmp"
	"math"
	"slices"
)

// Rule is a line that a page draws, level or upright.
type Rule struct{ X0, Y0, X1, Y1 float64 }

// oneRule is the most points between lines that are drawn as one, or that touch.
const oneRule = 2.0

// stick is a straight line: where it stands, and from where to where it goes.
type stick struct{ at, from, to float64 }

// sticks gives the lines that rules make together: pieces that touch are one.
func sticks(rules []Rule) (level, upright []stick) {
	for _, r := range rules {
		if r.X1-r.X0 > r.Y1-r.Y0 {
			level = append(level, stick{(r.Y0 + r.Y1) / 2, r.X0, r.X1})
		} else {
			upright = append(upright, stick{(r.X0 + r.X1) / 2, r.Y0, r.Y1})
		}
	}
	return whole(level), whole(upright)
}

func whole(pieces []stick) (out []stick) {
	slices.SortFunc(pieces, func(a, b stick) int { return cmp.Compare(a.at, b.at) })
	for i := 0; i < len(pieces); {
		j := i + 1
		for j < len(pieces) && pieces[j].at-pieces[i].at < oneRule {
			j++
		}
		line := pieces[i:j]
		slices.SortFunc(line, func(a, b stick) int { return cmp.Compare(a.from, b.from) })
		at := line[0].at
		for k, p := range line {
			p.at = at
			if n := len(out); k > 0 && p.from <= out[n-1].to+oneRule {
				out[n-1].to = max(out[n-1].to, p.to)
				continue
			}
			out = append(out, p)
		}
		i = j
	}
	return out
}

// meets reports whether two lines touch, one level and one upright.
func (l stick) meets(u stick) bool {
	return u.at >= l.from-oneRule && u.at <= l.to+oneRule && l.at >= u.from-oneRule && l.at <= u.to+oneRule
}

// crosses reports whether one of some lines stands at a place and passes there.
func crosses(lines []stick, at, through float64) bool {
	return slices.ContainsFunc(lines, func(l stick) bool {
		return l.at > at-2*oneRule && l.at < at+2*oneRule && l.from <= through && through <= l.to
	})
}

// edgesOf are the places of lines, and the ends of those across where no line closes
// the table.
func edgesOf(lines, across []stick) (at []float64) {
	for _, l := range lines {
		at = append(at, l.at)
	}
	for _, l := range across {
		at = append(at, l.from, l.to)
	}
	if len(lines) == 0 || len(across) == 0 {
		return nil
	}
	slices.Sort(at)
	inner := make([]float64, 0, len(at))
	for _, l := range lines {
		inner = append(inner, l.at)
	}
	inner = append(inner, at[0], at[len(at)-1])
	slices.Sort(inner)
	return slices.CompactFunc(inner, func(a, b float64) bool { return math.Abs(b-a) < 2*oneRule })
}
