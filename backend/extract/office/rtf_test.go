package office

import (
	"strings"
	"testing"

	"footnote/backend/extract/formattest"
)

const rtfSample = `{\rtf1\ansi\ansicpg1250\uc1\deff0{\fonttbl{\f0\fnil\fcharset238 Arial;}{\f1\fcharset204 Cyr;}{\f2\fcharset128 Jap;}{\f3\fcharset2 Symbol;}}
{\colortbl;\red0;}{\stylesheet{\s1 heading 1;}{\s2\sbasedon0 Normal;}}{\info{\title The letter}{\revtim\yr2021\mo4\dy5}}{\*\generator Writer;}
\pard\s1 Za\'bf\'f3\'b3\'e6\par
\pard\plain Text with {\b bold}, \ldblquote quotes\rdblquote  and \u8364? euro, \uc2\u-10179\'3f?\u-8704\'3f? face.{\v hidden}{\*\unknown secret}\par
{\f1\'cf\'f0\'e8\'e2\'e5\'f2} {\f2\'83\'65\'83\'58\'83\'67}{\f3\'b7}\par
{\listtext\tab 1.}item{\footnote a note}\par
{\field{\*\fldinst HYPERLINK "x"}{\fldrslt link}}{\header head}{\pict\bin4 }{}}}{\annotation remark}\par
\trowd\cellx1\cellx2\intbl Year\cell Sum\cell\row
\trowd\intbl 2021\par more\cell 5\cell\row
\pard\outlinelevel1 Second\par last`

func TestRichTextIsReadAsShown(t *testing.T) {
	doc := extractString(t, "a.rtf", rtfSample+"}")
	formattest.WantOutline(t, doc, `
heading1@0 Zażółć
paragraph0@0 Text with bold, “quotes” and € euro, 😀 face.
paragraph0@0 Привет テスト
list0@0 item
paragraph0@0 link
row0@0 Year  Sum
row0@0 2021 more  5
heading2@0 Second
heading2@0 last
paragraph0@0 a note
`)
	if doc.Source.Title != "The letter" || doc.Source.Published.Format("2006-01-02") != "2021-04-05" {
		t.Errorf("source %+v", doc.Source)
	}
}

func TestHostileRichTextIsReadInTime(t *testing.T) {
	for name, text := range map[string]string{
		"open":   `{\rtf1 token` + strings.Repeat("{", 500_000),
		"closed": `{\rtf1 token` + strings.Repeat("}", 500_000),
		"cut":    `{\rtf1 token\'`,
		"bin":    `{\rtf1 token\bin99999999999 x}`,
		"number": `{\rtf1 token\u99999999999999999999 \uc-5 \li-}`,
		"words":  `{\rtf1 token` + strings.Repeat(`\x`, 300_000),
	} {
		if doc := extractString(t, "a.rtf", text); !strings.HasPrefix(doc.Text, "token") {
			t.Errorf("%s: %.40q", name, doc.Text)
		}
	}
}

func FuzzExtractRTF(f *testing.F) {
	f.Add([]byte(rtfSample))
	f.Add([]byte(`{\rtf1\mac\u55357?{\*\shppict x}\'e`))
	formattest.FuzzReaders(f, ReadRTF)
}
