package web

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

const (
	formulaRunes = 2000
	formulaNodes = 2000 // of a formula that are looked through for its source
)

// formulaMarks are parts of the classes by which pages mark formulas that scripts
// or servers have drawn; what was drawn is not read.
var formulaMarks = []string{"mwe-math-element", "katex", "math-inline", "math-block", "math-display", "mathjax", "mathjax_display", "mathjax_preview"}

// formula is the source of a formula: its TeX where the page still has it, else
// its MathML in a line. Empty for what is none.
func formula(n *html.Node) string {
	text := ""
	switch {
	case n.Data == "script" && strings.HasPrefix(attr(n, "type"), "math/tex"):
		text = innerText(n)
	case n.Data == "math":
		if text = texIn(n); text == "" {
			text = linear(n)
		}
	case n.Data == "mjx-container", markedFormula(n):
		text = texIn(n)
	case n.Data == "img":
		text = pictured(n)
	}
	text = strings.TrimSpace(text)
	if tex, ok := strings.CutPrefix(text, `{\displaystyle `); ok {
		text = strings.TrimSuffix(tex, "}")
	}
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > formulaRunes {
		return ""
	}
	return text
}

func markedFormula(n *html.Node) bool {
	for class := range strings.FieldsSeq(strings.ToLower(attr(n, "class"))) {
		for _, mark := range formulaMarks {
			if class == mark {
				return true
			}
		}
	}
	return false
}

// pictured is the source of a formula of which a service makes a picture: its
// text for those who do not see it, else the query of its address.
func pictured(n *html.Node) string {
	u, err := url.Parse(attr(n, "src"))
	if err != nil {
		return ""
	}
	class, service := strings.ToLower(attr(n, "class")), false
	for _, mark := range []string{"latex.codecogs.com", "/latex.php", "/mathtex.cgi", "/mimetex.cgi"} {
		service = service || strings.Contains(u.Host+u.Path, mark)
	}
	if !service && class != "latex" && class != "tex" {
		return ""
	}
	if alt := strings.TrimSpace(attr(n, "alt")); alt != "" || !service {
		return alt
	}
	tex, err := url.PathUnescape(u.RawQuery)
	if err != nil || strings.Contains(tex, "=") && !strings.Contains(tex, `\`) {
		return ""
	}
	return tex
}

// texIn is the TeX that an element carries along for a formula it shows.
func texIn(n *html.Node) string {
	if tex := attr(n, "data-math"); tex != "" {
		return tex
	}
	alt, seen := "", 0
	for c := range n.Descendants() {
		if seen++; seen > formulaNodes {
			break
		}
		switch {
		case c.Data == "annotation" && strings.Contains(attr(c, "encoding"), "tex"):
			return innerText(c)
		case c.Data == "math" && alt == "":
			alt = attr(c, "alttext")
		}
	}
	if n.Data == "math" && alt == "" {
		alt = attr(n, "alttext")
	}
	return alt
}

// scriptedFormula reports what was drawn of a formula whose source is a script
// that follows: reading both would say it twice.
func scriptedFormula(n *html.Node) bool {
	if !markedFormula(n) {
		return false
	}
	for s, near := n.NextSibling, 0; s != nil && near < 4; s, near = s.NextSibling, near+1 {
		if s.Data == "script" && strings.HasPrefix(attr(s, "type"), "math/tex") {
			return true
		}
	}
	return false
}

// linear writes MathML in a line, so that no exponent reads as a digit of its
// base.
func linear(n *html.Node) string {
	if n.Type == html.TextNode {
		return strings.TrimSpace(n.Data)
	}
	var parts []string
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if part := linear(c); part != "" && c.Data != "annotation" && c.Data != "annotation-xml" {
			parts = append(parts, part)
		}
	}
	switch join := map[string]string{"msup": "^", "msub": "_", "mfrac": "/"}[n.Data]; {
	case join != "" && len(parts) == 2:
		return grouped(parts[0]) + join + grouped(parts[1])
	case n.Data == "msqrt":
		return "√" + grouped(strings.Join(parts, ""))
	}
	return strings.Join(parts, "")
}

func grouped(s string) string {
	if utf8.RuneCountInString(s) < 2 || strings.Trim(s, "0123456789") == "" {
		return s
	}
	return "(" + s + ")"
}

// raised are the signs of exponents as characters of their own.
var raised = strings.NewReplacer("0", "⁰", "1", "¹", "2", "²", "3", "³", "4", "⁴", "5", "⁵", "6", "⁶", "7", "⁷", "8", "⁸", "9", "⁹", "+", "⁺", "-", "⁻", "−", "⁻", "–", "⁻")

// exponent is the text of a raised number, which must not read as digits of the
// number before it: 10⁵, not 105. Empty for what else is raised.
func exponent(n *html.Node) string {
	if n.Data != "sup" {
		return ""
	}
	text := strings.TrimSpace(innerText(n))
	if text == "" || len(text) > 8 || strings.Trim(text, "0123456789+-−–") != "" || strings.Trim(text, "+-−–") == "" {
		return ""
	}
	return raised.Replace(text)
}
