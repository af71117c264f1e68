//go:build !pdfium

package extract

import "context"

const hasPDFium = false

// openPDFium gives errNoEngine: PDFium is built in with the tag pdfium.
func openPDFium(context.Context, []byte, Limits) (pdfEngine, error) { return nil, errNoEngine }
