package extract

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"footnote/backend/collector"
	"footnote/backend/evidence"
	"footnote/backend/extract/sandbox"
)

// A frame is a length in four bytes, big endian, and that many bytes of JSON. A
// job is a frame, followed by the file in chunks: a length and that many bytes,
// the last one empty. A result is a frame, followed by what may be large: Size
// bytes of text, or of a picture, then Blocks bytes of blocks as
// evidence.AppendBlocks writes them.
const (
	maxFrame  = 4 << 20
	maxText   = 256 << 20
	maxBlocks = 16 << 20 // as written; six bytes may be one
	maxChunk  = 1 << 20
)

// job is one file to read; a child never opens one itself. MediaType empty means
// that the bytes and the name tell.
type job struct {
	Picture   bool           `json:"picture,omitempty"` // to be drawn anew as a preview, not read
	Try       *sandbox.Trial `json:"try,omitempty"`     // no file, but a trial of the box
	MediaType string         `json:"media_type,omitempty"`
	Name      string         `json:"name,omitempty"`
	Limits    Limits         `json:"limits"`
}

type result struct {
	Document evidence.Document `json:"document"`
	Code     string            `json:"code,omitempty"`
	Reason   string            `json:"reason,omitempty"`
	Cause    string            `json:"cause,omitempty"`
	Size     int64             `json:"size"`
	Blocks   int64             `json:"blocks"`
	Slow     bool              `json:"slow,omitempty"` // not the end: work begins that takes longer, and another result follows
}

func writeFrame(w io.Writer, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("encode frame: %w", err)
	}
	if err := binary.Write(w, binary.BigEndian, uint32(len(body))); err != nil {
		return fmt.Errorf("write frame: %w", err)
	}
	if _, err := w.Write(body); err != nil {
		return fmt.Errorf("write frame: %w", err)
	}
	return nil
}

// readFrame gives io.EOF when the other side is done.
func readFrame(r io.Reader, v any) error {
	var size uint32
	if err := binary.Read(r, binary.BigEndian, &size); err != nil {
		if errors.Is(err, io.EOF) {
			return io.EOF
		}
		return fmt.Errorf("read frame: %w", err)
	}
	if size > maxFrame {
		return fmt.Errorf("read frame: %d bytes are too many", size)
	}
	body, err := readSized(r, int64(size), maxFrame)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, v); err != nil {
		return fmt.Errorf("decode frame: %w", err)
	}
	return nil
}

// grownAt is how many bytes are allocated for a frame before they come.
const grownAt = 1 << 20

// readSized reads size bytes, of which there may be so many, without allocating
// many of them before they come.
func readSized(r io.Reader, size, most int64) ([]byte, error) {
	if size < 0 || size > most {
		return nil, fmt.Errorf("read frame: %d bytes are none", size)
	}
	var body bytes.Buffer
	body.Grow(int(min(size, grownAt)) + bytes.MinRead) // and no more, where it is all
	n, err := body.ReadFrom(io.LimitReader(r, size))
	if err == nil && n < size {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, fmt.Errorf("read frame: %w", err)
	}
	return body.Bytes(), nil
}

// writeChunks sends a file of at most so many bytes. What grew beyond them since
// it was looked at is an *Error, as is what cannot be read any more.
func writeChunks(w io.Writer, file io.Reader, most int64) error {
	buf := make([]byte, 4+256<<10)
	for {
		n, err := io.ReadFull(file, buf[4:])
		if most -= int64(n); most < 0 {
			return fail(TooLarge, "The file grew while it was read.", nil)
		}
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return openError(err)
		}
		binary.BigEndian.PutUint32(buf, uint32(n))
		if _, err := w.Write(buf[:4+n]); err != nil {
			return fmt.Errorf("write file: %w", err)
		}
		if n == 0 {
			return nil
		}
	}
}

// readChunks reads what writeChunks sent.
func readChunks(r io.Reader, most int64) ([]byte, error) {
	var data bytes.Buffer
	for {
		var size uint32
		if err := binary.Read(r, binary.BigEndian, &size); err != nil {
			return nil, fmt.Errorf("read file: %w", err)
		}
		if size == 0 {
			return data.Bytes(), nil
		}
		if size > maxChunk || int64(data.Len())+int64(size) > most {
			return nil, fmt.Errorf("read file: %d bytes are too many", size)
		}
		if _, err := io.CopyN(&data, r, int64(size)); err != nil {
			return nil, fmt.Errorf("read file: %w", err)
		}
	}
}

// Statuses of a child that ends by itself: over its memory, over its time by
// lateExit, and without a sandbox.
const (
	memoryExit  = 77
	timeExit    = 78
	confineExit = 79
	lateExit    = 10 * time.Second
)

// What the collector of a child waits for.
const (
	childGarbage      = 24 << 20
	childGarbageLeast = 100 // percent of what is in use
)

// ServeWorker is the body of a child: it shuts itself into a sandbox, reads jobs
// from r and writes results to w, one after another, until r ends, which gives
// nil. The first job's limits cap the memory of this process for good, so it must
// be a child of its own.
func ServeWorker(r io.Reader, w io.Writer) error {
	if err := enterSandbox(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(confineExit)
	}
	return serve(r, w)
}

func serve(r io.Reader, w io.Writer) error {
	in, out := bufio.NewReader(r), bufio.NewWriter(w)
	defer collector.ForGarbage(childGarbage, childGarbageLeast).End()
	for capped := false; ; {
		var j job
		if err := readFrame(in, &j); err != nil {
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		}
		if !capped {
			capMemory(j.Limits.Memory)
			capped = true
		}
		data, err := readChunks(in, j.Limits.File)
		if err != nil {
			return err
		}
		// Who waits for this has given up by then, or is no more.
		over := time.AfterFunc(2*(j.Limits.Time+j.Limits.Time/10)+j.Limits.OCR+lateExit, func() { os.Exit(timeExit) })
		slow := func() { _ = reply(out, result{Slow: true}) } // a lost reply costs time only
		if err := reply(out, work(j, data, slow)); err != nil {
			return err
		}
		over.Stop()
		if len(data) > 4<<20 {
			debug.FreeOSMemory()
		}
	}
}

func work(j job, data []byte, slow func()) result {
	doc, err := read(j, data, slow)
	if err == nil {
		return result{Document: doc}
	}
	var e *Error
	switch {
	case errors.As(err, &e):
	case errors.Is(err, context.DeadlineExceeded):
		e = timeoutError(j.Limits)
	default:
		e = fail(Unreadable, "The file could not be read.", err)
	}
	res := result{Code: e.Code, Reason: e.Reason}
	if cause := e.Unwrap(); cause != nil {
		res.Cause = cause.Error()
	}
	return res
}

// read does what a job asks for. A picture is the text of its document; its flags
// are what a trial could do.
func read(j job, data []byte, slow func()) (evidence.Document, error) {
	if j.Try != nil {
		return evidence.Document{Flags: sandbox.Try(*j.Try)}, nil
	}
	if j.Picture {
		drawn, err := redraw(data)
		return evidence.Document{Text: string(drawn)}, err
	}
	if j.MediaType == "" {
		j.MediaType = MediaType(j.Name, data[:min(len(data), sniffed)])
	}
	return extractFile(context.Background(), j.MediaType, j.Name, data, j.Limits, slow)
}

func reply(out *bufio.Writer, res result) error {
	text := res.Document.Text
	var blocks []byte
	if len(res.Document.Blocks) > 0 {
		var err error
		if blocks, err = evidence.AppendBlocks(nil, res.Document.Blocks); err != nil {
			return fmt.Errorf("write blocks: %w", err)
		}
	}
	res.Document.Text, res.Document.Blocks = "", nil
	res.Size, res.Blocks = int64(len(text)), int64(len(blocks))
	if err := writeFrame(out, res); err != nil {
		return err
	}
	if _, err := out.WriteString(text); err != nil {
		return fmt.Errorf("write text: %w", err)
	}
	if _, err := out.Write(blocks); err != nil {
		return fmt.Errorf("write blocks: %w", err)
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write text: %w", err)
	}
	return nil
}

// capMemory holds this process to limit bytes more than it has: the collector
// works harder from three quarters on, the system refuses more where it can
// (limitGrowth), and a watch ends the process elsewhere.
func capMemory(limit int64) {
	if limit <= 0 {
		return
	}
	debug.SetMemoryLimit(limit / 4 * 3)
	limitGrowth(limit)
	go func() {
		sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		for range time.Tick(50 * time.Millisecond) {
			if metrics.Read(sample); sample[0].Value.Uint64() > uint64(limit) {
				os.Exit(memoryExit)
			}
		}
	}()
}

// openRegular opens a file that is a regular one: no pipe, device or folder is
// waited for or read. Errors are *Error.
func openRegular(path string, limit int64) (*os.File, error) {
	f, err := openNonBlocking(path)
	if err != nil {
		return nil, openError(err)
	}
	info, err := f.Stat()
	switch {
	case err != nil:
		err = openError(err)
	case !info.Mode().IsRegular():
		err = fail(Unreadable, "This is no regular file.", nil)
	case info.Size() > limit:
		err = tooLarge(info.Size(), limit)
	default:
		return f, nil
	}
	return nil, errors.Join(err, f.Close())
}

func openError(err error) *Error {
	switch {
	case errors.Is(err, os.ErrNotExist):
		return fail(Unreadable, "The file is not there any more.", err)
	case errors.Is(err, os.ErrPermission):
		return fail(Unreadable, "Footnote may not read this file.", err)
	}
	return fail(Unreadable, "The file could not be read.", err)
}
