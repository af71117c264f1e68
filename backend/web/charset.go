package web

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"

	guess "footnote/backend/charset"
)

// decodeText turns the bytes of a page into UTF-8. A byte order mark wins, then
// bytes that are plainly UTF-8, then what the header or the page declares, then
// a guess by the bytes. ok is false when the result is not text.
func decodeText(data []byte, contentType string) (text string, ok bool) {
	if !bytes.HasPrefix(data, []byte("\xfe\xff")) && !bytes.HasPrefix(data, []byte("\xff\xfe")) && plainUTF8(data) {
		return soundText(strings.TrimPrefix(string(data), "\uFEFF"))
	}
	enc, name, certain := charset.DetermineEncoding(data, contentType)
	if !certain && name == "windows-1252" { // the standard's last resort
		return soundText(guess.Decode(data, "").Text)
	}
	out, err := enc.NewDecoder().Bytes(data)
	if err != nil {
		out = bytes.ToValidUTF8(data, []byte("\uFFFD"))
	}
	return soundText(strings.TrimPrefix(string(out), "\uFEFF"))
}

// plainUTF8 holds for bytes that use UTF-8 and nothing else: several valid
// sequences do not come about by chance, whatever the header claims.
func plainUTF8(data []byte) bool {
	if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {
		return false
	}
	multi := 0
	for _, b := range data {
		if b >= 0xc2 && b < 0xf5 {
			multi++
		}
		if multi > 2 {
			return true
		}
	}
	return false
}

// soundText drops NULs and refuses what is no text: many replacement or control
// characters.
func soundText(s string) (string, bool) {
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "")
	odd, all := 0, 0
	for _, r := range s {
		all++
		if r == utf8.RuneError || (r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f') {
			odd++
		}
	}
	return s, odd*10 <= all
}
