package extract

import (
	"strings"
	"testing"

	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
	"footnote/backend/extract/mail"
)

func TestMediaTypes(t *testing.T) {
	for name, c := range map[string]struct{ head, want string }{
		"a.pdf":       {"<html>", "application/pdf"},
		"b.bin":       {"junk %PDF-1.4", "application/pdf"},
		"c.md":        {"about %PDF-1.4 files", "text/markdown"},
		"README":      {"words", "text/plain"},
		"x.unknown":   {"words", "text/plain"},
		"d.docx":      {"anything", docxType},
		"e.txt":       {"\x7fELF\x02\x01\x01\x00\x00\x00", ""},
		"f.md":        {"SQLite format 3\x00", ""},
		"g.png":       {"words", ""},
		"h.eml":       {"From: a", mail.Type},
		"i.GO":        {"package x", "text/x-source"},
		"j.yml":       {"a: b", "application/yaml"},
		"k.r":         {"x <- 1", "text/x-source"},
		"..txt":       {"words", "text/plain"},
		"short.txt":   {"\xc0\xaf \xff\xfe \x00\x00 word \xe2\x28 end", "text/plain"},
		"l.dat":       {strings.Repeat("\x00\x01\x02", 20), ""},
		"m.HTML":      {"<p>", "text/html"},
		"n.xlsb":      {"PK\x03\x04", ""},
		"no\next.srt": {"1", "application/x-subrip"},
	} {
		if got := MediaType(name, []byte(c.head)); got != c.want {
			t.Errorf("%q: got %q, want %q", name, got, c.want)
		}
	}
	if r := unsupportedReason("a.xls", nil); !strings.Contains(r, "save it as .xlsx") {
		t.Errorf("reason %q", r)
	}
}

func TestOldAndLockedFilesSayWhatToDo(t *testing.T) {
	ole := func(name string) []byte {
		return append(append([]byte{}, format.OLEMagic...), formattest.UTF16Of(name)...)
	}
	odt := formattest.ZipOf(t, "mimetype", odtType, "content.xml", "x", "META-INF/manifest.xml", `<m><file-entry><encryption-data/></file-entry></m>`)
	for _, c := range []struct {
		name, code, word string
		data             []byte
	}{
		{"a.docx", Encrypted, "password", ole("EncryptedPackage")},
		{"a.xlsx", Encrypted, "password", ole("EncryptionInfo")},
		{"a.pptx", Malformed, "damaged", ole("PowerPoint Document")},
		{"a.xlsx", Unsupported, "old office format", formattest.ContainerOf("Nothing", "")},
		{"a.xls", Unsupported, "save it as .xlsx", []byte("\x09\x04\x06\x00 a sheet of Excel 4 \x00\x01\x02")},
		{"a.doc", Malformed, "damaged", ole("WordDocument")},
		{"a.docx", Malformed, "damaged", ole("WordDocument")},
		{"a.doc", Unsupported, "save it as .docx", []byte("\xdb\xa5-\x00 a document of Word 2 \x00\x01\x02")},
		{"a.msg", Malformed, "damaged", ole("__properties")},
		{"a.odt", Encrypted, "password", odt},
		{"a.pages", Unsupported, "PDF", []byte("PK\x03\x04")},
		{"a.azw3", Unsupported, "EPUB", []byte("x")},
	} {
		_, err := Extract(t.Context(), MediaType(c.name, c.data[:min(len(c.data), sniffed)]), c.name, c.data, DefaultLimits())
		if e, ok := err.(*Error); !ok || e.Code != c.code || !strings.Contains(e.Reason, c.word) {
			t.Errorf("%s: %v, want %s and %q", c.name, err, c.code, c.word)
		}
	}
}

func TestBytesTellOfficeFilesUnderOldNames(t *testing.T) {
	head := func(entries ...string) string { return string(formattest.ZipOf(t, entries...)) }
	for name, c := range map[string]struct{ head, want string }{
		"letter.doc":   {`{\rtf1 x}`, rtfType},
		"table.xls":    {"  <HTML><table>", "text/html"},
		"new.xls":      {head("[Content_Types].xml", "", "xl/workbook.xml", ""), xlsxType},
		"noname":       {head("ppt/presentation.xml", ""), pptxType},
		"download":     {"PK\x03\x04" + strings.Repeat("x", 26) + "mimetype" + epubType + "PK", epubType},
		"real.doc":     {string(format.OLEMagic), docType},
		"renamed.xlsx": {string(format.OLEMagic), xlsType},
		"deck.ppsx":    {"anything", pptxType},
		"archive.zip":  {"PK\x03\x04 word/", ""},
	} {
		if got := MediaType(name, []byte(c.head)); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}
