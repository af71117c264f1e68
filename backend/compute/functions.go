package compute

import (
	"math"
	"math/big"
)

// function computes one value of its arguments.
type function func(args []value) (value, error)

var functions = initial()

func initial() map[string]function {
	f := map[string]function{
		"sqrt": root(2), "cbrt": root(3), "factorial": one(factorial),
		"ln": real(math.Log), "log": real(math.Log10), "log10": real(math.Log10), "log2": real(math.Log2), "exp": real(math.Exp),
		"sin": real(math.Sin), "cos": real(math.Cos), "tan": real(math.Tan), "asin": real(math.Asin), "acos": real(math.Acos), "atan": real(math.Atan),
		"sine": real(math.Sin), "cosine": real(math.Cos), "tangent": real(math.Tan),
		"abs": one(func(v value) (value, error) { v.r = new(big.Rat).Abs(v.r); return v, nil }),
		"floor": one(func(v value) (value, error) {
			v.r = new(big.Rat).SetInt(floor(v.r))
			return v, nil
		}),
		"ceil": one(func(v value) (value, error) {
			v.r = new(big.Rat).Neg(new(big.Rat).SetInt(floor(new(big.Rat).Neg(v.r))))
			return v, nil
		}),
		"round": one(func(v value) (value, error) {
			v.r = new(big.Rat).SetInt(floor(new(big.Rat).Add(v.r, big.NewRat(1, 2))))
			return v, nil
		}),
		"gcd": whole(func(a, b *big.Int) *big.Int { return new(big.Int).GCD(nil, nil, a, b) }),
		"lcm": whole(lcm),
		"min": pick(-1), "max": pick(1), "average": average, "mean": average,
	}
	return f
}

func floor(r *big.Rat) *big.Int { return new(big.Int).Div(r.Num(), r.Denom()) }

func lcm(a, b *big.Int) *big.Int {
	g := new(big.Int).GCD(nil, nil, a, b)
	if g.Sign() == 0 {
		return g
	}
	return new(big.Int).Mul(new(big.Int).Div(a, g), b)
}

func one(f func(value) (value, error)) function {
	return func(args []value) (value, error) {
		if len(args) != 1 {
			return value{}, refuse("This function takes one number.")
		}
		return f(args[0])
	}
}

func root(n int64) function {
	return one(func(v value) (value, error) {
		if v.r.Sign() < 0 && n%2 == 1 {
			v.r = new(big.Rat).Neg(v.r)
			out, err := v.pow(exact(big.NewRat(1, n)))
			if err == nil {
				out.r = new(big.Rat).Neg(out.r)
			}
			return out, err
		}
		return v.pow(exact(big.NewRat(1, n)))
	})
}

func real(f func(float64) float64) function {
	return one(func(v value) (value, error) {
		if v.dim != number {
			return v, refuse("This function takes a number without a unit.")
		}
		return inexact(f(v.float()))
	})
}

func whole(join func(a, b *big.Int) *big.Int) function {
	return func(args []value) (value, error) {
		if len(args) < 2 {
			return value{}, refuse("This function takes two numbers or more.")
		}
		var out *big.Int
		for _, v := range args {
			if !v.r.IsInt() || v.r.Sign() < 0 || v.dim != number {
				return v, refuse("This function takes whole numbers.")
			}
			if out == nil {
				out = v.r.Num()
				continue
			}
			out = join(out, v.r.Num())
		}
		return exact(new(big.Rat).SetInt(out)).checked()
	}
}

func pick(sign int) function {
	return func(args []value) (value, error) {
		if len(args) == 0 {
			return value{}, refuse("This function takes numbers.")
		}
		best := args[0]
		for _, v := range args {
			if v.dim != best.dim {
				return v, refuse("Quantities of different kinds cannot be compared.")
			}
			if v.r.Cmp(best.r) == sign {
				best = v
			}
		}
		return best, nil
	}
}

func average(args []value) (value, error) {
	if len(args) == 0 {
		return value{}, refuse("This function takes numbers.")
	}
	sum, err := args[0], error(nil)
	for _, v := range args[1:] {
		if sum, err = sum.add(v, 1); err != nil {
			return sum, err
		}
	}
	unit, scale := args[0].unit, args[0].scale
	sum, err = sum.div(exact(big.NewRat(int64(len(args)), 1)))
	sum.unit, sum.scale = unit, scale
	return sum, err
}

// apply reads the arguments of a function: in brackets, or one quantity.
func (p *parser) apply(name string) (value, error) {
	var args []value
	if p.eat('(') {
		for {
			v, err := p.sum()
			if err != nil {
				return v, err
			}
			args = append(args, v)
			if p.eat(')') {
				break
			}
			if !p.eat(',') && p.word(0) != "and" {
				return v, refuse("A bracket is not closed.")
			}
			if p.word(0) == "and" {
				p.at++
			}
		}
	} else {
		v, err := p.list(&args)
		if err != nil {
			return v, err
		}
	}
	return functions[name](args)
}

// list reads "3, 4 and 5".
func (p *parser) list(args *[]value) (value, error) {
	if p.word(0) == "of" {
		p.at++
	}
	for {
		v, err := p.power()
		if err != nil {
			return v, err
		}
		*args = append(*args, v)
		comma := p.eat(',')
		if p.word(0) == "and" {
			p.at++
		} else if !comma {
			return v, nil
		}
	}
}
