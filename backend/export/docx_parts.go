package export

import (
	"fmt"
	"strings"
	"time"
)

const (
	xmlHead = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	wordNS  = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"`
	mainURI = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
	partURI = "application/vnd.openxmlformats-officedocument.wordprocessingml."

	docxTypes = xmlHead + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
		`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>` +
		`<Override PartName="/word/document.xml" ContentType="` + partURI + `document.main+xml"/>` +
		`<Override PartName="/word/styles.xml" ContentType="` + partURI + `styles+xml"/>` +
		`<Override PartName="/word/numbering.xml" ContentType="` + partURI + `numbering+xml"/>` +
		`<Override PartName="/word/footnotes.xml" ContentType="` + partURI + `footnotes+xml"/>` +
		`<Override PartName="/word/settings.xml" ContentType="` + partURI + `settings+xml"/>` +
		`<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>`

	docxRoot = xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
		`<Relationship Id="rId1" Type="` + mainURI + `officeDocument" Target="word/document.xml"/>` +
		`<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>`

	docxSettings = xmlHead + `<w:settings ` + wordNS + `><w:footnotePr><w:footnote w:id="0"/><w:footnote w:id="1"/></w:footnotePr></w:settings>`
	docxSection  = `<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>`

	docxSeparators = `<w:footnote w:type="separator" w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:footnote>` +
		`<w:footnote w:type="continuationSeparator" w:id="1"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>`
)

func docxHead(root string) string { return xmlHead + "<" + root + " " + wordNS + ">" }

func (w *docxWriter) footnotes() string {
	return docxHead("w:footnotes") + docxSeparators + w.notes.String() + "</w:footnotes>"
}

func (w *docxWriter) core(d Document) string {
	said := ""
	if !d.Updated.IsZero() {
		at := d.Updated.Format(time.RFC3339)
		said = `<dcterms:created xsi:type="dcterms:W3CDTF">` + at + `</dcterms:created><dcterms:modified xsi:type="dcterms:W3CDTF">` + at + `</dcterms:modified>`
	}
	return xmlHead + `<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"` +
		` xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><dc:title>` + xmlText(d.Title) + `</dc:title><dc:creator>Footnote</dc:creator>` + said + `</cp:coreProperties>`
}

func (w *docxWriter) relations() string {
	var b strings.Builder
	b.WriteString(xmlHead + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">`)
	for i, name := range []string{"styles", "numbering", "footnotes", "settings"} {
		fmt.Fprintf(&b, `<Relationship Id="rId%d" Type="%s%s" Target="%s.xml"/>`, i+1, mainURI, name, name)
	}
	for i, address := range w.ordered {
		fmt.Fprintf(&b, `<Relationship Id="rLink%d" Type="%shyperlink" Target="%s" TargetMode="External"/>`, i+1, mainURI, xmlText(address))
	}
	return b.String() + "</Relationships>"
}

// numbering has bullets and numbers of nine levels, and for each list where it
// begins.
func (w *docxWriter) numbering() string {
	var b strings.Builder
	b.WriteString(docxHead("w:numbering"))
	for kind, format := range []string{"bullet", "decimal"} {
		fmt.Fprintf(&b, `<w:abstractNum w:abstractNumId="%d"><w:multiLevelType w:val="hybridMultilevel"/>`, kind)
		for level := range 9 {
			text := "•"
			if kind == 1 {
				text = fmt.Sprintf("%%%d.", level+1)
			}
			fmt.Fprintf(&b, `<w:lvl w:ilvl="%d"><w:start w:val="1"/><w:numFmt w:val="%s"/><w:lvlText w:val="%s"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="%d" w:hanging="360"/></w:pPr></w:lvl>`,
				level, format, text, 480*(level+1))
		}
		b.WriteString("</w:abstractNum>")
	}
	for i, start := range w.starts {
		fmt.Fprintf(&b, `<w:num w:numId="%d"><w:abstractNumId w:val="%d"/>`, i+1, min(start, 1))
		for level := range 9 {
			fmt.Fprintf(&b, `<w:lvlOverride w:ilvl="%d"><w:startOverride w:val="%d"/></w:lvlOverride>`, level, max(start, 1))
		}
		b.WriteString("</w:num>")
	}
	return b.String() + "</w:numbering>"
}

// docxStyles are the styles that the body names.
var docxStyles = func() string {
	var b strings.Builder
	b.WriteString(docxHead("w:styles"))
	b.WriteString(`<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Georgia" w:hAnsi="Georgia" w:cs="Times New Roman"/><w:sz w:val="22"/><w:lang w:val="en-US"/></w:rPr></w:rPrDefault>` +
		`<w:pPrDefault><w:pPr><w:spacing w:after="140" w:line="276" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>`)
	style := func(kind, id, name, rest string) {
		based := ""
		if id != "Normal" && kind == "paragraph" {
			based = `<w:basedOn w:val="Normal"/>`
		}
		standard := ""
		if id == "Normal" {
			standard = ` w:default="1"`
		}
		fmt.Fprintf(&b, `<w:style w:type="%s"%s w:styleId="%s"><w:name w:val="%s"/>%s%s</w:style>`, kind, standard, id, name, based, rest)
	}
	style("paragraph", "Normal", "Normal", "")
	style("paragraph", "Title", "Title", `<w:rPr><w:b/><w:sz w:val="40"/></w:rPr>`)
	for level := range 6 {
		style("paragraph", fmt.Sprintf("Heading%d", level+1), fmt.Sprintf("heading %d", level+1),
			fmt.Sprintf(`<w:pPr><w:keepNext/><w:spacing w:before="280"/><w:outlineLvl w:val="%d"/></w:pPr><w:rPr><w:b/><w:sz w:val="%d"/></w:rPr>`, level, 32-2*level))
	}
	style("paragraph", "ListParagraph", "List Paragraph", `<w:pPr><w:contextualSpacing/></w:pPr>`)
	style("paragraph", "Quote", "Quote", `<w:rPr><w:i/></w:rPr>`)
	style("paragraph", "Code", "Code", `<w:pPr><w:spacing w:after="0"/></w:pPr><w:rPr><w:rFonts w:ascii="Consolas" w:hAnsi="Consolas"/><w:sz w:val="20"/></w:rPr>`)
	style("paragraph", "Remark", "Remark", `<w:rPr><w:i/><w:color w:val="5D5D66"/></w:rPr>`)
	style("paragraph", "Source", "Source", `<w:rPr><w:sz w:val="20"/></w:rPr>`)
	style("paragraph", "FootnoteText", "footnote text", `<w:pPr><w:spacing w:after="0"/></w:pPr><w:rPr><w:sz w:val="18"/></w:rPr>`)
	style("character", "FootnoteReference", "footnote reference", `<w:rPr><w:vertAlign w:val="superscript"/></w:rPr>`)
	style("character", "Hyperlink", "Hyperlink", `<w:rPr><w:color w:val="1F4FA3"/><w:u w:val="single"/></w:rPr>`)
	style("character", "CodeText", "Code Text", `<w:rPr><w:rFonts w:ascii="Consolas" w:hAnsi="Consolas"/></w:rPr>`)
	style("character", "Doubt", "Doubt", `<w:rPr><w:color w:val="9A4B00"/></w:rPr>`)
	style("table", "TableGrid", "Table Grid", `<w:tblPr><w:tblBorders><w:top w:val="single" w:sz="4"/><w:left w:val="single" w:sz="4"/><w:bottom w:val="single" w:sz="4"/><w:right w:val="single" w:sz="4"/><w:insideH w:val="single" w:sz="4"/><w:insideV w:val="single" w:sz="4"/></w:tblBorders></w:tblPr>`)
	return b.String() + "</w:styles>"
}()
