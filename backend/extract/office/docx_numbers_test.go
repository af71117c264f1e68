package office

import (
	"strings"
	"testing"

	"footnote/backend/extract/formattest"
)

const numberedForms = `<numbering>
<abstractNum abstractNumId="0">
<lvl ilvl="0"><start val="1"/><numFmt val="upperRoman"/><lvlText val="%1."/></lvl>
<lvl ilvl="1"><start val="1"/><numFmt val="decimal"/><isLgl/><lvlText val="%1.%2"/></lvl>
<lvl ilvl="2"><start val="3"/><numFmt val="lowerLetter"/><lvlText val="(%3)"/></lvl>
</abstractNum>
<abstractNum abstractNumId="1"><lvl ilvl="0"><start val="1"/><numFmt val="bullet"/><lvlText val="•"/></lvl></abstractNum>
<num numId="5"><abstractNumId val="0"/></num>
<num numId="6"><abstractNumId val="1"/></num>
<num numId="7"><abstractNumId val="0"/><lvlOverride ilvl="0"><startOverride val="9"/></lvlOverride></num>
</numbering>`

func wordOf(t *testing.T, body string, parts ...string) string {
	t.Helper()
	document := `<document><body>` + body + `</body></document>`
	return extractString(t, "a.docx", string(formattest.ZipOf(t, append([]string{"word/document.xml", document}, parts...)...))).Text
}

func numbered(list, level, text string) string {
	return `<p><pPr><numPr><ilvl val="` + level + `"/><numId val="` + list + `"/></numPr></pPr><r><t>` + text + `</t></r></p>`
}

func TestNumberedParagraphsHaveTheNumbersTheyAreShownWith(t *testing.T) {
	body := numbered("5", "0", "Parties") + numbered("5", "1", "Owner") + numbered("5", "2", "rent") + numbered("5", "2", "heat") +
		numbered("6", "0", "plain") + numbered("5", "1", "Tenant") + numbered("5", "0", "Term") + numbered("5", "1", "Years") +
		numbered("7", "0", "Annex") + numbered("7", "0", "Plans") + numbered("99", "0", "nowhere") +
		`<p><pPr><pStyle val="Clause"/></pPr><r><t>Styled</t></r></p>`
	styles := `<styles><style type="paragraph" styleId="Base"><name val="Base"/><pPr><numPr><numId val="5"/></numPr></pPr></style>
<style type="paragraph" styleId="Clause"><name val="Clause"/><basedOn val="Base"/><pPr><numPr><ilvl val="1"/></numPr></pPr></style></styles>`
	got := wordOf(t, body, "word/numbering.xml", numberedForms, "word/styles.xml", styles)
	want := "I. Parties|1.1 Owner|(c) rent|(d) heat|plain|1.2 Tenant|II. Term|2.1 Years|IX. Annex|X. Plans|nowhere|10.1 Styled"
	if flat := strings.Join(strings.Fields(strings.ReplaceAll(got, "\n", "|")), " "); strings.ReplaceAll(flat, "||", "|") != want {
		t.Errorf("got  %s\nwant %s", flat, want)
	}
}

func TestItemsKeepHowDeepTheirListStands(t *testing.T) {
	word := `<document><body>` + numbered("6", "0", "plain") + numbered("6", "2", "deep") + `</body></document>`
	text := `<office:document-content xmlns:office="o" xmlns:text="t"><office:body><office:text><text:list><text:list-item><text:p>plain</text:p>
<text:list><text:list-item><text:list><text:list-item><text:p>deep</text:p></text:list-item></text:list></text:list-item></text:list></text:list-item></text:list></office:text></office:body></office:document-content>`
	for name, data := range map[string][]byte{
		"a.docx": formattest.ZipOf(t, "word/document.xml", word, "word/numbering.xml", numberedForms),
		"a.odt":  formattest.ZipOf(t, "mimetype", "application/vnd.oasis.opendocument.text", "content.xml", text),
	} {
		depth := map[string]int{}
		doc := extractString(t, name, string(data))
		for _, b := range doc.Blocks {
			depth[doc.Text[b.Start:b.End]] = b.Nested().Depth
		}
		if depth["plain"] != 1 || depth["deep"] != 3 {
			t.Errorf("%s: %v", name, depth)
		}
	}
}

func TestNumbersAreWrittenInTheirFormat(t *testing.T) {
	for _, c := range []struct {
		n            int
		format, want string
	}{
		{4, "upperRoman", "IV"}, {1994, "lowerRoman", "mcmxciv"}, {27, "lowerLetter", "aa"}, {26, "upperLetter", "Z"}, {7, "decimalZero", "07"},
		{12, "chineseCounting", "12"}, {0, "upperRoman", "0"}, {-3, "lowerLetter", "-3"}, {1 << 20, "upperLetter", "1048576"}, {3, "none", ""},
	} {
		if got := counted(c.n, c.format); got != c.want {
			t.Errorf("%d as %s is %q, want %q", c.n, c.format, got, c.want)
		}
	}
}

func mathParagraph(body string) string { return `<p><oMath>` + body + `</oMath></p>` }

func mathRun(s string) string { return `<r><rPr><i/></rPr><t>` + s + `</t></r>` }

func TestFormulasAreWrittenOnOneLine(t *testing.T) {
	e := func(name, body string) string { return "<" + name + ">" + body + "</" + name + ">" }
	r := mathRun
	for _, c := range [][2]string{
		{r("A=π") + e("sSup", e("e", r("r"))+e("sup", r("2"))), "A=πr^2"},
		{e("f", e("num", r("a+b"))+e("den", r("2"))), "(a+b)/2"},
		{e("f", `<fPr><type val="noBar"/></fPr>`+e("num", r("n"))+e("den", r("k"))), "(n k)"},
		{e("rad", e("deg", "")+e("e", r("b-4ac"))), "√(b-4ac)"},
		{e("nary", `<naryPr><chr val="∑"/></naryPr>`+e("sub", r("k=0"))+e("sup", r("n"))+e("e", r("k"))), "∑_(k=0)^n k"},
		{e("nary", e("sub", "")+e("sup", "")+e("e", r("x"))), "∫ x"},
		{e("d", `<dPr><begChr val="["/><endChr val=""/></dPr>`+e("e", r("a"))+e("e", r("b"))), "[a|b"},
		{e("func", e("fName", r("cos"))+e("e", r("x"))), "cos x"},
		{e("func", e("fName", e("limLow", e("e", r("lim"))+e("lim", r("n→∞"))))+e("e", r("a"))), "lim_(n→∞) a"},
		{e("sSubSup", e("e", r("N"))+e("sub", r("s"))+e("sup", r("H"))), "N_s^H"},
		{e("sPre", e("sub", r("2"))+e("sup", r("4"))+e("e", r("He"))), "_2^4He"},
		{e("m", e("mr", e("e", r("1"))+e("e", r("0")))+e("mr", e("e", r("0"))+e("e", r("1")))), "[1, 0; 0, 1]"},
		{e("limUpp", e("e", r("x"))+e("lim", r("def"))), "x^def"},
		{e("eqArr", e("e", r("x=1"))+e("e", r("y=2"))), "x=1; y=2"},
		{e("acc", e("e", r("v"))), "v"},
	} {
		if got := strings.TrimSpace(wordOf(t, mathParagraph(c[0]))); got != c[1] {
			t.Errorf("got %q, want %q", got, c[1])
		}
	}
	if got := wordOf(t, `<p><r><t>Let </t></r><oMath>`+mathRun("x")+`</oMath><r><t> be.</t></r></p>`); !strings.Contains(got, "Let x be.") {
		t.Errorf("%q", got)
	}
}
