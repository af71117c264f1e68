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
		"ln": real(math.Log), "log": logOf(10), "log10": logOf(10), "log2": logOf(2), "exp": real(math.Exp),
		"sin": turned(math.Sin, evenSine, 0), "cos": turned(math.Cos, evenSine, 90), "tan": turned(math.Tan, evenTangent, 0),
		"asin": real(math.Asin), "acos": real(math.Acos), "atan": real(math.Atan), "logbase": logBase,
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
		"total": fold(func(a, b value) (value, error) { return a.add(b, 1) }), "product": fold(value.mul), "remainder": fold(value.mod),
		"difference": fold(func(a, b value) (value, error) { return a.add(b, -1) }),
	}
	return f
}

// lists are the functions of several numbers, which may be listed without brackets.
var lists = map[string]bool{"average": true, "mean": true, "total": true, "product": true, "difference": true, "min": true, "max": true, "gcd": true, "lcm": true}

func fold(join func(a, b value) (value, error)) function {
	return func(args []value) (out value, err error) {
		if len(args) < 2 {
			return out, refuse("This function takes two numbers or more.")
		}
		out = args[0]
		for _, v := range args[1:] {
			if out, err = join(out, v); err != nil {
				return out, err
			}
		}
		return out, nil
	}
}

// turned is a function of an angle; even has its values that are rational, by
// degrees from where it begins.
func turned(f func(float64) float64, even map[int64]string, begin int64) function {
	return one(func(v value) (value, error) {
		if v.dim != number || v.zero != nil {
			return v, refuse("This function takes an angle.")
		}
		if len(v.show) == 1 && v.show[0].name == "°" {
			degrees := new(big.Rat).Quo(v.r, v.show.scale())
			if degrees.IsInt() {
				at := new(big.Int).Mod(new(big.Int).Add(degrees.Num(), big.NewInt(begin)), big.NewInt(360)).Int64()
				if even[at] == "none" {
					return v, refuse("This function has no value there.")
				}
				if even[at] != "" {
					return exact(rat(even[at])), nil
				}
			}
		}
		return inexact(f(v.float()))
	})
}

var (
	evenSine    = map[int64]string{0: "0", 30: "1/2", 90: "1", 150: "1/2", 180: "0", 210: "-1/2", 270: "-1", 330: "-1/2"}
	evenTangent = map[int64]string{0: "0", 45: "1", 90: "none", 135: "-1", 180: "0", 225: "1", 270: "none", 315: "-1"}
)

func logBase(args []value) (value, error) {
	if len(args) != 2 || args[0].dim != number || args[1].dim != number {
		return value{}, refuse("A logarithm takes a base and a number.")
	}
	base, of := args[0].r, args[1].r
	if base.Sign() <= 0 || base.Cmp(big.NewRat(1, 1)) == 0 || of.Sign() <= 0 {
		return value{}, refuse("There is no such logarithm.")
	}
	guess := math.Log(args[1].float()) / math.Log(args[0].float())
	if n := math.Round(guess); math.Abs(n-guess) < 1e-9 && math.Abs(n) < 1000 { // it may come out even
		if p, err := args[0].powInt(int64(n)); err == nil && p.r.Cmp(of) == 0 {
			return whole64(int64(n)), nil
		}
	}
	return inexact(guess)
}

func logOf(base int64) function {
	return one(func(v value) (value, error) { return logBase([]value{whole64(base), v}) })
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
	return sum.div(whole64(int64(len(args))))
}

const mostFactorial = 3000

func factorial(v value) (value, error) {
	if v.dim != number || !v.r.IsInt() || v.r.Sign() < 0 || v.r.Num().Cmp(big.NewInt(mostFactorial)) > 0 {
		return v, refuse("A factorial is of a whole number from 0 to 3000.")
	}
	return exact(new(big.Rat).SetInt(new(big.Int).MulRange(1, v.r.Num().Int64()))), nil
}
