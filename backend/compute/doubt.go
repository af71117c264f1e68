package compute

import (
	"math/big"
	"strings"

	"footnote/backend/pattern"
)

// What looks like a sum and is not: dates, ranges, telephone numbers, sizes and
// names. What is written without blanks and means something else is left to search.
var (
	written = []*pattern.Regexp{
		pattern.New(`^\d+(?:-\d+){2,}$`),                                           // 2026-11-24, 555-123-4567
		pattern.New(`^\d{1,4}/\d{1,2}/\d{1,4}$`),                                   // 24/12/2026
		pattern.New(`^(?:1[5-9]|20|21)\d\d[-/]\d{2,4}$`),                           // 2023/24
		pattern.New(`^(?:24/7|9/11|7/7|7/11|50/50|20/20|60/40|70/30|80/20|4/20)$`), // names
		pattern.New(`^\d+[xX]\d+$`),                                                // 1920x1080
		pattern.New(`^\+?\(?0\d`), pattern.New(`^\+?\(\d+\) ?\d[\d -]*-\d+$`),      // telephone numbers
		pattern.New(`^\pL{1,3}[-+](?:\d|\+)`), // B-52, C++
		pattern.New(`^\d+-\pL`),               // 7-Eleven
		pattern.New(`(?i)\d ?[ap]m\b`),        // 5 pm
	}
	tightRange = pattern.New(`^(\d+)-(\d+)\b`)
	order      = pattern.New(`(?i)^[\s¿]*(?:please )?(?:calculate|compute|evaluate|work out|solve|convert|berechne|rechne|calcul|convi?ert)`)
)

// beyond are sums that are none of arithmetic: equations with an unknown, integrals
// and derivatives.
var beyond = []*pattern.Regexp{
	pattern.New(`^[\d\s.,+\-−*×·/÷^()²³]*\b\d*[xyz]\b[\d\s.,+\-−*×·/÷^()²³xyz]*=[\d\s.,+\-−*×·/÷^()²³xyz]+$`),
	pattern.New(`(?i)^(?:the |das |die |l'|la )?(?:integral|derivative|ableitung|stammfunktion|dérivée|intégrale|derivada|derivata|integrale) (?:of|von|der|de|di) .*\b\d*[xyz]\b`),
}

// isBeyond reports whether a question is such a sum.
func isBeyond(s said) bool {
	for _, b := range beyond {
		if b.MatchString(strings.TrimSpace(s.rest)) {
			return true
		}
	}
	return false
}

// certain reports whether a question is surely a sum: it has an operation on
// numbers, and is not written like something else.
func certain(s said, tree *node) bool {
	if s.ordered {
		return true
	}
	if tree.worked() == 0 {
		return false
	}
	rest := strings.TrimSpace(s.rest)
	for _, w := range written {
		if w.MatchString(rest) && !s.equals {
			return false
		}
	}
	if m := tightRange.FindStringSubmatch(rest); m != nil && !s.equals {
		a, _ := new(big.Int).SetString(m[1], 10)
		b, _ := new(big.Int).SetString(m[2], 10)
		return a.Cmp(b) > 0 && m[0] == rest
	}
	return true
}

// wordy are functions whose names are words like others: certain in brackets or
// with several numbers only.
var wordy = map[string]bool{
	"round": true, "floor": true, "ceil": true, "abs": true, "min": true, "max": true, "exp": true, "average": true, "mean": true,
	"total": true, "product": true, "difference": true, "remainder": true,
}

// worked counts the operations of an expression that take work.
func (n *node) worked() (count int) {
	for _, a := range n.args {
		count += a.worked()
	}
	switch n.op {
	case "+", "-", "*", "/", "mod", "off", "vat", "double", "^":
		if !n.args[1].pure() && !n.args[0].pure() {
			count++
		}
	case "!":
		count++
	case "in":
		if n.args[0].hasNumber() || !vagueSpan[n.args[0].text] {
			count++
		}
	case "of":
		if n.args[1].hasNumber() && !(n.args[0].op == "fraction" && isYear(n.args[1])) {
			count++
		}
	case "quantity":
		if !n.args[1].pure() && (n.args[1].op != "constant" || n.args[1].text == "pi" || n.args[1].text == "π") {
			count++ // "2 sqrt 3"
		}
	case "call":
		if n.closed || len(n.args) > 1 && !(isYear(n.args[0]) && isYear(n.args[1])) || !wordy[n.text] {
			count++
		}
	}
	return count
}

// vagueSpan are the measures whose length is an average.
var vagueSpan = map[string]bool{"months": true, "years": true}

func (n *node) hasNumber() bool {
	if n.op == "number" || n.op == "fraction" || n.op == "constant" {
		return true
	}
	for _, a := range n.args {
		if a.hasNumber() {
			return true
		}
	}
	return false
}

func isYear(n *node) bool {
	return n.op == "number" && n.leaf.r.IsInt() && len(n.text) == 4 && (n.text[0] == '1' || n.text[0] == '2')
}
