package pdf

import (
	"bytes"
	"context"
	"errors"
	"regexp"
	"strings"
	"time"
	"unicode"

	pdf "github.com/ledongthuc/pdf"

	"footnote/backend/extract/format"
	"footnote/backend/extract/layout"
)

// Read reads a PDF: the words as they stand on each page, in reading order,
// rows of tables whole. A page that is damaged or has no text is counted and
// does not stop the others. What this engine does not read well, another may
// (second.go); pages that are pictures are recognised where that is wanted
// (recognise.go).
func Read(ctx context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	p := &pdfReader{fonts: map[string]*pdfFont{}, lim: lim}
	failure := p.first(ctx, b, data)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := p.ask(b, data, failure); err != nil {
		return err
	}
	if len(p.pages) == 0 {
		return format.Fail(format.Malformed, "The PDF is damaged: no pages can be found in it.", nil)
	}
	layout.WritePages(b, p.pages, p.cut)
	return nil
}

// first reads with the engine of this package.
func (p *pdfReader) first(ctx context.Context, b *format.Builder, data []byte) error {
	r, err := openPDF(data, p.lim)
	if err != nil {
		return err
	}
	info := lookUp(r.Trailer(), "Info")
	b.Doc.Source.Title = usefulTitle(format.Clean(lookUp(info, "Title").Text(), false))
	b.Doc.Source.Published = pdfDate(lookUp(info, "ModDate").Text(), lookUp(info, "CreationDate").Text())
	if err := p.tree(ctx, lookUp(lookUp(r.Trailer(), "Root"), "Pages"), pdf.Value{}, 0, 0); err != nil {
		return err
	}
	if len(p.pages) == 0 {
		return format.Fail(format.Malformed, "The PDF is damaged: no pages can be found in it.", nil)
	}
	labelPages(lookUp(lookUp(r.Trailer(), "Root"), "PageLabels"), p.pages)
	return nil
}

// openPDF gives the parser a mended file, or an encrypted one as it is, since
// its objects cannot be moved. Both may open with an empty password.
func openPDF(data []byte, lim format.Limits) (*pdf.Reader, error) {
	at := bytes.Index(data[:min(len(data), 4096)], []byte("%PDF-"))
	if at < 0 {
		return nil, format.Fail(format.Malformed, "This is no PDF, whatever its name says.", nil)
	}
	data = data[at:]
	if encryptRef.Match(data) {
		return openEncrypted(data)
	}
	m, err := mend(data, lim)
	if err != nil {
		return nil, err
	}
	r, err := pdf.NewReader(m, m.size())
	if err != nil {
		return nil, format.Fail(format.Malformed, "The PDF is damaged and cannot be read.", err)
	}
	return r, nil
}

var encryptRef = regexp.MustCompile(`/Encrypt\s*(\d+\s+\d+\s+R|<<)`)

func openEncrypted(data []byte) (*pdf.Reader, error) {
	if declaredSize(data) > maxObject {
		return nil, format.Fail(format.Malformed, "The PDF is damaged and cannot be read.", nil)
	}
	end := bytes.LastIndex(data, []byte("%%EOF"))
	if end < 0 {
		return nil, format.Fail(format.Malformed, "The PDF is damaged: it breaks off.", nil)
	}
	f := withHeader(data[:end+5])
	r, err := pdf.NewReader(f, int64(len(f)))
	switch {
	case err == nil:
		return r, nil
	case errors.Is(err, pdf.ErrInvalidPassword), strings.Contains(err.Error(), "ncrypt"), bytes.Contains(data, []byte("/Standard")):
		return nil, format.Fail(format.Encrypted, "The PDF is protected with a password, or in a way that Footnote cannot undo.", err)
	}
	return nil, format.Fail(format.Malformed, "The PDF is damaged and cannot be read.", err)
}

// withHeader is a file with a header that the parser knows.
type withHeader []byte

// ReadAt reads the file.
func (f withHeader) ReadAt(p []byte, off int64) (int, error) {
	n, err := readSegments(p, off, f, nil)
	overlayHeader(p[:n], off)
	return n, err
}

// declaredSize is the largest table that a file asks the parser to make.
func declaredSize(data []byte) int {
	most := 0
	for rest := data; ; {
		i := bytes.Index(rest, []byte("/Size"))
		if i < 0 {
			return most
		}
		rest = rest[i:]
		n := 0
		for _, c := range bytes.TrimLeft(rest[5:min(len(rest), 40)], " \r\n") {
			if c < '0' || c > '9' || n > 1<<40 {
				break
			}
			n = n*10 + int(c-'0')
		}
		most = max(most, n)
		rest = rest[5:]
	}
}

// lookUp is dict.Key without the parser's panic: a damaged entry is null.
func lookUp(dict pdf.Value, key string) (v pdf.Value) {
	defer func() {
		if recover() != nil {
			v = pdf.Value{}
		}
	}()
	return dict.Key(key)
}

// usefulTitle drops titles that programs made up.
func usefulTitle(s string) string {
	lower := strings.ToLower(s)
	for _, prefix := range []string{"microsoft word", "microsoft powerpoint", "untitled", "(anonymous", "anonymous", "(unspecified", "unknown", "no title", "unbenannt", "sans titre", "sin título", "senza titolo", "document", "slide ", "powerpoint", "print", "title", "http"} {
		if strings.HasPrefix(lower, prefix) {
			return ""
		}
	}
	for _, suffix := range []string{".doc", ".docx", ".tex", ".dvi", ".indd", ".pdf", ".qxd", ".rtf", ".ai"} {
		if strings.HasSuffix(lower, suffix) {
			return ""
		}
	}
	if letters := strings.IndexFunc(s, unicode.IsLetter); letters < 0 || len(s) < 3 || len(s) > 300 || strings.ContainsRune(s, '\uFFFD') {
		return ""
	}
	return s
}

// pdfDate reads the first date of the form D:20231102... that holds.
func pdfDate(dates ...string) time.Time {
	for _, d := range dates {
		d = strings.TrimPrefix(d, "D:")
		if len(d) >= 8 {
			if t, err := time.Parse("20060102", d[:8]); err == nil && t.Year() > 1980 && t.Year() < 2200 {
				return t
			}
		}
	}
	return time.Time{}
}
