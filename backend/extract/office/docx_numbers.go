package office

import (
	"strconv"
	"strings"

	"footnote/backend/extract/format"
)

const listLevels = 9

// numbering counts the numbered paragraphs of a Word document, whose numbers
// stand nowhere in its text.
type numbering struct {
	lists  map[string]*numberedList // by numId
	styled map[string]numberedStyle // by id of the paragraph style
}

// numberedStyle is the list that a paragraph style puts its paragraphs in.
type numberedStyle struct {
	list  string
	level int
}

// numberedList is one use of a definition; uses of the same one go on counting.
type numberedList struct {
	*listForm
	starts [listLevels]int // where this use begins anew; -1: it goes on
}

// listForm defines how the levels of a list are numbered, and how far they are.
type listForm struct {
	levels [listLevels]listLevel
	at     [listLevels]int
	begun  [listLevels]bool
}

type listLevel struct {
	start  int
	format string // decimal, lowerLetter, bullet …; empty: the level is not numbered
	text   string // "%1.%2."
	legal  bool   // all numbers are decimal
}

// readNumbering reads the lists of a document and which styles belong to them.
func readNumbering(a *format.Archive, lim format.Limits) *numbering {
	n := &numbering{lists: map[string]*numberedList{}}
	forms := map[string]*listForm{}
	var form *listForm
	var list *numberedList
	level := 0
	format.WalkPart(a, "word/numbering.xml", lim, format.XMLWalk{Open: func(name string, attr format.XMLAttrs) bool {
		val := attr.Get("val")
		switch name {
		case "abstractNum":
			form = &listForm{}
			forms[attr.Get("abstractNumId")] = form
		case "num":
			list = &numberedList{}
			for i := range list.starts {
				list.starts[i] = -1
			}
			n.lists[attr.Get("numId")], form = list, nil
		case "abstractNumId":
			if list != nil {
				list.listForm = forms[val]
			}
		case "lvl", "lvlOverride":
			level = min(max(0, wholeNumber(attr.Get("ilvl"))), listLevels-1)
		case "startOverride":
			if list != nil {
				list.starts[level] = wholeNumber(val)
			}
		case "rPr", "pPr":
			return true
		}
		if form != nil {
			form.levels[level].property(name, val)
		}
		return false
	}})
	n.styled = numberedStyles(a, lim)
	return n
}

func (l *listLevel) property(name, val string) {
	switch name {
	case "start":
		l.start = wholeNumber(val)
	case "numFmt":
		l.format = val
	case "lvlText":
		l.text = val
	case "isLgl":
		l.legal = val != "0" && val != "false"
	}
}

func wholeNumber(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 || n > 1<<20 {
		return 0
	}
	return n
}

// numberedStyles reads which paragraph styles are numbered, also through the
// styles they are based on.
func numberedStyles(a *format.Archive, lim format.Limits) map[string]numberedStyle {
	own, based := map[string]numberedStyle{}, map[string]string{}
	id := ""
	format.WalkPart(a, "word/styles.xml", lim, format.XMLWalk{Open: func(name string, attr format.XMLAttrs) bool {
		s := own[id]
		switch name {
		case "style":
			id = attr.Get("styleId")
			return attr.Get("type") != "paragraph"
		case "basedOn":
			based[id] = attr.Get("val")
		case "ilvl":
			s.level = min(wholeNumber(attr.Get("val")), listLevels-1)
			own[id] = s
		case "numId":
			s.list = attr.Get("val")
			own[id] = s
		}
		return false
	}})
	for id := range based {
		level, at := own[id].level, id
		for range 10 {
			if s, ok := own[at]; ok && s.list != "" {
				own[id] = numberedStyle{s.list, max(level, s.level)}
				break
			}
			at = based[at]
		}
	}
	return own
}

// next counts a paragraph of a list and gives its number as it is shown; empty
// when it has none.
func (n *numbering) next(list string, level int) string {
	l := n.lists[list]
	if l == nil || l.listForm == nil {
		return ""
	}
	level = min(max(0, level), listLevels-1)
	for i := 0; i <= level; i++ {
		if l.starts[i] >= 0 { // the first paragraph of this use
			l.at[i], l.begun[i] = l.starts[i], false
			l.starts[i] = -1
			continue
		}
		if !l.begun[i] {
			l.at[i] = l.levels[i].start
		}
	}
	if l.begun[level] {
		l.at[level]++
	}
	for i := range l.begun {
		l.begun[i] = i <= level
	}
	return l.label(level)
}

// label writes the number of a level as its form says.
func (f *listForm) label(level int) string {
	form := f.levels[level]
	if form.format == "" || form.format == "bullet" || form.format == "none" {
		return ""
	}
	var out strings.Builder
	for i := 0; i < len(form.text); i++ {
		if form.text[i] != '%' || i+1 == len(form.text) || form.text[i+1] < '1' || form.text[i+1] > '9' {
			out.WriteByte(form.text[i])
			continue
		}
		i++
		of := int(form.text[i] - '1')
		format := f.levels[of].format
		if form.legal {
			format = "decimal"
		}
		out.WriteString(counted(f.at[of], format))
	}
	return out.String()
}

// counted writes a number in a format of Word; those that are not known are
// written in digits.
func counted(n int, format string) string {
	switch format {
	case "lowerLetter", "upperLetter":
		if n < 1 || n > 26*30 {
			break
		}
		letter := strings.Repeat(string(rune('a'+(n-1)%26)), (n-1)/26+1)
		if format == "upperLetter" {
			return strings.ToUpper(letter)
		}
		return letter
	case "lowerRoman":
		return strings.ToLower(roman(n))
	case "upperRoman":
		return roman(n)
	case "decimalZero":
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
	case "none":
		return ""
	}
	return strconv.Itoa(n)
}

func roman(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var out strings.Builder
	for _, step := range []struct {
		value int
		text  string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for n >= step.value {
			out.WriteString(step.text)
			n -= step.value
		}
	}
	return out.String()
}
