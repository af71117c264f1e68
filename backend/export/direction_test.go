package export

import (
	"strings"
	"testing"
)

// taken is a thread in a form.
func taken(t *testing.T, thread Thread, format string) string {
	t.Helper()
	file, err := Write(Of(thread, "[1]"), format)
	if err != nil {
		t.Fatal(err)
	}
	return string(file.Body)
}

func TestWritingFromTheRightKeepsItsDirection(t *testing.T) {
	thread := sampleThread()
	thread.Runs[0].Answer.Answer = "افتتح **الجسر** في عام 1932 (طوله 300 متر GNU). [1]\n\nThe bridge."
	docx := taken(t, thread, "docx")
	document := unzipped(t, docx, "word/document.xml")
	for _, part := range []string{`<w:p><w:pPr><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr>`, `<w:b/><w:bCs/><w:rtl/>`, `<w:p><w:pPr></w:pPr><w:r><w:t xml:space="preserve">The bridge.`} {
		if !strings.Contains(document, part) {
			t.Errorf("no %s in %s", part, document)
		}
	}
	if html := taken(t, thread, "html"); !strings.Contains(html, `<p dir="auto">افتتح`) {
		t.Error(html)
	}
}

func TestATitleThatIsTheQuestionIsSaidOnce(t *testing.T) {
	thread := sampleThread()
	thread.Runs, thread.Title = thread.Runs[:1], "When was the bridge…"
	for format, again := range map[string]string{"md": "## When was", "html": "<h2 id=", "docx": `"Heading1"/></w:pPr><w:r><w:t xml:space="preserve">When was`} {
		body := taken(t, thread, format)
		if format == "docx" {
			body = unzipped(t, body, "word/document.xml")
		}
		if strings.Contains(body, again) || !strings.Contains(body, "When was the bridge opened?") {
			t.Errorf("%s: %s", format, body)
		}
	}
	if n := strings.Count(oracle(t, "pdftotext", []byte(taken(t, thread, "pdf")), "a.pdf", "-", "-enc", "UTF-8"), "When was the bridge"); n > 1 {
		t.Errorf("the PDF says it %d times", n)
	}
}
