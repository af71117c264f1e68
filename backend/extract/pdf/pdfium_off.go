//go:build !pdfium

package pdf

import (
	"context"

	"footnote/backend/extract/format"
)

// HasPDFium says whether PDFium is built in, which is done with the tag pdfium.
const HasPDFium = false

// openPDFium gives errNoEngine.
func openPDFium(context.Context, []byte, format.Limits) (pdfEngine, error) { return nil, errNoEngine }
