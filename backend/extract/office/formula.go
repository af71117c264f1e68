package office

import (
	"strings"
	"unicode"

	"footnote/backend/extract/format"
)

// formula writes the formulas of office documents on one line, as one types
// them: a/b, x^2, √(a+b), ∑_(k=0)^n. It is given the elements inside oMath.
type formula struct{ nodes []formulaNode }

// formulaNode is an open element of a formula.
type formulaNode struct {
	name string
	text string
	args map[string][]string // what its parts say, by their names
	vals map[string]string   // of its properties
}

func newFormula() *formula { return &formula{nodes: []formulaNode{{name: "oMath"}}} }

// open takes an element; its properties belong to the one around them.
func (f *formula) open(name string, attr format.XMLAttrs) (skip bool) {
	switch {
	case name == "rPr" || name == "ctrlPr":
		return true
	case strings.HasSuffix(name, "Pr"):
		f.nodes = append(f.nodes, formulaNode{name: "Pr"})
		return false
	}
	if at := len(f.nodes) - 1; f.nodes[at].name == "Pr" && at > 0 {
		around := &f.nodes[at-1]
		if around.vals == nil {
			around.vals = map[string]string{}
		}
		around.vals[name] = attr.Get("val")
	}
	f.nodes = append(f.nodes, formulaNode{name: name})
	return false
}

func (f *formula) write(s string) {
	if n := &f.nodes[len(f.nodes)-1]; n.name == "t" {
		n.text += s
	}
}

// close ends an element. After the last one it gives the whole formula.
func (f *formula) close() (text string, done bool) {
	at := len(f.nodes) - 1
	n := &f.nodes[at]
	if at == 0 {
		return n.text, true
	}
	text, around := n.linear(), &f.nodes[at-1]
	switch n.name {
	case "e", "num", "den", "sub", "sup", "deg", "fName", "lim", "mr":
		if around.args == nil {
			around.args = map[string][]string{}
		}
		around.args[n.name] = append(around.args[n.name], text)
	case "Pr":
	default:
		around.text += text
	}
	f.nodes = f.nodes[:at]
	return "", false
}

// linear is what an element says on one line.
func (n *formulaNode) linear() string {
	arg := func(name string) string { return strings.Join(n.args[name], ", ") }
	e := arg("e")
	switch n.name {
	case "f":
		if n.vals["type"] == "noBar" {
			return "(" + arg("num") + " " + arg("den") + ")"
		}
		return grouped(arg("num")) + "/" + grouped(arg("den"))
	case "sSup", "sSub", "sSubSup":
		return grouped(e) + script("_", arg("sub")) + script("^", arg("sup"))
	case "sPre":
		return script("_", arg("sub")) + script("^", arg("sup")) + grouped(e)
	case "rad":
		return arg("deg") + "√" + grouped(e)
	case "nary":
		return n.val("chr", "∫") + script("_", arg("sub")) + script("^", arg("sup")) + " " + e
	case "d":
		return n.val("begChr", "(") + strings.Join(n.args["e"], n.val("sepChr", "|")) + n.val("endChr", ")")
	case "func":
		return arg("fName") + " " + e
	case "limLow":
		return e + script("_", arg("lim"))
	case "limUpp":
		return e + script("^", arg("lim"))
	case "eqArr":
		return strings.Join(n.args["e"], "; ")
	case "m":
		return "[" + strings.Join(n.args["mr"], "; ") + "]"
	}
	return e + n.text
}

// val is a property that may be empty, or what it is when it is not there.
func (n *formulaNode) val(name, otherwise string) string {
	if v, ok := n.vals[name]; ok {
		return v
	}
	return otherwise
}

func script(mark, s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return mark + grouped(s)
}

// grouped puts brackets around what is more than one name or number.
func grouped(s string) string {
	s = strings.TrimSpace(s)
	if !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '∞' }) {
		return s
	}
	if strings.HasPrefix(s, "(") && strings.Index(s, ")") == len(s)-1 {
		return s
	}
	return "(" + s + ")"
}
