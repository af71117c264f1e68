package compute

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

const (
	wholeDigits = 60 // of an exact number that is written out
	roundDigits = 12 // of one that is not
	unitDigits  = 7  // of one with a unit
)

// mostPlaces are the decimals of an exact number that are written out, by the
// digits it would be rounded to.
var mostPlaces = map[int]int{unitDigits: 12, roundDigits: 30}

// text gives a value for people, and whether it is rounded.
func (v value) text() (string, bool) {
	switch {
	case v.zero != nil:
		text, about := write(v.reading(), v.inexact, unitDigits)
		return text + " " + v.zero.name, about
	case v.percent:
		text, about := write(new(big.Rat).Mul(v.r, big.NewRat(100, 1)), v.inexact, roundDigits)
		return text + " %", about
	case len(v.show) > 0 && v.show[len(v.show)-1].part:
		return v.split()
	}
	r, name := v.r, v.show.name()
	if name != "" {
		r = new(big.Rat).Quo(r, v.show.scale())
	} else if v.dim != number {
		name = v.dim.String()
	}
	if money[name] {
		return writeMoney(r, name)
	}
	if name == "" {
		return write(r, v.inexact, roundDigits)
	}
	text, about := write(r, v.inexact, unitDigits)
	if strings.HasPrefix(name, "/") || name == "°" {
		return text + name, about
	}
	return text + " " + agreeing(text, name), about
}

// writeMoney rounds to cents.
func writeMoney(r *big.Rat, name string) (string, bool) {
	places, ends := decimals(r)
	digits := 2
	if r.IsInt() {
		digits = 0
	}
	text := grouped(r.FloatString(digits))
	if !prefixMoney[name] {
		return text + " " + name, !ends || places > 2
	}
	if amount, negative := strings.CutPrefix(text, "−"); negative {
		return "−" + name + amount, !ends || places > 2
	}
	return name + text, !ends || places > 2
}

// split writes a quantity in several units, whole ones but for the last.
func (v value) split() (string, bool) {
	rest, sign := new(big.Rat).Set(v.r), ""
	if rest.Sign() < 0 {
		rest.Neg(rest)
		sign = "−"
	}
	first := measure{}
	for _, f := range v.show {
		if !f.part {
			first = append(first, f)
		}
	}
	units := measure{{name: first.name(), scale: first.scale()}}
	for _, f := range v.show {
		if f.part {
			units = append(units, f)
		}
	}
	var parts []string
	about := v.inexact
	for i, u := range units {
		n := new(big.Rat).Quo(rest, u.scale)
		if i < len(units)-1 {
			n = new(big.Rat).SetInt(floor(n))
			rest.Sub(rest, new(big.Rat).Mul(n, u.scale))
		}
		text, rounded := write(n, v.inexact, unitDigits)
		about = about || rounded
		parts = append(parts, text+" "+u.name)
	}
	return sign + strings.Join(parts, " "), about
}

// write gives a number for people: exact where it ends, else rounded to so many
// digits. about is set for rounded ones.
func write(r *big.Rat, rounded bool, digits int) (text string, about bool) {
	if !rounded {
		if r.IsInt() && len(r.Num().String()) <= wholeDigits {
			return grouped(r.Num().String()), false
		}
		if places, ends := decimals(r); ends && places <= mostPlaces[digits] && len(r.Num().String()) <= wholeDigits {
			return grouped(r.FloatString(places)), false
		}
	}
	if n := len(new(big.Int).Quo(r.Num(), r.Denom()).String()); n > digits && n <= 15 {
		digits = n
	}
	f, _ := r.Float64()
	short := strconv.FormatFloat(f, 'g', digits, 64)
	if math.IsInf(f, 0) || f == 0 && r.Sign() != 0 {
		short = new(big.Float).SetRat(r).Text('g', digits)
	}
	short = strings.Replace(short, "e+", "e", 1)
	if mantissa, exponent, has := strings.Cut(short, "e"); has {
		return strings.Replace(mantissa, "-", "−", 1) + " × 10^" + strings.Replace(strings.TrimPrefix(exponent, "0"), "-0", "-", 1), true
	}
	return grouped(short), true
}

// decimals is how many places a fraction has that ends.
func decimals(r *big.Rat) (places int, ends bool) {
	d := new(big.Int).Set(r.Denom())
	count := func(p int64) (n int) {
		prime, rest := big.NewInt(p), new(big.Int)
		for {
			q, m := new(big.Int).QuoRem(d, prime, rest)
			if m.Sign() != 0 || d.Cmp(big.NewInt(1)) == 0 {
				return n
			}
			d = q
			n++
		}
	}
	twos, fives := count(2), count(5)
	return max(twos, fives), d.Cmp(big.NewInt(1)) == 0
}

// grouped puts a thin mark between thousands of a number with more than four
// digits before its point.
func grouped(s string) string {
	sign := ""
	if strings.HasPrefix(s, "-") {
		sign, s = "−", s[1:]
	}
	whole, rest, has := strings.Cut(s, ".")
	if len(whole) > 4 {
		var b strings.Builder
		for i, c := range whole {
			if i > 0 && (len(whole)-i)%3 == 0 {
				b.WriteByte(',')
			}
			b.WriteRune(c)
		}
		whole = b.String()
	}
	if has {
		return sign + whole + "." + rest
	}
	return sign + whole
}
