package office

import (
	"strings"

	"golang.org/x/text/encoding/charmap"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// rtfTexts are the characters that control words stand for.
var rtfTexts = map[string]string{
	"tab": " ", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
	"bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " ", "line": " ", "softline": " ", "chpgn": "",
}

// rtfDests are the groups whose text is none of the body's.
var rtfDests = map[string]rtfDest{
	"fonttbl": rtfFonts, "stylesheet": rtfStyles, "info": rtfInfo, "footnote": rtfNote,
	"colortbl": rtfNowhere, "pict": rtfNowhere, "header": rtfNowhere, "headerl": rtfNowhere, "headerr": rtfNowhere, "headerf": rtfNowhere,
	"footer": rtfNowhere, "footerl": rtfNowhere, "footerr": rtfNowhere, "footerf": rtfNowhere, "fldinst": rtfNowhere, "objdata": rtfNowhere,
	"annotation": rtfNowhere, "atnid": rtfNowhere, "atnauthor": rtfNowhere, "listtext": rtfNowhere, "pntext": rtfNowhere, "sn": rtfNowhere, "sv": rtfNowhere,
	"filetbl": rtfNowhere, "revtbl": rtfNowhere, "listtable": rtfNowhere, "listoverridetable": rtfNowhere, "rsidtbl": rtfNowhere, "generator": rtfNowhere,
	"themedata": rtfNowhere, "datastore": rtfNowhere, "latentstyles": rtfNowhere, "nonshppict": rtfNowhere, "xe": rtfNowhere, "tc": rtfNowhere, "bkmkstart": rtfNowhere,
	"bkmkend": rtfNowhere, "object": rtfBody, "result": rtfBody, "shptxt": rtfBody, "fldrslt": rtfBody, "shpinst": rtfBody, "shp": rtfBody, "ud": rtfBody,
}

// word obeys a control word with its number, if it has one.
func (r *rtf) word(word string, n int, given, fresh, star bool) {
	if word == "u" && given {
		r.unicode(n)
		return
	}
	if word == "bin" && given {
		r.at += max(0, min(n, len(r.data)-r.at))
		return
	}
	r.flush()
	if text, ok := rtfTexts[word]; ok {
		r.write([]byte(text))
		return
	}
	if fresh && r.destination(word, star) {
		return
	}
	switch r.now.dest {
	case rtfFonts:
		r.fontWord(word, n)
	case rtfStyles:
		if word == "s" || word == "cs" || word == "ds" {
			r.now.styled = n
		}
	case rtfInfo, rtfDate:
		r.infoWord(word, n)
	default:
		r.bodyWord(word, n, given)
	}
}

// destination notes where the text of the group that begins with word goes.
func (r *rtf) destination(word string, star bool) bool {
	dest, known := rtfDests[word]
	switch {
	case r.now.dest == rtfNowhere:
		return false
	case word == "listtext" || word == "pntext":
		r.list = true
		r.now.dest = rtfNowhere
	case r.now.dest == rtfInfo && word == "title":
		r.now.dest = rtfTitle
	case r.now.dest == rtfInfo && word == "revtim":
		r.now.dest = rtfDate
	case known && (dest != rtfBody || r.now.dest == rtfNowhere):
		r.now.dest = dest
	case known:
	case star && r.now.dest != rtfFonts && r.now.dest != rtfStyles:
		r.now.dest = rtfNowhere
	default:
		return false
	}
	return true
}

func (r *rtf) fontWord(word string, n int) {
	switch word {
	case "f":
		r.font = n
	case "fcharset":
		if n == 2 {
			r.fonts[r.font] = nil
		} else if page := charsetPages[n]; page > 0 {
			r.fonts[r.font] = format.CodePage(page)
		}
	case "cpg":
		r.fonts[r.font] = format.CodePage(n)
	}
}

func (r *rtf) infoWord(word string, n int) {
	if r.now.dest != rtfDate || n < 0 || n > 2200 {
		return
	}
	switch word {
	case "yr":
		r.date[0] = n
	case "mo":
		r.date[1] = n
	case "dy":
		r.date[2] = n
	}
}

// bodyWord obeys the words of the text: the file's code page, ends of
// paragraphs, cells and rows, and what a paragraph is.
func (r *rtf) bodyWord(word string, n int, given bool) {
	switch word {
	case "ansicpg":
		r.page = format.CodePage(n)
	case "mac":
		r.page = charmap.Macintosh
	case "pc":
		r.page = format.CodePage(437)
	case "pca":
		r.page = format.CodePage(850)
	case "uc":
		r.now.skip = max(0, min(n, 16))
	case "f":
		r.now.font = n
	case "plain":
		r.now.hidden = false
	case "v":
		r.now.hidden = !given || n != 0
	case "pard":
		r.now.table, r.now.style, r.now.styled, r.now.listing = false, -1, 0, false
	case "intbl":
		r.now.table = true
	case "s":
		r.now.styled = r.styles[n]
	case "outlinelevel":
		r.now.style = n
	case "ls", "pn", "pnlvlblt", "pnlvlbody":
		r.now.listing = true
	default:
		r.breakWord(word)
	}
}

func (r *rtf) breakWord(word string) {
	switch word {
	case "par", "sect", "page", "column":
		r.paragraph()
	case "cell":
		r.cells = append(r.cells, string(r.words))
		r.words, r.list = r.words[:0], false
	case "nestcell", "nestrow":
		r.words = append(r.words, ' ', ' ')
	case "row":
		r.row()
	}
}

// paragraph writes the open paragraph; inside a table it goes on in its cell.
func (r *rtf) paragraph() {
	switch {
	case r.now.dest == rtfNote:
		r.note = append(r.note, ' ')
		return
	case r.now.dest != rtfBody:
		return
	case r.now.table:
		r.words = append(r.words, ' ')
		return
	}
	r.row()
	text, bullet := strings.CutPrefix(strings.TrimSpace(string(r.words)), "•")
	block := evidence.Block{Kind: evidence.Paragraph}
	switch level := r.now.level(); {
	case level > 0:
		block.Kind, block.Level = evidence.Heading, level
	case bullet || r.list || r.now.listing:
		block.Kind = evidence.ListItem
	}
	r.b.Add(block, text)
	r.words, r.list = r.words[:0], false
}

// level is the paragraph's heading level; 0 for none.
func (g rtfGroup) level() int {
	if g.styled > 0 {
		return min(g.styled, 6)
	}
	if g.style >= 0 && g.style < 6 {
		return g.style + 1
	}
	return 0
}

func (r *rtf) row() {
	if len(r.cells) == 0 {
		return
	}
	r.b.AddRow(evidence.Block{}, r.cells)
	r.cells = r.cells[:0]
}

// charsetPages gives the code pages of fonts' character sets.
var charsetPages = map[int]int{
	0: 1252, 77: 10000, 128: 932, 129: 949, 134: 936, 136: 950, 161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874, 238: 1250, 255: 437,
}
