package compute

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"
)

// dimension counts the base quantities of a value: length, mass, time, electric
// current, temperature, amount, luminous intensity, bits.
type dimension [8]int8

var (
	number  dimension
	length  = dimension{1}
	mass    = dimension{0, 1}
	seconds = dimension{0, 0, 1}
	current = dimension{0, 0, 0, 1}
	heat    = dimension{0, 0, 0, 0, 1}
	bits    = dimension{0, 0, 0, 0, 0, 0, 0, 1}
)

func (d dimension) plus(o dimension, times int8) dimension {
	for i := range d {
		d[i] += times * o[i]
	}
	return d
}

// value is a number with a dimension, in base units. Inexact values went through
// something that has no rational result.
type value struct {
	r       *big.Rat
	dim     dimension
	inexact bool
	percent bool // was written with a percent sign
	unit    string
	scale   *big.Rat // of the unit it was written in; nil = base units
}

func exact(r *big.Rat) value { return value{r: r} }

func inexact(f float64) (value, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return value{}, refuse("The result is not a number.")
	}
	return value{r: new(big.Rat).SetFloat64(f), inexact: true}, nil
}

func (v value) float() float64 {
	f, _ := v.r.Float64()
	return f
}

const mostBits = 20000 // of a numerator or denominator

func (v value) checked() (value, error) {
	if v.r.Num().BitLen() > mostBits || v.r.Denom().BitLen() > mostBits {
		return v, refuse("The result is too large to be written down.")
	}
	return v, nil
}

func (v value) add(o value, sign int64) (value, error) {
	if o.percent && !v.percent { // 200 + 10 % is 220
		o = value{r: new(big.Rat).Mul(v.r, o.r), dim: v.dim, inexact: o.inexact}
	}
	if v.dim != o.dim {
		return v, refuse("Quantities of different kinds cannot be added.")
	}
	sum := new(big.Rat).Add(v.r, new(big.Rat).Mul(o.r, big.NewRat(sign, 1)))
	return value{r: sum, dim: v.dim, inexact: v.inexact || o.inexact, percent: v.percent && o.percent, unit: v.unit, scale: v.scale}.checked()
}

func (v value) mul(o value) (value, error) {
	out := value{r: new(big.Rat).Mul(v.r, o.r), dim: v.dim.plus(o.dim, 1), inexact: v.inexact || o.inexact}
	switch number {
	case o.dim:
		out.unit, out.scale = v.unit, v.scale
	case v.dim:
		out.unit, out.scale = o.unit, o.scale
	}
	return out.checked()
}

func (v value) div(o value) (value, error) {
	if o.r.Sign() == 0 {
		return v, refuse("Nothing can be divided by zero.")
	}
	out := value{r: new(big.Rat).Quo(v.r, o.r), dim: v.dim.plus(o.dim, -1), inexact: v.inexact || o.inexact}
	if o.dim == number {
		out.unit, out.scale = v.unit, v.scale
	}
	return out.checked()
}

func (v value) mod(o value) (value, error) {
	if v.dim != o.dim || o.r.Sign() == 0 {
		return v, refuse("There is no remainder of these.")
	}
	q := new(big.Rat).Quo(v.r, o.r)
	floor := new(big.Int).Div(q.Num(), q.Denom())
	return value{r: new(big.Rat).Sub(v.r, new(big.Rat).Mul(o.r, new(big.Rat).SetInt(floor))), dim: v.dim, unit: v.unit, scale: v.scale}, nil
}

const mostPower = 5000

// pow is exact for whole exponents; roots that come out even are exact too.
func (v value) pow(o value) (value, error) {
	if o.dim != number {
		return v, refuse("An exponent has no unit.")
	}
	if o.r.IsInt() && o.r.Num().IsInt64() {
		n := o.r.Num().Int64()
		if n < -mostPower || n > mostPower || v.dim != number && (n < -4 || n > 4) {
			return v, refuse("The result is too large to be written down.")
		}
		return v.powInt(n)
	}
	if v.dim != number {
		return v.rootOfUnit(o)
	}
	if root, ok := evenRoot(v.r, o.r); ok {
		return value{r: root, inexact: v.inexact || o.inexact}, nil
	}
	return inexact(math.Pow(v.float(), o.float()))
}

func (v value) powInt(n int64) (value, error) {
	if n < 0 {
		if v.r.Sign() == 0 {
			return v, refuse("Nothing can be divided by zero.")
		}
		v = value{r: new(big.Rat).Inv(v.r), dim: number.plus(v.dim, -1), inexact: v.inexact}
		n = -n
	}
	out := value{r: big.NewRat(1, 1), inexact: v.inexact}
	for range n {
		var err error
		if out, err = out.mul(value{r: v.r, dim: v.dim}); err != nil {
			return out, err
		}
	}
	out.inexact = v.inexact
	return out, nil
}

// rootOfUnit takes the root of a quantity whose dimension has one.
func (v value) rootOfUnit(o value) (value, error) {
	if !o.r.Denom().IsInt64() || o.r.Num().Cmp(big.NewInt(1)) != 0 {
		return v, refuse("There is no such power of a unit.")
	}
	n := int8(min(o.r.Denom().Int64(), 100))
	var dim dimension
	for i, d := range v.dim {
		if d%n != 0 {
			return v, refuse("There is no such root of this unit.")
		}
		dim[i] = d / n
	}
	out, err := value{r: v.r, inexact: v.inexact}.pow(o)
	out.dim = dim
	return out, err
}

// evenRoot gives r to the power of p where that is rational and p = m/n is small.
func evenRoot(r, p *big.Rat) (*big.Rat, bool) {
	if !p.Denom().IsInt64() || p.Denom().Int64() > 64 || !p.Num().IsInt64() || p.Num().Int64() < 1 || p.Num().Int64() > 64 || r.Sign() < 0 {
		return nil, false
	}
	n := p.Denom().Int64()
	num, ok1 := wholeRoot(r.Num(), n)
	den, ok2 := wholeRoot(r.Denom(), n)
	if !ok1 || !ok2 {
		return nil, false
	}
	m := p.Num()
	return new(big.Rat).SetFrac(new(big.Int).Exp(num, m, nil), new(big.Int).Exp(den, m, nil)), true
}

// wholeRoot is the nth root of x where it is whole.
func wholeRoot(x *big.Int, n int64) (*big.Int, bool) {
	low, high := big.NewInt(0), new(big.Int).Lsh(big.NewInt(1), uint(x.BitLen()/int(n)+1))
	for low.Cmp(high) < 0 {
		mid := new(big.Int).Rsh(new(big.Int).Add(low, high), 1)
		if new(big.Int).Exp(mid, big.NewInt(n), nil).Cmp(x) < 0 {
			low = mid.Add(mid, big.NewInt(1))
		} else {
			high = mid
		}
	}
	return low, new(big.Int).Exp(low, big.NewInt(n), nil).Cmp(x) == 0
}

const (
	wholeDigits = 60 // of an exact number that is written out
	roundDigits = 15 // of one that is not
)

// write gives a number for people: exact where it ends, else rounded, and a
// fraction beside it where that is short. about is set for rounded ones.
func write(r *big.Rat, rounded bool) (text string, about bool) {
	if !rounded {
		if r.IsInt() && len(r.Num().String()) <= wholeDigits {
			return grouped(r.Num().String()), false
		}
		if places, ends := decimals(r); ends && places <= 30 && len(r.Num().String()) <= wholeDigits {
			return grouped(r.FloatString(places)), false
		}
	}
	f, _ := r.Float64()
	short := strconv.FormatFloat(f, 'g', roundDigits, 64)
	if math.IsInf(f, 0) || f == 0 && r.Sign() != 0 {
		short = new(big.Float).SetRat(r).Text('g', roundDigits)
	}
	short = strings.Replace(short, "e+", "e", 1)
	if mantissa, exponent, has := strings.Cut(short, "e"); has {
		return mantissa + " × 10^" + strings.TrimPrefix(exponent, "0"), true
	}
	text = grouped(short)
	if !rounded && len(r.Denom().String()) <= 6 && len(r.Num().String()) <= 12 {
		text += fmt.Sprintf(" (%s/%s)", r.Num(), r.Denom())
	}
	return text, true
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
