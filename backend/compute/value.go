package compute

import (
	"math"
	"math/big"
)

// dimension counts the base quantities of a value: length, mass, time, electric
// current, temperature, amount, luminous intensity, bits, and the currencies, of
// which each is a quantity of its own.
type dimension [8 + 16]int8

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
	percent bool    // was written with a percent sign
	show    measure // the units it is shown in; none = base units
	zero    *unit   // a temperature that counts from a zero of its own
}

func exact(r *big.Rat) value { return value{r: r} }

func whole64(n int64) value { return exact(new(big.Rat).SetInt64(n)) }

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

func (v value) negated() value {
	if v.zero != nil {
		return v.zero.at(new(big.Rat).Neg(v.reading()), v.inexact)
	}
	v.r = new(big.Rat).Neg(v.r)
	return v
}

func (v value) percentage() (value, error) {
	if v.dim != number || v.zero != nil {
		return v, refuse("A percentage is of a number without a unit.")
	}
	v.r, v.percent = new(big.Rat).Mul(v.r, big.NewRat(1, 100)), true
	return v, nil
}

func (v value) add(o value, sign int64) (value, error) {
	if o.percent && !v.percent { // 200 + 10 % is 220
		part, err := v.mul(value{r: o.r, inexact: o.inexact})
		if err != nil {
			return v, err
		}
		o = part
	}
	if v.dim != o.dim {
		if v.dim == number || o.dim == number {
			return v, doubt("A number and a quantity with a unit cannot be added.")
		}
		return v, refuse("Quantities of different kinds cannot be added.")
	}
	if v.zero != nil && o.zero == v.zero { // 20 °C + 5 °C: the second is a difference
		sum := new(big.Rat).Add(v.reading(), new(big.Rat).Mul(o.reading(), big.NewRat(sign, 1)))
		return v.zero.at(sum, v.inexact || o.inexact), nil
	}
	sum := new(big.Rat).Add(v.r, new(big.Rat).Mul(o.r, big.NewRat(sign, 1)))
	return value{r: sum, dim: v.dim, inexact: v.inexact || o.inexact, percent: v.percent && o.percent, show: v.show}.checked()
}

func (v value) mul(o value) (value, error) {
	if v.zero != nil && o.dim == number {
		return v.zero.at(new(big.Rat).Mul(v.reading(), o.r), v.inexact || o.inexact).checked()
	}
	if o.zero != nil && v.dim == number {
		return o.mul(v)
	}
	out := value{r: new(big.Rat).Mul(v.r, o.r), dim: v.dim.plus(o.dim, 1), inexact: v.inexact || o.inexact}
	out.show = v.show.times(o.show, 1).settled(out.dim)
	return out.checked()
}

// measured is a number of a unit, of a constant or of a function's result.
func (v value) measured(unit value) (value, error) {
	if unit.zero != nil {
		if v.dim != number {
			return v, refuse("A temperature is a number of degrees.")
		}
		return unit.zero.at(v.r, v.inexact), nil
	}
	return v.mul(unit)
}

func (v value) div(o value) (value, error) {
	if o.r.Sign() == 0 {
		return v, refuse("Nothing can be divided by zero.")
	}
	out := value{r: new(big.Rat).Quo(v.r, o.r), dim: v.dim.plus(o.dim, -1), inexact: v.inexact || o.inexact}
	out.show = v.show.times(o.show, -1).settled(out.dim)
	return out.checked()
}

func (v value) mod(o value) (value, error) {
	if o.r.Sign() == 0 {
		return v, refuse("Nothing can be divided by zero.")
	}
	if v.dim != o.dim {
		return v, doubt("There is no remainder of quantities of different kinds.")
	}
	q := new(big.Rat).Quo(v.r, o.r)
	floor := new(big.Int).Div(q.Num(), q.Denom())
	return value{r: new(big.Rat).Sub(v.r, new(big.Rat).Mul(o.r, new(big.Rat).SetInt(floor))), dim: v.dim, show: v.show}, nil
}

const mostPower = 5000

// pow is exact for whole exponents; roots that come out even are exact too.
func (v value) pow(o value) (value, error) {
	if o.dim != number {
		return v, doubt("An exponent has no unit.")
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
	show := v.show
	if n < 0 && v.r.Sign() == 0 {
		return v, refuse("Nothing can be divided by zero.")
	}
	base := value{r: v.r, dim: v.dim}
	if n < 0 {
		base = value{r: new(big.Rat).Inv(v.r), dim: number.plus(v.dim, -1)}
	}
	out := value{r: big.NewRat(1, 1)}
	for range max(n, -n) {
		var err error
		if out, err = out.mul(base); err != nil {
			return out, err
		}
	}
	out.inexact, out.show = v.inexact, show.power(n)
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
	show, shown := v.show.root(int(n))
	r := v.r
	if shown {
		r = new(big.Rat).Quo(r, v.show.scale())
	}
	out, err := value{r: r, inexact: v.inexact}.pow(o)
	if err == nil && shown {
		out.r = new(big.Rat).Mul(out.r, show.scale())
	}
	out.dim, out.show = dim, show
	return out, err
}

// convert gives a quantity in another unit, or in several, the last with what
// remains.
func (v value) convert(to []value) (value, error) {
	for _, t := range to {
		if moneyCode(v.dim) && moneyCode(t.dim) && v.dim != t.dim {
			return v, doubt("Money is not converted: that needs today's rates. Ask it as a question for the web.")
		}
		if t.dim != v.dim || t.r.Sign() == 0 {
			return v, v.mismatch(t)
		}
	}
	v.percent, v.zero, v.show = false, to[0].zero, to[0].show
	for _, t := range to[1:] {
		v.show = append(v.show[:len(v.show):len(v.show)], factor{name: t.show.name(), scale: t.show.scale(), part: true})
	}
	return v, nil
}

func (v value) mismatch(to value) error {
	name := to.show.name()
	if to.zero != nil {
		name = to.zero.name
	}
	what := "This cannot be given in “" + name + "”: it is a quantity of another kind."
	if v.dim == number {
		return doubt(what)
	}
	return refuse(what)
}
