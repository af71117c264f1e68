package extract

import (
	"bytes"

	"footnote/backend/extract/format"
)

// packagedType is the media type of an office format or a book: by its extension,
// or by its first bytes under a name that says nothing or promises its older
// brother. A .doc is often RTF, an .xls a page.
func packagedType(ext string, head []byte) string {
	if bytes.HasPrefix(head, format.OLEMagic) {
		return oldOfficeType(ext)
	}
	if t := typeOf(packaged, ext); t != "" {
		return t
	}
	switch ext {
	case "", ".doc", ".dot", ".xls", ".ppt", ".pps", ".tmp", ".bin", ".dat", ".download":
		return officeBytes(ext, head)
	}
	return ""
}

func officeBytes(ext string, head []byte) string {
	if bytes.HasPrefix(head, []byte(`{\rtf`)) {
		return rtfType
	}
	if !bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		if start := bytes.ToLower(bytes.TrimSpace(head[:min(len(head), 256)])); ext != "" && (bytes.HasPrefix(start, []byte("<html")) || bytes.HasPrefix(start, []byte("<!doctype html"))) {
			return "text/html"
		}
		return ""
	}
	if rest := head[min(len(head), 30):]; bytes.HasPrefix(rest, []byte("mimetype")) {
		for _, t := range []string{odtType, odsType, odpType, epubType} {
			if bytes.HasPrefix(rest[len("mimetype"):], []byte(t)) {
				return t
			}
		}
	}
	for part, t := range map[string]string{"word/": docxType, "xl/": xlsxType, "ppt/": pptxType} {
		if bytes.Contains(head, []byte(part)) {
			return t
		}
	}
	return ""
}

// oldOfficeType is the media type of a compound file under the name of an office
// document: what it holds is seen when it is read.
func oldOfficeType(ext string) string {
	switch ext {
	case ".xls", ".xlt", ".xlsx", ".xlsm", ".xltx", ".xltm", ".ods":
		return xlsType
	case ".ppt", ".pps", ".pot", ".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".potm", ".odp":
		return pptType
	case "", ".doc", ".dot", ".docx", ".docm", ".dotx", ".dotm", ".odt", ".rtf", ".tmp", ".bin", ".dat", ".download":
		return docType
	}
	return ""
}

// oldOffice says what to do with a file of an older office program, or of one
// that shares its format with nobody; empty for all others.
func oldOffice(ext string) string {
	save := func(what, as string) string { return "This is " + what + "; save it as " + as + " and add that." }
	switch ext {
	case ".doc", ".dot":
		return save("a document in the old Word format", ".docx")
	case ".xls", ".xlt":
		return save("a workbook in the old Excel format", ".xlsx")
	case ".xlsb":
		return save("a binary Excel workbook", ".xlsx")
	case ".ppt", ".pps", ".pot":
		return save("a presentation in the old PowerPoint format", ".pptx")
	case ".pages":
		return save("a Pages document", ".docx or PDF")
	case ".numbers":
		return save("a Numbers spreadsheet", ".xlsx")
	case ".key":
		return save("a Keynote presentation", ".pptx or PDF")
	case ".wpd", ".wps", ".sxw", ".sxc", ".sxi":
		return save("a document of an old word processor", ".odt or .docx")
	case ".fodt", ".fods", ".fodp":
		return save("a flat OpenDocument file", ".odt, .ods or .odp")
	case ".mobi", ".azw", ".azw3":
		return "This is a book in a Kindle format; convert it to EPUB and add that."
	}
	return ""
}
