package extract

import (
	"bytes"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// sniffed is how many bytes of a file MediaType wants to see.
const sniffed = 4096

// MediaType says what a file is by its first bytes (4 KB are enough) and its
// name. It is empty for what is not read: pictures, programs, other office
// formats. Bytes win over the name, except that a name which promises a
// document keeps its promise, so that a damaged one is called damaged.
func MediaType(name string, head []byte) string {
	ext := strings.ToLower(filepath.Ext(name))
	if bytes.Contains(head[:min(len(head), 1024)], []byte("%PDF-")) && !isTextExt(ext) {
		return "application/pdf"
	}
	if t := officeType(ext, head); t != "" {
		return t
	}
	switch ext {
	case ".pdf":
		return "application/pdf"
	case ".eml", ".emlx":
		return mailType
	case ".msg":
		return outlookType
	case ".mbox", ".mbx":
		return mboxType
	case ".mhtml", ".mht":
		return webType
	}
	if t := pictureType(head); t != "" && !isTextExt(ext) {
		return t
	}
	if textType(ext) == "" && looksLikeMailbox(head) {
		return mboxType
	}
	if otherFormat(ext) != "" || oldOffice(ext) != "" || !looksLikeText(head[:min(len(head), sniffed)]) {
		return ""
	}
	if t := textType(ext); t != "" {
		return t
	}
	return "text/plain"
}

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

func isTextExt(ext string) bool { return textType(ext) != "" }

// textType is the media type of a text format by its extension.
func textType(ext string) string {
	switch ext {
	case ".txt", ".text", ".log", ".rst", ".adoc", ".asciidoc", ".org":
		return "text/plain"
	case ".md", ".markdown", ".mdown", ".mkd", ".mdx", ".qmd", ".rmd":
		return "text/markdown"
	case ".html", ".htm", ".xhtml", ".shtml":
		return "text/html"
	case ".csv":
		return "text/csv"
	case ".tsv", ".tab":
		return "text/tab-separated-values"
	case ".ipynb":
		return "application/x-ipynb+json"
	case ".srt":
		return "application/x-subrip"
	case ".vtt":
		return "text/vtt"
	case ".json", ".jsonl", ".ndjson", ".geojson":
		return "application/json"
	case ".xml", ".xsd", ".xsl", ".rss", ".atom", ".opml":
		return "application/xml"
	case ".yaml", ".yml":
		return "application/yaml"
	case ".toml", ".ini", ".cfg", ".conf", ".properties":
		return "text/x-config"
	}
	if strings.Contains(codeExts, ext+" ") && ext != "" {
		return "text/x-source"
	}
	return ""
}

const codeExts = ".go .py .js .mjs .cjs .ts .tsx .jsx .svelte .vue .css .scss .less .java .kt .kts .c .h .cc .cpp .hpp .cs .rs .rb .php " +
	".swift .m .mm .scala .sh .bash .zsh .fish .ps1 .bat .cmd .sql .lua .pl .pm .r .jl .dart .ex .exs .erl .hs .clj .lisp .el .vim " +
	".tex .bib .sty .proto .graphql .gradle .cmake .mk .tf .nix .zig .asm .s .diff .patch .csproj .make .dockerfile "

func isCodeType(mediaType string) bool {
	switch mediaType {
	case "application/json", "application/xml", "application/yaml", "text/x-config", "text/x-source":
		return true
	}
	return false
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
	if hasWideMark(head) || looksWide(head) != "" {
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
