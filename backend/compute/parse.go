package compute

import (
	"math/big"
	"strings"
	"unicode"
	"unicode/utf8"
)

type token struct {
	kind rune // 'n' number, 'w' word, 0 the end, else the sign itself
	text string
	from int // byte in the expression
	to   int
}

const mostTokens = 500

// tokens cuts an expression up. A comma stands in a number where three digits
// follow, else it separates.
func tokens(s string) ([]token, error) {
	var out []token
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.IsSpace(r):
			i += size
			continue
		case r >= '0' && r <= '9' || r == '.' && i+1 < len(s) && isDigit(s[i+1]):
			end := numberEnd(s, i)
			out = append(out, token{'n', strings.ReplaceAll(s[i:end], ",", ""), i, end})
		case unicode.IsLetter(r) || r == '°' || r == '$' || r == '€' || r == '£':
			end := i + size
			for end < len(s) {
				r, n := utf8.DecodeRuneInString(s[end:])
				if !unicode.IsLetter(r) && r != '_' && r != '\'' && !(unicode.IsDigit(r) && strings.HasPrefix(s[i:], "log")) {
					break
				}
				end += n
			}
			out = append(out, token{'w', s[i:end], i, end})
		case strings.ContainsRune("+-*/^()%!,√", r):
			out = append(out, token{r, string(r), i, i + size})
		default:
			return nil, refuse("“" + string(r) + "” is nothing that can be computed with.")
		}
		i = out[len(out)-1].to
		if len(out) > mostTokens {
			return nil, refuse("This is too long to be computed.")
		}
	}
	return out, nil
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func numberEnd(s string, i int) int {
	for i < len(s) {
		switch {
		case isDigit(s[i]) || s[i] == '.' && i+1 < len(s) && isDigit(s[i+1]):
			i++
		case s[i] == ',' && len(s) > i+3 && isDigit(s[i+1]) && isDigit(s[i+2]) && isDigit(s[i+3]) && (len(s) == i+4 || !isDigit(s[i+4])):
			i += 4
		case (s[i] == 'e' || s[i] == 'E') && len(s) > i+1 && (isDigit(s[i+1]) || len(s) > i+2 && (s[i+1] == '-' || s[i+1] == '+') && isDigit(s[i+2])):
			i += 2
			for i < len(s) && isDigit(s[i]) {
				i++
			}
			return i
		default:
			return i
		}
	}
	return i
}

// parser reads an expression by recursive descent: sum, product, sign, power,
// suffix, primary.
type parser struct {
	source string
	toks   []token
	at     int
	depth  int
}

func (p *parser) peek(n int) token {
	if p.at+n < len(p.toks) {
		return p.toks[p.at+n]
	}
	return token{}
}

func (p *parser) word(n int) string {
	if t := p.peek(n); t.kind == 'w' {
		return strings.ToLower(t.text)
	}
	return ""
}

func (p *parser) eat(kind rune) bool {
	if p.peek(0).kind != kind {
		return false
	}
	p.at++
	return true
}

func converts(word string) bool {
	return word == "in" || word == "to" || word == "as" || word == "into"
}

// parse reads a whole expression with what it is to be converted to.
func (p *parser) parse() (value, error) {
	v, err := p.sum()
	for err == nil && converts(p.word(0)) {
		p.at++
		v, err = p.convert(v)
	}
	if err != nil {
		return v, err
	}
	if t := p.peek(0); t.kind != 0 {
		return v, unknown(t.text)
	}
	return v, nil
}

func unknown(word string) error {
	if currencies[strings.ToUpper(strings.TrimSuffix(word, "s"))] {
		return refuse("Money is not converted: that needs today's rates. Ask it as a question for the web.")
	}
	return refuse("“" + word + "” is nothing that can be computed with.")
}

// convert gives a quantity in a unit.
func (p *parser) convert(v value) (value, error) {
	start := p.peek(0)
	if start.kind == '%' {
		p.at++
		v.unit, v.scale = "%", big.NewRat(1, 100)
		return v, nil
	}
	if u, ok := temperatures[temperatureNames[strings.ToLower(start.text)]]; ok {
		p.at++
		if v.dim != heat {
			return v, mismatch(start.text)
		}
		v.r = new(big.Rat).Quo(new(big.Rat).Sub(v.r, u.offset), u.scale)
		return value{r: v.r, inexact: v.inexact, unit: u.name}, nil
	}
	to, err := p.product()
	if err != nil {
		return v, err
	}
	end := p.toks[p.at-1].to
	if to.dim != v.dim || to.r.Sign() == 0 {
		return v, mismatch(p.source[start.from:end])
	}
	v.unit, v.scale = p.source[start.from:end], to.r
	if to.unit != "" && to.scale != nil && to.r.Cmp(to.scale) == 0 {
		v.unit = to.unit
	}
	return v, nil
}

func mismatch(unit string) error {
	return refuse("This cannot be given in “" + unit + "”: it is a quantity of another kind.")
}

func (p *parser) sum() (value, error) {
	if p.depth++; p.depth > 100 {
		return value{}, refuse("This is nested too deeply to be computed.")
	}
	defer func() { p.depth-- }()
	v, err := p.product()
	for err == nil {
		sign := int64(1)
		switch {
		case p.eat('+'):
		case p.eat('-'):
			sign = -1
		default:
			return v, nil
		}
		var o value
		if o, err = p.product(); err == nil {
			v, err = v.add(o, sign)
		}
	}
	return v, err
}

func (p *parser) product() (value, error) {
	v, err := p.sign()
	for err == nil {
		join := value.mul
		switch {
		case p.eat('*'):
		case p.eat('/'):
			join = value.div
		case p.word(0) == "of":
			p.at++
		case p.word(0) == "mod" || p.word(0) == "modulo":
			p.at++
			join = value.mod
		case p.peek(0).kind == '(':
		default:
			return v, nil
		}
		var o value
		if o, err = p.sign(); err == nil {
			v, err = join(v, o)
		}
	}
	return v, err
}

func (p *parser) sign() (value, error) {
	if p.belowZero() {
		p.at++
		p.toks[p.at].text = "-" + p.toks[p.at].text
		return p.power()
	}
	switch {
	case p.eat('-'):
		if p.depth++; p.depth > 100 {
			return value{}, refuse("This is nested too deeply to be computed.")
		}
		defer func() { p.depth-- }()
		v, err := p.sign()
		if err != nil {
			return v, err
		}
		v.r = new(big.Rat).Neg(v.r)
		return v, nil
	case p.eat('+'):
		return p.sign()
	}
	return p.power()
}

// belowZero reports whether a temperature below its zero comes: there the sign
// belongs to the number.
func (p *parser) belowZero() bool {
	_, isTemperature := temperatureNames[p.word(2)]
	return p.peek(0).kind == '-' && p.peek(1).kind == 'n' && isTemperature
}

func (p *parser) power() (value, error) {
	base, err := p.suffix()
	if err != nil || !p.eat('^') {
		return base, err
	}
	exponent, err := p.sign()
	if err != nil {
		return base, err
	}
	name, scale := base.unit, base.scale
	out, err := base.pow(exponent)
	if err == nil && name != "" && scale != nil && exponent.r.IsInt() && base.r.Cmp(scale) == 0 {
		out.unit, out.scale = name+superscript(exponent.r.Num().String()), out.r
	}
	return out, err
}

func superscript(s string) string {
	return strings.NewReplacer("2", "²", "3", "³", "-", "⁻", "1", "¹", "4", "⁴").Replace(s)
}

const mostFactorial = 3000

func (p *parser) suffix() (value, error) {
	v, err := p.quantity()
	for err == nil {
		switch {
		case p.eat('%'):
			v.r, v.percent = new(big.Rat).Mul(v.r, big.NewRat(1, 100)), true
		case p.eat('!'):
			v, err = factorial(v)
		default:
			return v, nil
		}
	}
	return v, err
}

func factorial(v value) (value, error) {
	if v.dim != number || !v.r.IsInt() || v.r.Sign() < 0 || v.r.Num().Cmp(big.NewInt(mostFactorial)) > 0 {
		return v, refuse("A factorial is of a whole number from 0 to 3000.")
	}
	n := v.r.Num().Int64()
	return exact(new(big.Rat).SetInt(new(big.Int).MulRange(1, n))), nil
}

// quantity is a primary, with the unit behind a number, and further ones of the
// same kind behind it ("5 ft 4 in").
func (p *parser) quantity() (value, error) {
	v, err := p.primary()
	if err != nil || p.toks[p.at-1].kind != 'n' {
		return v, err
	}
	v, has, err := p.withUnit(v)
	for err == nil && has && (p.peek(0).kind == 'n' || p.word(0) == "and" && p.peek(1).kind == 'n') {
		back := p.at
		if p.word(0) == "and" {
			p.at++
		}
		var more value
		if more, err = p.primary(); err != nil {
			break
		}
		if more, has, err = p.withUnit(more); err != nil || !has || more.dim != v.dim {
			p.at = back
			break
		}
		unit, scale := v.unit, v.scale
		v, err = v.add(more, 1)
		v.unit, v.scale = unit, scale
	}
	return v, err
}

var multipliers = map[string]string{"hundred": "100", "thousand": "1000", "million": "1000000", "billion": "1000000000", "trillion": "1000000000000"}

// withUnit takes in the unit behind a number. "in" is the inch only where no
// unit to convert to follows.
func (p *parser) withUnit(v value) (value, bool, error) {
	for multipliers[p.word(0)] != "" {
		v.r = new(big.Rat).Mul(v.r, rat(multipliers[p.word(0)]))
		p.at++
	}
	t := p.peek(0)
	if t.kind != 'w' {
		return v, false, nil
	}
	if converts(strings.ToLower(t.text)) && (t.text != "in" || p.peek(1).kind == 'w' && !converts(p.word(1)) || p.peek(1).kind == '%') {
		return v, false, nil
	}
	u, ok := units.find(t.text)
	if !ok {
		return v, false, nil
	}
	p.at++
	if u.offset != nil {
		v.r, v.dim, v.unit = new(big.Rat).Add(new(big.Rat).Mul(v.r, u.scale), u.offset), heat, ""
		return v, true, nil
	}
	if p.peek(0).kind == '^' && p.peek(1).kind == 'n' { // 5 m^2 is not (5 m)^2
		p.at++
		power, err := p.primary()
		if err != nil {
			return v, false, err
		}
		one, err := value{r: u.scale, dim: u.dim}.pow(power)
		if err != nil {
			return v, false, err
		}
		u = unit{name: u.name + superscript(power.r.Num().String()), dim: one.dim, scale: one.r}
	}
	return value{r: new(big.Rat).Mul(v.r, u.scale), dim: u.dim, inexact: v.inexact, unit: u.name, scale: u.scale}, true, nil
}

func (p *parser) primary() (value, error) {
	t := p.peek(0)
	p.at++
	switch t.kind {
	case 'n':
		return literal(t.text)
	case '(':
		v, err := p.sum()
		if err == nil && !p.eat(')') {
			err = refuse("A bracket is not closed.")
		}
		return v, err
	case '√':
		return p.apply("sqrt")
	case 'w':
		return p.named(t.text)
	case 0:
		return value{}, refuse("Something is missing at the end.")
	}
	return value{}, refuse("“" + t.text + "” stands where a number should.")
}

func literal(text string) (value, error) {
	if i := strings.IndexAny(text, "eE"); i >= 0 && len(text)-i > 6 {
		return value{}, refuse("The number " + text + " is too large.")
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return value{}, refuse("“" + text + "” is no number.")
	}
	return exact(r).checked()
}

func (p *parser) named(word string) (value, error) {
	lower := strings.ToLower(word)
	if n, ok := numerals[lower]; ok {
		p.toks[p.at-1] = token{'n', n, p.toks[p.at-1].from, p.toks[p.at-1].to}
		return literal(n)
	}
	if functions[lower] != nil {
		return p.apply(lower)
	}
	if c, ok := constants[lower]; ok {
		return value{r: rat(c.value), dim: c.dim, inexact: c.inexact}, nil
	}
	if n, ok := multipliers[lower]; ok {
		return literal(n)
	}
	if u, ok := units.find(word); ok && u.offset == nil {
		return value{r: u.scale, dim: u.dim, unit: u.name, scale: u.scale}, nil
	}
	return value{}, unknown(word)
}

var currencies = map[string]bool{
	"USD": true, "EUR": true, "GBP": true, "JPY": true, "CHF": true, "CNY": true, "INR": true, "DOLLAR": true, "EURO": true, "YEN": true, "RUPEE": true,
	"$": true, "€": true, "£": true,
}
