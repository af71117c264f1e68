package compute

import (
	"math/big"
	"strings"
)

// How tightly signs bind what stands beside them.
const (
	bindConvert  = 5
	bindSum      = 10
	bindProduct  = 20
	bindImplicit = 30 // "5 m", "2 pi"
	bindSign     = 35
	bindPower    = 40
	bindSuffix   = 45
)

const deepest = 100

// parser reads an expression by operator precedence. The first error stays.
type parser struct {
	toks  []token
	at    int
	depth int
	err   error
}

func parse(toks []token) (*node, error) {
	p := &parser{toks: toks}
	n := p.expression(0)
	if p.err == nil && p.peek(0).kind != 0 {
		p.fail(unknown(p.peek(0).text))
	}
	return n, p.err
}

func (p *parser) fail(err error) *node {
	if p.err == nil {
		p.err = err
	}
	p.at = len(p.toks)
	return &node{op: "number", leaf: exact(new(big.Rat)), text: "0"}
}

func (p *parser) peek(n int) token {
	if p.at+n >= 0 && p.at+n < len(p.toks) {
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

func (p *parser) eatWord(words ...string) bool {
	for _, w := range words {
		if p.word(0) == w {
			p.at++
			return true
		}
	}
	return false
}

// expression reads what binds at least so tightly.
func (p *parser) expression(least int) *node {
	if p.depth++; p.depth > deepest {
		return p.fail(refuse("This is nested too deeply to be computed."))
	}
	defer func() { p.depth-- }()
	left := p.prefix()
	for p.err == nil {
		next := p.suffix(left, least)
		if next == nil {
			next = p.infix(left, least)
		}
		if next == nil {
			break
		}
		left = next
	}
	return left
}

// suffix takes what stands behind a part and is complete with it; nil when there
// is none.
func (p *parser) suffix(left *node, least int) *node {
	if least > bindSuffix {
		return nil
	}
	switch {
	case p.peek(0).kind == '%' && !p.startsOperand(1, left):
		p.at++
		return &node{op: "%", args: []*node{left}}
	case p.eat('!'), left.op == "number" && p.eatWord("factorial"):
		return &node{op: "!", args: []*node{left}}
	case p.eatWord("andhalf"):
		return &node{op: "group", args: []*node{{op: "+", args: []*node{left, fraction("1/2")}}}}
	case left.op == "%" && p.word(0) == "vat" && p.word(1) != "upon" && p.word(1) != "of":
		p.at++ // "+ 15 % VAT"
		return left
	}
	return nil
}

// startsOperand reports whether a percent sign is one of remainder: "10 % 3".
func (p *parser) startsOperand(at int, left *node) bool {
	t := p.peek(at)
	return left.op == "number" && (t.kind == 'n' || t.kind == '(')
}

type infix struct {
	op          string
	left, right int
}

var infixes = map[string]infix{
	"+": {"+", bindSum, bindSum + 1}, "-": {"-", bindSum, bindSum + 1}, "*": {"*", bindProduct, bindProduct + 1}, "/": {"/", bindProduct, bindProduct + 1},
	"%": {"mod", bindProduct, bindProduct + 1}, "mod": {"mod", bindProduct, bindProduct + 1}, "of": {"of", bindProduct, bindProduct}, "off": {"off", bindProduct, bindProduct},
	"vat": {"vat", bindProduct, bindProduct}, "^": {"^", bindPower, bindPower - 1}, "x": {"*", bindProduct, bindProduct + 1}, "with": {"+", bindSum, bindSum + 1},
}

// infix takes a sign and what follows it; nil when nothing binds tightly enough.
func (p *parser) infix(left *node, least int) *node {
	if n := p.juxtaposed(left, least); n != nil {
		return n
	}
	t := p.peek(0)
	if p.converts(left) {
		if least > bindConvert {
			return nil
		}
		p.at++
		return p.target(left)
	}
	f, ok := infixes[strings.ToLower(t.text)]
	if !ok || t.kind == 'n' || f.left < least || !p.allowed(left, f.op) {
		return nil
	}
	p.at++
	if f.op == "vat" {
		p.at++ // on
	}
	right := p.expression(f.right)
	return &node{op: f.op, args: []*node{left, right}, tight: t.glued && p.toks[p.at-1].glued}
}

// allowed reports whether a word that joins may stand behind a part: of what is a
// share of something, and only there.
func (p *parser) allowed(left *node, op string) bool {
	switch op {
	case "of":
		return left.op == "%" || left.op == "fraction" || left.op == "of" || left.op == "group" || left.op == "quantity" && left.args[1].op == "fraction" ||
			left.op == "/" && left.args[0].op == "number" && left.args[1].op == "number"
	case "off", "vat":
		return left.op == "%"
	}
	return true
}

// juxtaposed takes what is multiplied without a sign: a unit, a constant, a
// function or a bracket behind a number; and further quantities of the same kind
// ("5 ft 4 in").
func (p *parser) juxtaposed(left *node, least int) *node {
	t := p.peek(0)
	switch {
	case t.kind == '(' && least <= bindProduct && left.op != "unit":
		return &node{op: "*", args: []*node{left, p.expression(bindProduct + 1)}}
	case least > bindImplicit:
		return nil
	case numeric(left) && t.kind == 'w' && p.isOperand(left):
		return p.quantity(left)
	case left.op == "fraction" && t.kind == 'n':
		return &node{op: "double", args: []*node{left, p.expression(bindImplicit + 1)}}
	case (left.op == "quantity" || left.op == "mixed") && (t.kind == 'n' || p.word(0) == "and" && p.peek(1).kind == 'n'):
		return p.mixed(left)
	}
	return nil
}

// quantity takes the unit of a number, with what that is divided by: "m/s^2".
func (p *parser) quantity(left *node) *node {
	right := p.expression(bindImplicit + 1)
	if left.op == "number" && right.op == "fraction" {
		return fraction(new(big.Rat).Mul(left.leaf.r, right.leaf.r).String())
	}
	for right.pure() && p.peek(0).kind == '/' && p.peek(1).kind == 'w' && p.peek(2).kind != '(' {
		if _, ok := units.find(p.peek(1).text); !ok {
			break
		}
		p.at++
		right = &node{op: "/", args: []*node{right, p.expression(bindImplicit + 1)}}
	}
	return &node{op: "quantity", args: []*node{left, right}}
}

func numeric(n *node) bool {
	switch n.op {
	case "number", "fraction", "group":
		return true
	case "neg":
		return numeric(n.args[0])
	}
	return false
}

// isOperand reports whether the word that comes is measured or multiplied by the
// number before it.
func (p *parser) isOperand(left *node) bool {
	word, lower := p.peek(0).text, p.word(0)
	if lower == "in" {
		return p.isInch()
	}
	if lower == "mod" || lower == "x" || infixes[lower].op != "" || lower == "to" {
		return false
	}
	if _, ok := units.find(word); ok {
		return true
	}
	_, isConstant := constants[lower]
	_, isFraction := fractions[lower]
	return isConstant || isFraction && left.op != "fraction" || left.op != "fraction" && functions[lower] != nil
}

// isInch tells the inch from the word that converts: nothing to convert to follows.
func (p *parser) isInch() bool {
	next := p.peek(1)
	return p.peek(0).typed == "in" && p.peek(-1).kind == 'n' && !(next.kind == 'w' && next.text != "in" && next.text != "to" || next.kind == '%')
}

// mixed takes a further quantity of the same kind; nil, and nothing is taken,
// where what follows is none.
func (p *parser) mixed(left *node) *node {
	back := p.at
	p.eatWord("and")
	more := &parser{toks: p.toks, at: p.at, depth: p.depth}
	right := more.expression(bindImplicit)
	a, err1 := left.eval()
	b, err2 := right.eval()
	if more.err != nil || right.op != "quantity" || err1 != nil || err2 != nil || a.dim != b.dim {
		p.at = back
		return nil
	}
	p.at = more.at
	return &node{op: "mixed", args: []*node{left, right}}
}

// converts reports whether a word comes that asks for another unit.
func (p *parser) converts(left *node) bool {
	switch p.word(0) {
	case "in":
		return !(left.op == "number" && p.isInch())
	case "to":
		return true
	case "a": // 5 millas a km
		_, ok := units.find(p.peek(1).text)
		return p.peek(1).kind == 'w' && ok
	}
	return false
}

// target reads the unit, or the units, that a quantity is wanted in.
func (p *parser) target(left *node) *node {
	out := &node{op: "in", args: []*node{left}}
	for {
		if p.eat('%') {
			out.args = append(out.args, &node{op: "unit", leaf: percentUnit, text: "%"})
			return out
		}
		name := p.peek(0).text
		unit := p.expression(bindProduct)
		if p.err == nil && !unit.pure() {
			return p.fail(unknown(name))
		}
		out.args = append(out.args, unit)
		if !p.eatWord("and") {
			return out
		}
	}
}

// prefix reads what an expression begins with.
func (p *parser) prefix() *node {
	t := p.peek(0)
	p.at++
	switch t.kind {
	case 'n':
		v, err := literal(t.text)
		if err != nil {
			return p.fail(err)
		}
		return &node{op: "number", leaf: v, text: t.text}
	case '(':
		n := p.expression(0)
		if p.err == nil && !p.eat(')') {
			return p.fail(refuse("A bracket is not closed."))
		}
		return &node{op: "group", args: []*node{n}}
	case '-':
		return &node{op: "neg", args: []*node{p.expression(bindSign)}}
	case '+':
		return p.expression(bindSign)
	case '√':
		return p.call("sqrt")
	case 'w':
		return p.named(t.text)
	case 0:
		return p.fail(refuse("Something is missing at the end."))
	}
	return p.fail(refuse("“" + t.text + "” stands where a number should."))
}

var articles = map[string]bool{"a": true, "an": true, "the": true, "of": true, "der": true, "die": true, "das": true, "le": true, "la": true, "les": true, "l'": true, "el": true, "los": true, "las": true}

// named reads what a word stands for.
func (p *parser) named(word string) *node {
	lower := strings.ToLower(word)
	if articles[lower] && p.peek(0).kind != 0 && word == lower {
		return p.expression(bindImplicit)
	}
	if functions[lower] != nil {
		return p.call(lower)
	}
	if f, ok := fractions[lower]; ok {
		return fraction(f)
	}
	if c, ok := constants[lower]; ok && (len(lower) > 1 || word == lower) {
		return &node{op: "constant", leaf: value{r: rat(c.value), dim: c.dim, inexact: c.inexact}, text: strings.ReplaceAll(lower, "_", " ")}
	}
	if u, ok := units.find(word); ok {
		n := &node{op: "unit", leaf: u.value(), text: u.name}
		if money[u.name] && p.peek(0).kind == 'n' {
			return &node{op: "quantity", args: []*node{p.prefix(), n}}
		}
		return n
	}
	return p.fail(unknown(word))
}

var fractions = map[string]string{"half": "1/2", "third": "1/3", "quarter": "1/4", "fifth": "1/5", "tenth": "1/10"}

func fraction(text string) *node {
	return &node{op: "fraction", leaf: exact(rat(text)), text: text}
}

func unknown(word string) error {
	return refuse("“" + word + "” is nothing that can be computed with.")
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

// call reads the arguments of a function: in brackets, or what binds tightly.
func (p *parser) call(name string) *node {
	n := &node{op: "call", text: name}
	if name == "log" && p.eatWord("base") {
		n.text, n.args = "logbase", []*node{p.prefix()}
	}
	p.eatWord("of", "between", "aus")
	if p.eat('(') {
		n.closed = true
		for p.err == nil {
			n.args = append(n.args, p.expression(0))
			if p.eat(')') {
				break
			}
			if !p.separated() {
				return p.fail(refuse("A bracket is not closed."))
			}
		}
		return n
	}
	if name == "remainder" {
		return p.remainder()
	}
	n.args = append(n.args, p.expression(bindImplicit))
	for p.err == nil && lists[name] && p.separated() {
		n.args = append(n.args, p.expression(bindImplicit))
	}
	return n
}

// separated takes what stands between two arguments.
func (p *parser) separated() bool {
	mark := p.eat(',') || p.eat(';')
	return p.eatWord("and") || mark
}

func (p *parser) remainder() *node {
	n := p.expression(bindProduct)
	if n.op == "/" {
		n.op = "mod"
		return n
	}
	return p.fail(refuse("A remainder is of a division."))
}
