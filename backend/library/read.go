package library

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"footnote/backend/evidence"
	"footnote/backend/extract"
	"footnote/backend/library/topics"
	"footnote/backend/library/walk"
	"footnote/backend/rank"
)

// outcome is what a worker made of a file.
type outcome struct {
	Intake
	gone  bool // the file is no longer there
	again bool // it changed while it was read: look again soon
	same  bool // its text is the one it had
}

// borrows reports whether the file was found to have a text that is stored.
func (o outcome) borrows() bool {
	return o.Document == nil && (o.File.State == Ready || o.File.State == Partial)
}

// print is a file's digest and the stamp of the moment it was taken.
type print struct {
	digest string
	stamp  walk.Stamp
}

// errTooLarge refuses a file by its size, before a byte of it is read.
var errTooLarge = errors.New("too large")

// fingerprint reads a regular file inside its root.
func fingerprint(ctx context.Context, root, path string) (print, error) {
	f, info, err := walk.OpenRegular(root, path)
	if err != nil {
		return print{}, err
	}
	defer f.Close()
	p := print{stamp: walk.StampOf(info)}
	if limit := extract.DefaultLimits().File; info.Size() > limit {
		return p, fmt.Errorf("read %d of at most %d bytes: %w", info.Size(), limit, errTooLarge)
	}
	p.digest, err = sum(ctx, f, sha256.New())
	return p, err
}

// sumBuffers are for sum: one a file would be a fifth of all memory that reading
// a folder takes.
var sumBuffers = sync.Pool{New: func() any { return new([128 << 10]byte) }}

func sum(ctx context.Context, r io.Reader, h hash.Hash) (string, error) {
	buf := sumBuffers.Get().(*[128 << 10]byte)
	defer sumBuffers.Put(buf)
	for {
		n, err := r.Read(buf[:])
		h.Write(buf[:n])
		if err == io.EOF {
			return hex.EncodeToString(h.Sum(nil)), nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return "", err
		}
	}
}

// read brings one file from the queue to its text. The error is ctx's or the
// catalog's; what is wrong with the file stands in the outcome.
func (l *Library) read(ctx context.Context, tokenizer *rank.Tokenizer, f File) (outcome, error) {
	p, err := fingerprint(ctx, f.RootPath, f.Path)
	if p.stamp != (walk.Stamp{}) {
		f.Stamp = p.stamp
	}
	switch {
	case ctx.Err() != nil:
		return outcome{}, ctx.Err()
	case errors.Is(err, fs.ErrNotExist) && (f.RootPath == "" || exists(f.RootPath)):
		return outcome{Intake: Intake{File: f}, gone: true}, nil
	case errors.Is(err, errTooLarge):
		return failed(f, "", extract.TooLarge, fmt.Sprintf("The file has %d MB; files of up to %d MB are read.", f.Stamp.Size>>20, extract.DefaultLimits().File>>20)), nil
	case err != nil:
		return failed(f, "", extract.Unreadable, walk.Reason(err)), nil
	case p.digest == f.Digest && f.Code != "" && f.Code != extract.Unreadable: // it was tried before: the same bytes give the same failure
		return failed(f, f.Digest, f.Code, f.Reason), nil
	}
	known, err := l.Catalog.Known(ctx, []string{p.digest})
	if err != nil {
		return outcome{}, err
	}
	if k, ok := known[p.digest]; ok {
		return outcome{Intake: Intake{File: l.ready(f, p.digest, k.Coverage)}, same: f.Digest == p.digest}, nil
	}
	return l.readNew(ctx, tokenizer, f, p.digest)
}

func (l *Library) readNew(ctx context.Context, tokenizer *rank.Tokenizer, f File, digest string) (outcome, error) {
	l.bus.publish(Extracting{File: f.ID})
	doc, err := l.Extract(ctx, f.Path)
	var why *extract.Error
	switch {
	case ctx.Err() != nil:
		return outcome{}, ctx.Err()
	case errors.As(err, &why) && why.Code == extract.Unreadable && !exists(f.Path): // it went after its digest was taken
		there := f.RootPath == "" || exists(f.RootPath)
		return outcome{Intake: Intake{File: f}, gone: there, again: !there}, nil
	case errors.As(err, &why) && why.Code == extract.NotStarted:
		l.Log.Error("nothing to read documents with", "err", why)
		return failed(f, "", why.Code, why.Reason), nil
	case errors.As(err, &why):
		return failed(f, digest, why.Code, why.Reason), nil
	case err != nil:
		l.Log.Warn("file not extracted", "path", f.Path, "error", err)
		return failed(f, digest, extract.Crashed, "The reader of documents failed on this file."), nil
	case doc.Source.Digest != "" && doc.Source.Digest != digest:
		return outcome{Intake: Intake{File: f}, again: true}, nil
	}
	f = l.ready(f, digest, doc.Coverage)
	if doc.Source.Title == strings.TrimSuffix(filepath.Base(f.Path), filepath.Ext(f.Path)) {
		doc.Source.Title = "" // no title of its own; the name may change
	}
	f.Title, f.Media = doc.Source.Title, doc.Source.MediaType
	doc.Source.Digest = digest
	passages := evidence.Split(doc, l.Settings().Library.Split())
	source := f.Source()
	doc.Source.ID, doc.Source.Kind, doc.Source.Address, doc.Source.Seen = source.ID, source.Kind, source.Address, source.Seen
	words := topics.Frequent(tokenizer, doc, plainName(f.Path), filepath.Ext(f.Path))
	in := Intake{File: f, Document: &doc, Passages: passages, Words: words, Topics: topics.First(words)}
	if in.Embedder, in.Vectors, err = l.embedNow(ctx, passages, digest, f.Path); err != nil {
		return outcome{}, err
	}
	return outcome{Intake: in}, nil
}

// ready gives a file the state that its coverage tells.
func (l *Library) ready(f File, digest string, c evidence.Coverage) File {
	f.Digest, f.Indexed, f.Coverage = digest, l.Now(), c
	f.State, f.Code, f.Reason = Ready, "", ""
	if c.Truncated || c.Reason != "" || c.Read < c.Pages && c.Empty+c.Read < c.Pages {
		f.State, f.Reason = Partial, c.Reason
		if f.Reason == "" {
			f.Reason = fmt.Sprintf("%d of %d pages were read.", c.Read, c.Pages)
		}
	}
	return f
}

// passedOver are the codes of files that are no documents: skipped, not failed.
var passedOver = []string{extract.Unsupported, extract.Empty}

func failed(f File, digest, code, reason string) outcome {
	f.Digest, f.Code, f.Reason, f.State = digest, code, reason, Failed
	if slices.Contains(passedOver, code) {
		f.State = Skipped
	}
	return outcome{Intake: Intake{File: f}}
}
