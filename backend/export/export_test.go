package export

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"footnote/backend/answer/contract"
	"footnote/backend/extract"
	"footnote/backend/fault"
)

func written(t *testing.T, format, style string) string {
	t.Helper()
	f, err := Write(Of(sampleThread(), style), format)
	if err != nil {
		t.Fatal(err)
	}
	return string(f.Body)
}

func TestEveryFormIsTheSameTwice(t *testing.T) {
	for _, format := range Formats() {
		if first, second := written(t, format, "[1]"), written(t, format, "[1]"); first != second {
			t.Errorf("%s differs from one time to the next", format)
		}
	}
	_, err := Write(Document{}, "exe")
	if fault.CodeOf(err) != fault.NotAcceptable {
		t.Errorf("another form: %v", err)
	}
}

func TestEveryFormSaysWhatIsDoubted(t *testing.T) {
	for format, text := range map[string]string{
		"md": written(t, "md", "[1]"), "md footnotes": written(t, "md", "[^1]"), "html": written(t, "html", "[1]"), "docx": partOf(t, "word/document.xml") + partOf(t, "word/footnotes.xml"),
		"pdf": ownText(t), "bibtex": written(t, "bibtex", "[1]"), "ris": written(t, "ris", "[1]"), "csl": written(t, "csl", "[1]"),
	} {
		for _, doubt := range []string{"contradicted by the passage", "partly supported", "not found in the passage"} {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), doubt) {
				t.Errorf("%s does not say %q", format, doubt)
			}
		}
	}
}

func TestWhatIsNotCitedIsNotListedAsSource(t *testing.T) {
	for format, text := range map[string]string{
		"md": written(t, "md", "[1]"), "md footnotes": written(t, "md", "[^1]"), "html": written(t, "html", "[1]"), "docx": partOf(t, "word/document.xml"), "pdf": ownText(t),
	} {
		_, after, also := strings.Cut(text, alsoReadTitle)
		if !also || !strings.Contains(after, "Roads of the county") || strings.Contains(after, "Costs: 50% over") || strings.Contains(text, "[3]") {
			t.Errorf("%s:\n%s", format, text)
		}
	}
	for _, format := range []string{"bibtex", "ris", "csl"} {
		if text := written(t, format, "[1]"); strings.Contains(text, "Roads of the county") {
			t.Errorf("%s:\n%s", format, text)
		}
	}
	closest := sampleThread()
	closest.Runs[0].Answer.Outcome = contract.NoEvidence
	if doc := Of(closest, "[1]"); len(doc.Turns[0].cited()) != 3 || len(doc.Turns[0].alsoRead()) != 0 {
		t.Errorf("where nothing answers, the closest sources are not listed: %+v", doc.Turns[0].Sources)
	}
}

func TestAnAnswerThatIsCutOffSaysSoInEveryForm(t *testing.T) {
	thread := sampleThread()
	thread.Runs[0].Answer.Notices = []contract.Notice{{Code: contract.NoticeCutOff, Message: "The text is cut off: why."}}
	for _, turn := range Of(thread, "[1]").Turns[:1] {
		if !slices.Contains(turn.Remarks, "The text is cut off: why.") {
			t.Errorf("%q", turn.Remarks)
		}
	}
}

func TestMarkdownKeepsTheAnswerAndListsSources(t *testing.T) {
	text := written(t, "md", "[1]")
	for _, part := range []string{
		"# When was the bridge opened?\n\n## When was the bridge opened?\n", "**opened in 1932**[1] and cost *4.2 million* pounds [2] (contradicted by the passage).", "`a[1] < b`",
		"[1] History of \\*bridges\\* & {roads — History_of_it.pdf, page 4: “what the source says of 0”",
		"## And then?\n\nIt was\n\n(This answer was not finished.)\n", "(Sources disagree: it opened — [1] 1932 (no date); [2] 1933 (2001-05-02))",
	} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
	notes := written(t, "md", "[^1]")
	for _, part := range []string{"**opened in 1932**[^1-1] and", "\n[^1-2]: Costs: 50% over — https://doi.org/10.1000/xyz_1: ", "`a[1] < b`"} {
		if !strings.Contains(notes, part) {
			t.Errorf("no %q in\n%s", part, notes)
		}
	}
}

func TestMarkersSurviveMarkdown(t *testing.T) {
	text := "Grew by **2.5%**[1], *so*[2][1]. ⸨x⸩ `[1]` and [2]"
	a := contract.Answer{Answer: text, Sources: make([]contract.SourceCard, 2), Citations: citationsOf(text, contract.Supported)}
	turn := turnOf(contract.Run{Answer: &a})
	if got := words(turn.Prose[0].Spans, turn.Marks); got != "Grew by 2.5%[1], so[2][1]. ⸨x⸩ [1] and [2]" {
		t.Errorf("%q", got)
	}
	if s := turn.Prose[0].Spans[1]; !s.Bold || s.Text != "2.5%" {
		t.Errorf("%+v", s)
	}
	hostile := strings.Repeat("> ", 5000) + "deep [1]"
	if blocks := prose(hostile, nil); len(blocks) != 1 || blocks[0].Quoted != 0 {
		t.Errorf("%d blocks", len(blocks))
	}
}

// void are the elements of HTML that are never closed.
var void = []string{"meta", "br", "hr", "link", "img"}

func TestHTMLIsWellFormedAndLoadsNothing(t *testing.T) {
	body := written(t, "html", "[1]")
	z := html.NewTokenizer(strings.NewReader(body))
	var open []string
	ids, targets := map[string]bool{}, []string{}
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			break
		}
		token := z.Token()
		switch kind {
		case html.StartTagToken:
			if !slices.Contains(void, token.Data) {
				open = append(open, token.Data)
			}
			for _, a := range token.Attr {
				switch {
				case a.Key == "id" && ids[a.Val]:
					t.Errorf("the id %s stands twice", a.Val)
				case a.Key == "id":
					ids[a.Val] = true
				case a.Key == "src" || strings.HasPrefix(a.Key, "on") || strings.Contains(a.Val, "javascript:"):
					t.Errorf("<%s %s=%q>", token.Data, a.Key, a.Val)
				case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
					targets = append(targets, a.Val[1:])
				}
			}
		case html.EndTagToken:
			if len(open) == 0 || open[len(open)-1] != token.Data {
				t.Fatalf("</%s> closes %v", token.Data, open)
			}
			open = open[:len(open)-1]
		}
	}
	if len(open) > 0 {
		t.Errorf("left open: %v", open)
	}
	for _, target := range targets {
		if !ids[target] {
			t.Errorf("a link leads to #%s, which is nowhere", target)
		}
	}
	for _, part := range []string{"&lt;b&gt;fact&lt;/b&gt;", "<ol>\n<li dir=\"auto\">First", "<ul>\n<li dir=\"auto\">nested <s>old</s> point", "prefers-color-scheme: dark", "<td dir=\"auto\">1933</td>", "a[1] &lt; b"} {
		if !strings.Contains(body, part) {
			t.Errorf("no %q in\n%s", part, body)
		}
	}
}

// partOf reads one file of the DOCX and checks that each is XML.
func partOf(t *testing.T, name string) string {
	t.Helper()
	return unzipped(t, written(t, "docx", "[1]"), name)
}

func unzipped(t *testing.T, body, name string) string {
	t.Helper()
	z, err := zip.NewReader(strings.NewReader(body), int64(len(body)))
	if err != nil {
		t.Fatal(err)
	}
	found := ""
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		dec := xml.NewDecoder(bytes.NewReader(data))
		for err == nil {
			_, err = dec.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s is no XML: %v", f.Name, err)
		}
		if f.Name == name {
			found = string(data)
		}
	}
	return found
}

var xmlTags = regexp.MustCompile(`<[^>]*>`)

func TestDOCXHasARealFootnoteForEveryMarker(t *testing.T) {
	document, notes := partOf(t, "word/document.xml"), partOf(t, "word/footnotes.xml")
	for _, m := range regexp.MustCompile(`footnoteReference [^>]*w:id="(\d+)"`).FindAllStringSubmatch(document, -1) {
		if !strings.Contains(notes, `<w:footnote w:id="`+m[1]+`">`) {
			t.Errorf("footnote %s is missing", m[1])
		}
	}
	if n := strings.Count(document, "<w:footnoteReference "); n != 6 {
		t.Errorf("%d footnotes", n)
	}
	text := xmlTags.ReplaceAllString(document, "")
	for _, part := range []string{"opened in 1932 and cost 4.2 million pounds  (contradicted by the passage)", "русский"} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in %s", part, text)
		}
	}
	doc, err := extract.Extract(context.Background(), "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "a.docx", []byte(written(t, "docx", "[1]")), extract.DefaultLimits())
	if err != nil || !strings.Contains(doc.Text, "It is 300 m long") {
		t.Errorf("%v %q", err, doc.Text)
	}
}

// ownText is the text of the PDF as Footnote itself reads it.
func ownText(t *testing.T) string {
	t.Helper()
	doc, err := extract.Extract(context.Background(), "application/pdf", "a.pdf", []byte(written(t, "pdf", "[1]")), extract.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	return doc.Text
}

func TestPDFHasTheAnswersText(t *testing.T) {
	text := strings.Join(strings.Fields(ownText(t)), " ")
	for _, part := range []string{"The bridge was opened in 1932[1] and cost 4.2 million pounds [2]", "Ελληνικά, русский, naïve — “quoted”."} {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in %s", part, text)
		}
	}
}

func TestPDFNamesTheScriptsItCannotShow(t *testing.T) {
	thread := sampleThread()
	thread.Runs[0].Answer.Answer = "橋は1932年に開通した。 The 🌉 opened."
	d := Of(thread, "[1]")
	d.Fonts = []string{}
	f, err := Write(d, "pdf")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := extract.Extract(context.Background(), "application/pdf", "a.pdf", f.Body, extract.DefaultLimits())
	if err != nil || !strings.Contains(strings.Join(strings.Fields(doc.Text), " "), "Not shown in this PDF: Han, Hiragana, U+1F309.") {
		t.Errorf("%v %s", err, doc.Text)
	}
	if lacking, err := Lacking(d); err != nil || !slices.Equal(lacking, []string{"Han", "Hiragana", "U+1F309"}) {
		t.Errorf("%v %v", lacking, err)
	}
	if text := strings.ReplaceAll(oracle(t, "pdftotext", f.Body, "a.pdf", "-", "-enc", "UTF-8"), "\u200b", ""); text != "" && !strings.Contains(text, "橋は1932年に開通した。 The 🌉 opened.") {
		t.Errorf("%s", text)
	}
}

func TestPDFShowsArabicWhereThereIsAFont(t *testing.T) {
	thread := sampleThread()
	const said = "افتتح الجسر في عام 1932 (طوله 300 متر)."
	thread.Runs[0].Answer.Answer = said + "\n\nThe Hebrew is גשר and goes on."
	d := Of(thread, "[1]")
	if lacking, err := Lacking(d); err != nil || len(lacking) > 0 {
		t.Skipf("this computer has no font: %v %v", lacking, err)
	}
	f, err := Write(d, "pdf")
	if err != nil {
		t.Fatal(err)
	}
	if text := oracle(t, "pdftotext", f.Body, "a.pdf", "-", "-enc", "UTF-8"); text != "" && (!strings.Contains(text, "الجسر في عام") || !strings.Contains(text, "גשר")) {
		t.Errorf("%s", text)
	}
}

func TestReferencesReadBack(t *testing.T) {
	var items []struct {
		ID, Type, Title, DOI, URL, Note string
		Issued                          struct {
			Parts [][]int `json:"date-parts"`
		}
	}
	if err := json.Unmarshal([]byte(written(t, "csl", "[1]")), &items); err != nil || len(items) != 2 || items[1].Type != "article-journal" || items[1].DOI != "10.1000/xyz_1" || items[1].Issued.Parts[0][0] != 2001 {
		t.Errorf("%v %+v", err, items)
	}
	bib := written(t, "bibtex", "[1]")
	if depth := strings.Count(bib, "{") - strings.Count(bib, "}"); depth != 0 || !strings.Contains(bib, `title = {{History of *bridges* \& \textbraceleft{}roads}}`) {
		t.Errorf("%d open braces in\n%s", depth, bib)
	}
	for title, want := range map[string]string{"{a}": `\{a\}`, "}a{": `\textbraceright{}a\textbraceleft{}`, "a_b": `a\_b`} {
		if got := latex(title); got != want {
			t.Errorf("%q becomes %q, want %q", title, got, want)
		}
	}
	tags := regexp.MustCompile(`^[A-Z][A-Z0-9]  - `)
	records := 0
	for line := range strings.SplitSeq(written(t, "ris", "[1]"), "\r\n") {
		if line != "" && !tags.MatchString(line) {
			t.Errorf("%q", line)
		}
		if strings.HasPrefix(line, "TY  - ") {
			records++
		}
	}
	if records != 2 {
		t.Errorf("%d records", records)
	}
}

// oracle has another program read a file; empty where there is none.
func oracle(t *testing.T, program string, body []byte, name string, more ...string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Logf("skipped: %s is not installed", program)
		return ""
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, body, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(path, append([]string{file}, more...)...).Output()
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	return string(out)
}

func TestOtherProgramsReadWhatWasWritten(t *testing.T) {
	flat := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	if text := flat(oracle(t, "pdftotext", []byte(written(t, "pdf", "[1]")), "a.pdf", "-", "-enc", "UTF-8")); text != "" {
		for _, part := range []string{"The bridge was opened in 1932[1] and cost 4.2 million pounds [2] (contradicted by the passage). It is 300 m long [1] (partly supported).", "Ελληνικά, русский, naïve — “quoted”."} {
			if !strings.Contains(text, part) {
				t.Errorf("pdftotext gives no %q in %s", part, text)
			}
		}
	}
	if text := flat(oracle(t, "pandoc", []byte(written(t, "docx", "[1]")), "a.docx", "-t", "plain", "--wrap=none")); text != "" && !strings.Contains(text, "what the source says of 0") {
		t.Errorf("pandoc reads of the DOCX\n%s", text)
	}
	if text := flat(oracle(t, "pandoc", []byte(written(t, "html", "[1]")), "a.html", "-t", "plain", "--wrap=none")); text != "" && !strings.Contains(text, "It is 300 m long") {
		t.Errorf("pandoc reads of the HTML\n%s", text)
	}
	for name, format := range map[string]string{"a.bib": "bibtex", "a.json": "csl"} {
		from := map[string]string{"bibtex": "bibtex", "csl": "csljson"}[format]
		if text := oracle(t, "pandoc", []byte(written(t, format, "[1]")), name, "-f", from, "-t", "csljson"); text != "" && (strings.Count(text, `"id"`) != 2 || !strings.Contains(text, "10.1000/xyz_1")) {
			t.Errorf("pandoc reads of %s\n%s", format, text)
		}
	}
}

// words are spans as plain text, markers as [n].
func words(spans []Span, marks []Mark) string {
	var b strings.Builder
	for _, s := range spans {
		switch {
		case s.Break:
			b.WriteByte('\n')
		case s.Mark > 0:
			b.WriteString(label(marks[s.Mark-1]))
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// label is a footnote with its doubt.
func label(m Mark) string {
	if doubt := m.Doubt(); doubt != "" {
		return fmt.Sprintf("[%d] (%s)", m.N, doubt)
	}
	return fmt.Sprintf("[%d]", m.N)
}

func TestNoFormTellsWhereTheAuthorsFilesLie(t *testing.T) {
	for _, format := range []string{"md", "html", "bibtex", "ris", "csl"} {
		file, err := Write(Of(sampleThread(), "[1]"), format)
		if err != nil {
			t.Fatal(err)
		}
		if body := string(file.Body); strings.Contains(body, "/home/ann") || !strings.Contains(strings.ReplaceAll(body, `\_`, "_"), "History_of_it.pdf") {
			t.Errorf("%s: %s", format, body)
		}
	}
}
