package extract

import (
	"context"
	"fmt"
	"os/exec"
	"strings"

	"footnote/backend/extract/ocr"
	"footnote/backend/extract/pdf"
)

// readerVersion grows when this room reads a format that it did not, or more of
// one.
const readerVersion = 7

// Ability names all that decides how much of a file is read here beside the file
// itself: this version, its limits and the programs of the system. Where it
// differs from what it was, a file that was read in part may be read better.
func Ability(ctx context.Context, lim Limits) string {
	parts := []string{
		fmt.Sprintf("reader %d", readerVersion),
		fmt.Sprintf("limits %d %d %d %d %d %d %v", lim.File, lim.Text, lim.Output, lim.Parts, lim.Entry, lim.Pages, lim.Time),
	}
	for _, tool := range []string{"pdftotext", "pdftoppm"} {
		if _, err := exec.LookPath(tool); err == nil {
			parts = append(parts, tool)
		}
	}
	if pdf.HasPDFium {
		parts = append(parts, "pdfium")
	}
	if r, _ := ocr.Find(ctx, lim); r != nil {
		parts = append(parts, "recognition "+strings.Join(r.Args, " "))
	}
	return strings.Join(parts, "; ")
}
