package compute

import (
	"math/big"
	"strings"
)

// measure is a product of units with exponents, as a quantity is shown: km·h⁻¹.
type measure []factor

type factor struct {
	name  string
	scale *big.Rat // in base units
	dim   dimension
	power int
	part  bool // of several that a quantity is split into, "feet and inches"
}

// times joins two measures. Units of the same kind become that of the first.
func (m measure) times(o measure, sign int) measure {
	if len(m) == 0 && sign > 0 {
		return o
	}
	out := append(measure(nil), m.taken(o)...)
	for _, f := range o.taken(m) {
		if f.part {
			continue
		}
		known := false
		for i := range out {
			if out[i].dim == f.dim {
				out[i].power, known = out[i].power+sign*f.power, true
				break
			}
		}
		if !known {
			f.power *= sign
			out = append(out, f)
		}
	}
	return out
}

// taken has the units that are made of others taken apart, where the other measure
// has one of those: mph beside hours.
func (m measure) taken(o measure) (out measure) {
	for _, f := range m {
		parts, made := made[f.name]
		if !made || len(o) == 0 || len(o) == 1 && o[0].dim == f.dim {
			out = append(out, f)
			continue
		}
		for _, p := range parts {
			p.power *= f.power
			out = append(out, p)
		}
	}
	return out
}

var made = map[string][]factor{
	"mph":  {named1("mi", 1), named1("h", -1)},
	"km/h": {named1("km", 1), named1("h", -1)},
	"kn":   {named1("nmi", 1), named1("h", -1)},
}

func named1(name string, power int) factor {
	u, ok := units.find(name)
	if !ok {
		panic("no unit " + name)
	}
	return factor{name: u.name, scale: u.scale, dim: u.dim, power: power}
}

func (m measure) power(n int64) (out measure) {
	if n == 0 {
		return nil
	}
	for _, f := range m {
		f.power *= int(n)
		out = append(out, f)
	}
	return out
}

func (m measure) root(n int) (out measure, ok bool) {
	for _, f := range m {
		if f.power%n != 0 {
			return nil, false
		}
		f.power /= n
		out = append(out, f)
	}
	return out, len(out) > 0
}

// settled leaves out what cancels itself, and calls a product by its own name:
// kilowatts times hours are kilowatt hours, newtons times metres joules.
func (m measure) settled(dim dimension) (out measure) {
	angles := 0
	for _, f := range m {
		if f.power == 0 || f.dim == number && (f.power != 1 || dim != number) {
			continue
		}
		if f.dim == number {
			angles++
		}
		out = append(out, f)
	}
	if angles > 1 {
		return nil
	}
	if len(out) < 2 {
		return out
	}
	if len(out) == 2 && out[0].power == 1 && out[1].power == 1 {
		if u, ok := units.find(out[0].name + out[1].name); ok && u.dim == dim && u.scale.Cmp(out.scale()) == 0 {
			return u.measure()
		}
	}
	for _, name := range coherent {
		if u, ok := units.find(name); ok && u.dim == dim {
			return u.measure()
		}
	}
	return out
}

// coherent are the units that a product of others is given in.
var coherent = []string{"N", "J", "W", "Pa", "V", "C", "Ω"}

// scale is how many base units the product is.
func (m measure) scale() *big.Rat {
	out := big.NewRat(1, 1)
	for _, f := range m {
		if f.part {
			continue
		}
		for range max(f.power, -f.power) {
			if f.power > 0 {
				out.Mul(out, f.scale)
			} else {
				out.Quo(out, f.scale)
			}
		}
	}
	return out
}

// name writes the product: what is divided by comes last, behind a slash.
func (m measure) name() string {
	var over, under []string
	for _, f := range m {
		switch {
		case f.part:
		case f.power > 0:
			over = append(over, f.name+exponentOf(f.power))
		case f.power < 0:
			under = append(under, f.name+exponentOf(-f.power))
		}
	}
	if len(under) == 0 {
		return strings.Join(over, "·")
	}
	return strings.Join(over, "·") + "/" + strings.Join(under, "/")
}

func exponentOf(n int) string {
	if n == 1 {
		return ""
	}
	return superscript(whole64(int64(n)).r.Num().String())
}

// String writes a dimension in base units.
func (d dimension) String() string {
	for name, known := range map[string]dimension{"m/s": speed, "N": force, "J": energy, "W": powerDim, "Pa": press, "V": volt, "C": charge} {
		if d == known {
			return name
		}
	}
	var m measure
	for i, symbol := range baseNames {
		if d[i] != 0 {
			m = append(m, factor{name: symbol, power: int(d[i])})
		}
	}
	return m.name()
}

var baseNames = append([]string{"m", "kg", "s", "A", "K", "mol", "cd", "bit"}, currencyNames...)
