package pdf

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"footnote/backend/extract/layout"
	"footnote/backend/extract/ocr"
	"footnote/backend/extract/tool"
)

// poppler is the system's pdftotext and pdftoppm, run on a copy of the file
// within the limits of this process.
type poppler struct {
	dir   string
	pages [][layout.Turns][]layout.Fragment
}

// errNoEngine says that this system has no second reader of PDFs.
var errNoEngine = errors.New("no second reader of PDFs is here")

func openPoppler(ctx context.Context, data []byte) (*poppler, error) {
	program, err := exec.LookPath("pdftotext")
	if err != nil {
		return nil, errNoEngine
	}
	p := &poppler{}
	if p.dir, err = os.MkdirTemp("", "footnote-pdf-"); err != nil {
		return nil, fmt.Errorf("make folder for pages: %w", err)
	}
	if err := p.read(ctx, program, data); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *poppler) file() string { return filepath.Join(p.dir, "file.pdf") }

func (p *poppler) read(ctx context.Context, program string, data []byte) error {
	if err := os.WriteFile(p.file(), data, 0o600); err != nil {
		return fmt.Errorf("copy file: %w", err)
	}
	out, err := tool.Run(ctx, nil, program, "-bbox", p.file(), "-")
	switch {
	case err != nil && strings.Contains(err.Error(), "assword"):
		return errPassword
	case err != nil && len(out) == 0:
		return err
	}
	p.pages = readBoxes(bytes.NewReader(out))
	if len(p.pages) == 0 {
		return errors.New("pdftotext found no pages")
	}
	return nil
}

// readBoxes reads the words of pdftotext -bbox, page by page. Damage ends it:
// what was read before counts.
func readBoxes(in io.Reader) (pages [][layout.Turns][]layout.Fragment) {
	dec := xml.NewDecoder(in)
	dec.Strict = false
	dec.Entity = xml.HTMLEntity
	for {
		token, err := dec.Token()
		if err != nil {
			return pages
		}
		start, ok := token.(xml.StartElement)
		switch {
		case !ok:
		case start.Name.Local == "page":
			pages = append(pages, [layout.Turns][]layout.Fragment{})
		case start.Name.Local == "word" && len(pages) > 0:
			var text string
			if dec.DecodeElement(&text, &start) != nil || strings.TrimSpace(text) == "" {
				continue
			}
			box := map[string]float64{}
			for _, a := range start.Attr {
				box[a.Name.Local], _ = strconv.ParseFloat(a.Value, 64) // what is no number is 0
			}
			page := &pages[len(pages)-1]
			size := box["yMax"] - box["yMin"]
			page[0] = append(page[0], layout.Fragment{
				Text: layout.ShownOrder(layout.PlainLetters(text)), X0: box["xMin"], X1: box["xMax"], Size: size, Y: -box["yMax"] + 0.22*size, Word: true,
			})
		}
	}
}

func (p *poppler) count() int { return len(p.pages) }

func (p *poppler) text(_ context.Context, page int) (pageText, error) {
	t := pageText{turned: p.pages[page], drawn: true}
	for _, f := range t.turned[0] {
		t.garbled += layout.GarbledIn(f.Text)
	}
	return t, nil
}

func (p *poppler) picture(ctx context.Context, page int) ([]byte, error) {
	return drawPage(ctx, p.file(), page)
}

func (p *poppler) close() { _ = os.RemoveAll(p.dir) }

// drawPage draws a page with pdftoppm.
func drawPage(ctx context.Context, file string, page int) ([]byte, error) {
	program, err := exec.LookPath("pdftoppm")
	if err != nil {
		return nil, errNoEngine
	}
	n := strconv.Itoa(page + 1)
	return tool.Run(ctx, nil, program, "-q", "-gray", "-r", strconv.Itoa(ocr.DPI), "-f", n, "-l", n, file)
}
