package privacy

import (
	"path/filepath"
	"slices"
	"strings"
)

// documents are the ends of names of files that programs show and do not run.
var documents = strings.Fields(`
	.pdf .txt .text .md .markdown .rst .org .tex .log .csv .tsv .json .jsonl .ndjson .yaml .yml .toml .ini .xml .htm .html .xhtml .mhtml .epub
	.doc .docx .dot .dotx .odt .ott .rtf .pages .xls .xlsx .ods .numbers .ppt .pptx .pps .ppsx .odp .key .vsdx .odg .eml .msg .mbox .ics .vcf .bib .srt .vtt
	.png .jpg .jpeg .gif .webp .tif .tiff .bmp .heic .svg .djvu .ps .ipynb`)

// Opens reports whether a file is a document that the system's own program may be
// asked to show. Anything else could be run by being opened.
func Opens(path string) bool {
	return slices.Contains(documents, strings.ToLower(filepath.Ext(strings.TrimRight(path, ". "))))
}
