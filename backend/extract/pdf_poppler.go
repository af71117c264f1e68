package extract

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
)

// scanDPI is how finely pages are drawn for recognition.
const scanDPI = 200

// poppler is the system's pdftotext and pdftoppm, run on a copy of the file
// within the limits of this process.
type poppler struct {
	dir   string
	pages [][turns][]fragment
}

// errNoEngine says that this system has no second reader of PDFs.
var errNoEngine = errors.New("no second reader of PDFs is here")

func openPoppler(ctx context.Context, data []byte) (*poppler, error) {
	tool, err := exec.LookPath("pdftotext")
	if err != nil {
		return nil, errNoEngine
	}
	p := &poppler{}
	if p.dir, err = os.MkdirTemp("", "footnote-pdf-"); err != nil {
		return nil, fmt.Errorf("make folder for pages: %w", err)
	}
	if err := p.read(ctx, tool, data); err != nil {
		p.close()
		return nil, err
	}
	return p, nil
}

func (p *poppler) file() string { return filepath.Join(p.dir, "file.pdf") }

func (p *poppler) read(ctx context.Context, tool string, data []byte) error {
	if err := os.WriteFile(p.file(), data, 0o600); err != nil {
		return fmt.Errorf("copy file: %w", err)
	}
	out, err := runTool(ctx, nil, tool, "-bbox", p.file(), "-")
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
func readBoxes(in io.Reader) (pages [][turns][]fragment) {
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
			pages = append(pages, [turns][]fragment{})
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
			page[0] = append(page[0], fragment{
				text: shownOrder(plainLetters(text)), x0: box["xMin"], x1: box["xMax"], size: size, y: -box["yMax"] + 0.22*size, word: true,
			})
		}
	}
}

func (p *poppler) count() int { return len(p.pages) }

func (p *poppler) text(_ context.Context, page int) (pageText, error) {
	t := pageText{turned: p.pages[page], drawn: true}
	for _, f := range t.turned[0] {
		t.garbled += garbledIn(f.text)
	}
	return t, nil
}

func (p *poppler) picture(ctx context.Context, page int) ([]byte, error) {
	return drawPage(ctx, p.file(), page)
}

func (p *poppler) close() { _ = os.RemoveAll(p.dir) }

// drawPage draws a page with pdftoppm.
func drawPage(ctx context.Context, file string, page int) ([]byte, error) {
	tool, err := exec.LookPath("pdftoppm")
	if err != nil {
		return nil, errNoEngine
	}
	n := strconv.Itoa(page + 1)
	return runTool(ctx, nil, tool, "-q", "-gray", "-r", strconv.Itoa(scanDPI), "-f", n, "-l", n, file)
}

// runTool runs a program of the system on behalf of a file and gives what it
// writes, up to a limit. It ends with the context.
func runTool(ctx context.Context, in []byte, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(childEnv(os.Environ()), "OMP_THREAD_LIMIT=1", "LC_ALL=C.UTF-8")
	cmd.Stdin = bytes.NewReader(in)
	out, said := &bounded{room: maxToolOutput}, &opening{}
	cmd.Stdout, cmd.Stderr = out, said
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		err = fmt.Errorf("run %s: %w: %s", filepath.Base(name), err, firstLine(said.String()))
	}
	return out.Bytes(), err
}

const maxToolOutput = 128 << 20

// bounded keeps what is written until there is no room.
type bounded struct {
	bytes.Buffer
	room int
}

// Write fails when there is no room: the program that writes ends.
func (w *bounded) Write(p []byte) (int, error) {
	if len(p) > w.room-w.Len() {
		return 0, errors.New("too much output")
	}
	return w.Buffer.Write(p)
}
