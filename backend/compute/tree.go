package compute

import "strings"

// node is a part of an expression: a leaf with its value, or an operation.
type node struct {
	op     string // of a leaf "number", "unit", "constant" or "fraction"
	args   []*node
	leaf   value
	text   string // as a leaf is shown; of a call, its name
	tight  bool   // the sign was written without blanks
	closed bool   // the arguments of a call stood in brackets
}

// operations say what becomes of the values of a node's parts.
var operations = map[string]func(args []value) (value, error){
	"+": func(a []value) (value, error) { return a[0].add(a[1], 1) }, "-": func(a []value) (value, error) { return a[0].add(a[1], -1) },
	"*": func(a []value) (value, error) { return a[0].mul(a[1]) }, "/": func(a []value) (value, error) { return a[0].div(a[1]) },
	"of": func(a []value) (value, error) { return a[0].mul(a[1]) }, "mod": func(a []value) (value, error) { return a[0].mod(a[1]) },
	"^": func(a []value) (value, error) { return a[0].pow(a[1]) }, "quantity": func(a []value) (value, error) { return a[0].measured(a[1]) },
	"mixed": func(a []value) (value, error) { return a[0].add(a[1], 1) }, "neg": func(a []value) (value, error) { return a[0].negated(), nil },
	"%": func(a []value) (value, error) { return a[0].percentage() }, "!": func(a []value) (value, error) { return factorial(a[0]) },
	"group":  func(a []value) (value, error) { a[0].percent = false; return a[0], nil },
	"off":    func(a []value) (value, error) { return a[1].add(a[0], -1) },
	"vat":    func(a []value) (value, error) { return a[1].add(a[0], 1) },
	"in":     func(a []value) (value, error) { return a[0].convert(a[1:]) },
	"double": func(a []value) (value, error) { return a[0].mul(a[1]) },
}

func (n *node) eval() (value, error) {
	if len(n.args) == 0 {
		return n.leaf, nil
	}
	args := make([]value, len(n.args))
	for i, a := range n.args {
		v, err := a.eval()
		if err != nil {
			return v, err
		}
		args[i] = v
	}
	if n.op == "call" {
		return functions[n.text](args)
	}
	return operations[n.op](args)
}

// pure reports whether a part has units only.
func (n *node) pure() bool {
	if len(n.args) == 0 {
		return n.op == "unit"
	}
	if n.op == "^" {
		return n.args[0].pure()
	}
	for _, a := range n.args {
		if !a.pure() {
			return false
		}
	}
	return n.op == "*" || n.op == "/" || n.op == "group"
}

// height is how many operations lie above one another. What is only written
// down has none.
func (n *node) height() int {
	if len(n.args) == 0 || n.pure() || n.op == "/" && n.args[1].pure() && n.args[0].height() == 0 {
		return 0
	}
	most := 0
	for _, a := range n.args {
		most = max(most, a.height())
	}
	switch n.op {
	case "group", "neg", "%", "quantity", "mixed":
		return most
	}
	return most + 1
}

const (
	mostSteps    = 4
	mostShown    = 160 // bytes of a step
	shownNumbers = 24  // bytes of a number in it
)

// result writes the value of a whole expression with its working.
func (n *node) result(v value) Result {
	text, about := v.text()
	r := Result{Input: n.render(0), Output: text, About: about}
	switch n.op {
	case "in":
		r.Note = n.conversion()
	case "vat", "off":
		n.share(&r, text)
	default:
		r.Steps, r.Note = n.steps(r), n.fraction(v)
	}
	if r.Note == "" && n.inRadians() {
		r.Note = "the angle is in radians; write 30° for degrees"
	}
	return r
}

// fraction is a short one that a rounded number stands for, where the question is
// not that very fraction.
func (n *node) fraction(v value) string {
	if v.inexact || v.dim != number || len(v.show) > 0 || v.zero != nil || n.op == "/" && n.height() == 1 {
		return ""
	}
	if _, ends := decimals(v.r); ends || len(v.r.Denom().String()) > 6 || len(v.r.Num().String()) > 12 {
		return ""
	}
	return v.r.String()
}

// steps are what an expression becomes when its innermost parts are worked out
// first; none where one of them does not come out even.
func (n *node) steps(r Result) (steps []string) {
	before := r.Input
	for k := 1; k < n.height(); k++ {
		s := n.render(k)
		if s == before {
			continue
		}
		if k > mostSteps || len(s) > mostShown || strings.Contains(s, "≈") {
			return nil
		}
		steps, before = append(steps, s), s
	}
	return steps
}

// share tells the part that a percentage adds or takes off.
func (n *node) share(r *Result, total string) {
	rate, err1 := n.args[0].eval()
	of, err2 := n.args[1].eval()
	if err1 != nil || err2 != nil {
		return
	}
	part, err := rate.mul(of)
	if err != nil {
		return
	}
	amount, about := part.text()
	r.About = r.About || about
	if n.op == "vat" {
		r.Output, r.Note = amount, "total "+total
		return
	}
	r.Note = amount + " less"
}

// conversion says how many of the wanted unit are in one of the given.
func (n *node) conversion() string {
	from, to := n.args[0], n.args[1]
	v, err := from.eval()
	if err != nil || len(n.args) != 2 || len(v.show) == 0 && v.zero == nil {
		return ""
	}
	target, err := to.eval()
	if err != nil || v.zeroName() == target.zeroName() {
		return ""
	}
	if v.zero != nil || target.zero != nil {
		return formulas[[2]string{v.zeroName(), target.zeroName()}]
	}
	one := value{r: v.show.scale(), dim: v.dim, show: v.show}
	if v.r.Cmp(one.r) == 0 {
		return ""
	}
	left, _ := one.text()
	one.show = target.show
	if right, about := one.text(); !about {
		return left + " = " + right
	}
	return ""
}

var formulas = map[[2]string]string{
	{"°F", "°C"}: "subtract 32, multiply by 5/9", {"°C", "°F"}: "multiply by 9/5, add 32", {"°C", "K"}: "add 273.15", {"K", "°C"}: "subtract 273.15",
}

func (n *node) inRadians() bool {
	if n.op == "call" && angles[n.text] && len(n.args) == 1 && n.args[0].op == "number" && n.args[0].text != "0" {
		return true
	}
	for _, a := range n.args {
		if a.inRadians() {
			return true
		}
	}
	return false
}

var angles = map[string]bool{"sin": true, "cos": true, "tan": true}

// render writes an expression; parts up to a height as what they come to.
func (n *node) render(worked int) string {
	if h := n.height(); h > 0 && h <= worked {
		return n.worth()
	}
	args := make([]string, len(n.args))
	for i, a := range n.args {
		args[i] = a.render(worked)
	}
	switch n.op {
	case "number", "unit", "constant", "fraction":
		return n.text
	case "neg":
		return "−" + args[0]
	case "%":
		return args[0] + " %"
	case "!":
		return args[0] + "!"
	case "^":
		return args[0] + power(args[1], n.args[0].pure())
	case "group":
		if n.args[0].height() <= worked && n.args[0].op != "neg" {
			return args[0]
		}
		return "(" + args[0] + ")"
	case "quantity":
		if prefixMoney[args[1]] {
			return args[1] + args[0]
		}
		return args[0] + " " + agreeing(args[0], args[1])
	case "mixed":
		return args[0] + " " + args[1]
	case "call":
		return n.text + "(" + strings.Join(args, ", ") + ")"
	case "in":
		if n.args[0].pure() {
			return "1 " + singular(args[0])
		}
		return args[0]
	case "vat":
		return args[0] + " on " + args[1]
	case "/":
		if n.tight || n.args[1].pure() {
			return args[0] + "/" + args[1]
		}
	}
	return args[0] + " " + shown[n.op] + " " + args[1]
}

var shown = map[string]string{"+": "+", "-": "−", "*": "×", "/": "/", "of": "of", "mod": "mod", "off": "off", "double": "×"}

// worth writes what a part comes to.
func (n *node) worth() string {
	v, err := n.eval()
	if err != nil {
		return "≈"
	}
	text, about := v.text()
	if about || len(text) > shownNumbers {
		return "≈"
	}
	if strings.HasPrefix(text, "−") {
		return "(" + text + ")"
	}
	return text
}

// singular is the name of one of a unit that is written as a word.
func singular(name string) string {
	if len(name) > 3 {
		return strings.TrimSuffix(name, "s")
	}
	return name
}

func agreeing(n, unit string) string {
	if n == "1" || n == "−1" {
		return singular(unit)
	}
	return unit
}

func power(exponent string, ofUnit bool) string {
	if ofUnit {
		return superscript(exponent)
	}
	return "^" + exponent
}

func superscript(s string) string {
	return strings.NewReplacer("2", "²", "3", "³", "−", "⁻", "-", "⁻", "1", "¹", "4", "⁴", "0", "⁰", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹").Replace(s)
}
