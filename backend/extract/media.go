package extract

import (
	"bytes"
	"cmp"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	"footnote/backend/charset"
	"footnote/backend/extract/mail"
	"footnote/backend/extract/markup"
)

// sniffed is how many bytes of a file MediaType wants to see.
const sniffed = 4096

// MediaType says what a file is by its first bytes (4 KB are enough) and its
// name. It is empty for what is not read: pictures, programs, other office
// formats. Bytes win over the name, except that a name which promises a
// document keeps its promise, so that a damaged one is called damaged.
func MediaType(name string, head []byte) string {
	ext := strings.ToLower(filepath.Ext(name))
	if bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")) && typeOf(textual, ext) == "" {
		return pdfType
	}
	if t := cmp.Or(packagedType(ext, head), typeOf(named, ext), gzipped(name, head)); t != "" {
		return t
	}
	if t := pictureType(head); t != "" && typeOf(textual, ext) == "" {
		return t
	}
	if typeOf(textual, ext) == "" && mail.LooksLikeMailbox(head) {
		return mail.MailboxType
	}
	if otherFormat(ext) != "" || oldOffice(ext) != "" || !looksLikeText(head[:min(len(head), sniffed)]) {
		return ""
	}
	if manualExt.MatchString(ext) && markup.ManualHead.Match(head) {
		return manualType
	}
	return cmp.Or(typeOf(textual, ext), "text/plain")
}

// manualExt is the ending of a manual page: the number of its part, "tool.1", and
// perhaps what it belongs to, "cipher.3ssl".
var manualExt = regexp.MustCompile(`^\.[1-9][a-z]*$`)

// pictureType is the kind of a picture that may show text.
func pictureType(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(head, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case bytes.HasPrefix(head, []byte("II*\x00")), bytes.HasPrefix(head, []byte("MM\x00*")):
		return "image/tiff"
	case len(head) > 12 && bytes.HasPrefix(head, []byte("RIFF")) && string(head[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

// otherFormat names a known format that is not read, for people.
func otherFormat(ext string) string {
	switch ext {
	case ".djvu", ".ps", ".xps":
		return "this kind of book"
	case ".pst", ".ost":
		return "mail"
	case ".zip", ".gz", ".tgz", ".tar", ".7z", ".rar", ".bz2", ".xz", ".zst", ".jar", ".iso", ".dmg":
		return "archives"
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".tif", ".tiff", ".bmp", ".svg", ".heic", ".ico", ".psd":
		return "pictures"
	case ".mp3", ".wav", ".flac", ".ogg", ".m4a", ".mp4", ".mkv", ".mov", ".avi", ".webm":
		return "sound and video"
	}
	return ""
}

func unsupportedReason(name string, head []byte) string {
	ext := strings.ToLower(filepath.Ext(name))
	if next := oldOffice(ext); next != "" {
		return next
	}
	if what := otherFormat(ext); what != "" {
		return "Footnote does not read " + what + " yet."
	}
	if !looksLikeText(head[:min(len(head), sniffed)]) {
		return "The file holds no text but binary data."
	}
	return "Footnote does not know this kind of file."
}

// looksLikeText reports whether head is text in any usual encoding: hardly any
// NULs and control characters, or UTF-16. One or two of them make no text binary,
// however short it is.
func looksLikeText(head []byte) bool {
	if charset.HasWideMark(head) || charset.LooksWide(head) != "" {
		return true
	}
	if bytes.HasPrefix(head, []byte("SQLite format 3")) || bytes.HasPrefix(head, []byte("\x7fELF")) || bytes.HasPrefix(head, []byte("{\\rtf")) {
		return false
	}
	odd, nul := 0, 0
	for _, c := range head {
		switch {
		case c == 0:
			nul++
		case c < 9 || (c > 13 && c < 32 && c != 27) || c == 127:
			odd++
		}
	}
	if nul <= 2 && odd <= 2 {
		return true
	}
	if !utf8.Valid(head[:max(0, len(head)-4)]) {
		odd += nul * 4 // NULs in broken text weigh more
	}
	return odd*20 <= len(head) && nul*50 <= len(head)
}
