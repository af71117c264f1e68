package compute

import (
	"math/big"
	"strings"
	"time"
	"unicode/utf8"
)

// Result of a computation, for people.
type Result struct {
	Input  string // the question as it was understood
	Output string // with its unit
	About  bool   // rounded
}

// String is the result as a sentence without a full stop.
func (r Result) String() string {
	sign := " = "
	if r.About {
		sign = " ≈ "
	}
	if r.Input == "" {
		return r.Output
	}
	return r.Input + sign + r.Output
}

// Refusal says what cannot be computed.
type Refusal struct{ What string }

// Error is the refusal for people.
func (r *Refusal) Error() string { return r.What }

func refuse(what string) error { return &Refusal{what} }

const mostRunes = 500

// Evaluate computes what a question asks for. now is the day that "today" means.
// What it cannot do is a *Refusal that names it.
func Evaluate(question string, now time.Time) (Result, error) {
	if utf8.RuneCountInString(question) > mostRunes {
		return Result{}, refuse("This is too long to be computed.")
	}
	if r, ok, err := dates(question, now); ok || err != nil {
		return r, err
	}
	source := expression(question)
	toks, err := tokens(source)
	if err != nil {
		return Result{}, err
	}
	if len(toks) == 0 {
		return Result{}, refuse("There is nothing to compute.")
	}
	p := &parser{source: source, toks: toks}
	v, err := p.parse()
	if err != nil {
		return Result{}, err
	}
	return v.result(source), nil
}

// result writes a value in the unit it is wanted in, or was given in.
func (v value) result(source string) Result {
	r, unit := v.r, v.unit
	if v.scale != nil {
		r = new(big.Rat).Quo(r, v.scale)
	}
	if unit == "" && v.dim != number {
		unit = v.dim.String()
	}
	text, about := write(r, v.inexact)
	switch {
	case unit == "" || v.dim == number && v.scale == nil && unit != "°C" && unit != "°F":
	case unit == "%":
		text += " %"
	default:
		text += " " + strings.ReplaceAll(unit, "^2", "²")
	}
	return Result{Input: strings.NewReplacer("^2", "²", "^3", "³", "*", " × ", "speed_of_light", "speed of light", "_", " ").Replace(source), Output: text, About: about || v.inexact}
}

// String writes a dimension in base units.
func (d dimension) String() string {
	for name, known := range map[string]dimension{"m/s": speed, "N": force, "J": energy, "W": power, "Pa": press, "V": volt, "C": charge} {
		if d == known {
			return name
		}
	}
	var parts []string
	for i, symbol := range []string{"m", "kg", "s", "A", "K", "mol", "cd", "bit"} {
		switch {
		case d[i] == 1:
			parts = append(parts, symbol)
		case d[i] != 0:
			parts = append(parts, symbol+powerOf(int(d[i])))
		}
	}
	return strings.Join(parts, "·")
}

func powerOf(n int) string {
	digits := []string{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"}
	sign := ""
	if n < 0 {
		sign, n = "⁻", -n
	}
	if n < len(digits) {
		return sign + digits[n]
	}
	return "^" + sign + "?"
}
