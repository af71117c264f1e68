package extract

import (
	"slices"
	"strings"

	"footnote/backend/extract/format"
	"footnote/backend/extract/mail"
	"footnote/backend/extract/markup"
	"footnote/backend/extract/ocr"
	"footnote/backend/extract/office"
	"footnote/backend/extract/pdf"
)

// fileFormat is a format that is read: what programs call it, the extensions of
// its files, and what reads it.
type fileFormat struct {
	family     family
	mediaType  string
	extensions string
	read       format.Reader
}

// family says how the files of a format are told from others.
type family int

const (
	packaged family = iota // by its first bytes and its name: the office formats and books
	named                  // by its name, whatever is inside
	textual                // by its name, where the bytes look like text
	pictured               // by its first bytes
)

// Media types that more than this table knows.
const (
	pdfType     = "application/pdf"
	docxType    = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	pptxType    = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	xlsxType    = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	odtType     = "application/vnd.oasis.opendocument.text"
	odsType     = "application/vnd.oasis.opendocument.spreadsheet"
	odpType     = "application/vnd.oasis.opendocument.presentation"
	rtfType     = "application/rtf"
	docType     = "application/msword"
	xlsType     = "application/vnd.ms-excel"
	pptType     = "application/vnd.ms-powerpoint"
	epubType    = "application/epub+zip"
	outlookType = "application/vnd.ms-outlook"
	manualType  = "text/troff"
)

// formats are all that are read, a line each.
var formats = []fileFormat{
	{named, pdfType, ".pdf", pdf.Read},
	{packaged, docxType, ".docx .docm .dotx .dotm", office.ReadDocx},
	{packaged, pptxType, ".pptx .pptm .ppsx .ppsm .potx .potm", office.ReadPptx},
	{packaged, xlsxType, ".xlsx .xlsm .xltx .xltm", office.ReadXlsx},
	{packaged, odtType, ".odt .ott .odm", office.ReadODF},
	{packaged, odsType, ".ods .ots", office.ReadODF},
	{packaged, odpType, ".odp .otp", office.ReadODF},
	{packaged, rtfType, ".rtf", office.ReadRTF},
	{packaged, epubType, ".epub", office.ReadEPUB},
	{packaged, docType, "", readOldOffice}, // older ones share one container, and are told by it
	{packaged, xlsType, "", readOldOffice},
	{packaged, pptType, "", readOldOffice},
	{named, mail.Type, ".eml .emlx", mail.Read},
	{named, outlookType, ".msg", readOutlook},
	{named, mail.MailboxType, ".mbox .mbx", mail.ReadMailbox},
	{named, "multipart/related", ".mhtml .mht", mail.ReadWebArchive}, // a page saved whole
	{pictured, "image/png", "", ocr.Read},
	{pictured, "image/jpeg", "", ocr.Read},
	{pictured, "image/tiff", "", ocr.Read},
	{pictured, "image/webp", "", ocr.Read},
	{textual, "text/plain", ".txt .text .log .rst .adoc .asciidoc .org", markup.ReadPlain},
	{textual, "text/markdown", ".md .markdown .mdown .mkd .mdx .qmd .rmd", markup.ReadMarkdown},
	{textual, "text/html", ".html .htm .xhtml .shtml", markup.ReadHTML},
	{textual, "text/csv", ".csv", markup.ReadTable},
	{textual, "text/tab-separated-values", ".tsv .tab", markup.ReadTable},
	{textual, "application/x-ipynb+json", ".ipynb", markup.ReadNotebook},
	{textual, "application/x-subrip", ".srt", markup.ReadSubtitles},
	{textual, "text/vtt", ".vtt", markup.ReadSubtitles},
	{textual, "application/json", ".json .jsonl .ndjson .geojson", markup.ReadCode},
	{textual, "application/xml", ".xml .xsd .xsl .rss .atom .opml", markup.ReadXML},
	{textual, "application/docbook+xml", ".docbook .dbk .dita .tei .nxml .fb2", markup.ReadXML}, // texts for readers, of whatever vocabulary
	{textual, "application/yaml", ".yaml .yml", markup.ReadCode},
	{textual, "text/x-config", ".toml .ini .cfg .conf .properties", markup.ReadCode},
	{textual, "text/x-source", codeExtensions, markup.ReadCode},
	{textual, manualType, "", markup.ReadManual}, // told by its name and its head
}

const codeExtensions = ".go .py .js .mjs .cjs .ts .tsx .jsx .svelte .vue .css .scss .less .java .kt .kts .c .h .cc .cpp .hpp .cs .rs .rb .php " +
	".swift .m .mm .scala .sh .bash .zsh .fish .ps1 .bat .cmd .sql .lua .pl .pm .r .jl .dart .ex .exs .erl .hs .clj .lisp .el .vim " +
	".tex .bib .sty .proto .graphql .gradle .cmake .mk .tf .nix .zig .asm .s .diff .patch .csproj .make .dockerfile"

// readerOf is what reads a media type; nil for one that is not read.
func readerOf(mediaType string) format.Reader {
	for _, f := range formats {
		if f.mediaType == mediaType {
			return f.read
		}
	}
	return nil
}

// typeOf is the media type of the format of a family that files with this
// extension have; empty for none.
func typeOf(of family, ext string) string {
	if ext == "" {
		return ""
	}
	for _, f := range formats {
		if f.family == of && slices.Contains(strings.Fields(f.extensions), ext) {
			return f.mediaType
		}
	}
	return ""
}
