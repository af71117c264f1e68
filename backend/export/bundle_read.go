package export

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/bounded"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Limits of a bundle that is brought back.
const (
	MaxBundle    = 256 << 20 // bytes as it came
	mostFiles    = 20_000
	largestFile  = 64 << 20  // bytes unpacked
	largestWhole = 128 << 20 // of all files
	largestRatio = 200       // unpacked bytes for one packed, beyond the first megabyte
	mostRuns     = 999       // three digits name a run
	mostBlocks   = 400_000   // of all texts
)

// mostValues bounds what all files but the texts are made of; a list of three
// bytes an element may cost hundreds of them.
var mostValues = bounded.Counts{Members: 3_000_000, Numbers: 300_000, Elements: 300_000}

// fileNames is every name that a file of a bundle may have: nothing is ever
// written under one.
var fileNames = regexp.MustCompile(`^(manifest\.json|thread\.json|report\.md|runs/\d{3}/(run|ranking|tape|trace)\.json|runs/\d{3}/events\.jsonl|sources/src_[0-9a-z]{10,64}\.json|texts/[0-9a-f]{64}\.json)$`)

// ReadBundle reads what WriteBundle wrote, perhaps long ago and elsewhere, and
// believes nothing: every size, digest, id and quote is checked. Its faults are
// invalid-request, too-large and unsupported-media-type; each names what is wrong.
// The end of ctx ends it, with its error.
func ReadBundle(ctx context.Context, data []byte) (trace.KeptThread, error) {
	if len(data) > MaxBundle {
		return trace.KeptThread{}, fault.New(fault.TooLarge, "The bundle is larger than Footnote reads.", "Export single answers instead of the whole conversation.")
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return trace.KeptThread{}, fault.Wrap(err, fault.UnsupportedMedia, "This file is no bundle.", "Choose a file that was exported as bundle.")
	}
	r := &bundleReader{ctx: ctx, files: map[string]*zip.File{}, digests: map[string]unpacked{}, texts: map[string]bundleText{}, values: mostValues, blocks: mostBlocks, room: 2 * largestWhole}
	k, err := r.read(z)
	if ended := ctx.Err(); ended != nil {
		return trace.KeptThread{}, ended // whatever it broke off
	}
	return k, err
}

func (r *bundleReader) read(z *zip.Reader) (k trace.KeptThread, err error) {
	if err = r.unpack(z); err == nil {
		err = r.verify()
	}
	if err == nil {
		k, err = r.thread()
	}
	if err == nil {
		err = sound(r.ctx, k)
	}
	if err != nil {
		return trace.KeptThread{}, err
	}
	return k, nil
}

// whileAsked reads until ctx ends.
type whileAsked struct {
	ctx context.Context
	io.Reader
}

func (w whileAsked) Read(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.Reader.Read(p)
}

// refused says what is wrong with a bundle.
func refused(cause error, format string, args ...any) error {
	return fault.Wrap(cause, fault.InvalidRequest, "The bundle is not sound: "+fmt.Sprintf(format, args...)+".", "It was damaged or changed after it was exported; ask for it again.")
}

// bundleReader reads one file after the other; none is kept.
type bundleReader struct {
	ctx     context.Context
	files   map[string]*zip.File
	digests map[string]unpacked
	texts   map[string]bundleText // those of a digest are one
	values  bounded.Counts        // that may still come
	blocks  int
	room    int // bytes of text of all sources
}

// unpacked is what a file turned out to be.
type unpacked struct {
	size   int
	digest string
}

// unpack looks at the files within the limits, whatever the archive says of their
// sizes.
func (r *bundleReader) unpack(z *zip.Reader) error {
	if len(z.File) > mostFiles {
		return fault.New(fault.TooLarge, fmt.Sprintf("The bundle holds %d files; %d are allowed.", len(z.File), mostFiles), "Export single answers instead of the whole conversation.")
	}
	whole := 0
	for _, f := range z.File {
		switch {
		case !fileNames.MatchString(f.Name):
			return refused(nil, "it holds a file called %q", shortened(f.Name))
		case r.files[f.Name] != nil:
			return refused(nil, "%s stands in it twice", f.Name)
		}
		r.files[f.Name] = f
		sum := sha256.New()
		size, err := r.unpackFile(f, min(largestFile, largestWhole-whole), sum)
		if err != nil {
			return err
		}
		whole += size
		r.digests[f.Name] = unpacked{size, hex.EncodeToString(sum.Sum(nil))}
	}
	return nil
}

func (r *bundleReader) unpackFile(f *zip.File, limit int, into io.Writer) (int, error) {
	in, err := f.Open()
	if err != nil {
		return 0, refused(err, "%s cannot be opened", f.Name)
	}
	defer in.Close()
	if packed := int(min(f.CompressedSize64, MaxBundle)); packed*largestRatio+1<<20 < limit {
		limit = packed*largestRatio + 1<<20
	}
	size, err := io.Copy(into, io.LimitReader(whileAsked{r.ctx, in}, int64(limit)+1))
	switch {
	case size > int64(limit):
		return 0, fault.New(fault.TooLarge, "The bundle unpacks to more than Footnote reads: "+f.Name+".", "It was not made by Footnote, or holds too much; export single answers.")
	case err != nil:
		return 0, refused(err, "%s cannot be unpacked", f.Name)
	}
	return int(size), nil
}

// body gives the bytes of a file that was unpacked before; nil of none.
func (r *bundleReader) body(name string) ([]byte, error) {
	f, ok := r.files[name]
	if !ok {
		return nil, nil
	}
	var body bytes.Buffer
	body.Grow(r.digests[name].size + bytes.MinRead)
	_, err := r.unpackFile(f, largestFile, &body)
	return body.Bytes(), err
}

// verify holds the files to the manifest: all of them, no others, each as it was.
func (r *bundleReader) verify() error {
	var m manifest
	if err := r.decode("manifest.json", &m); err != nil {
		return err
	}
	if m.Format != bundleFormat {
		return fault.New(fault.UnsupportedMedia, "This file is no bundle.", "Choose a file that was exported as bundle.")
	}
	if m.Version > bundleVersion {
		return fault.New(fault.UnsupportedMedia, "The bundle was made by a newer Footnote.", "Install that version.")
	}
	if len(m.Files) != len(r.files)-1 {
		return refused(nil, "its list names %d files, and there are %d", len(m.Files), len(r.files)-1)
	}
	for _, f := range m.Files {
		found, ok := r.digests[f.Name]
		switch {
		case !ok || f.Name == "manifest.json":
			return refused(nil, "%q is missing", shortened(f.Name))
		case found != unpacked{f.Size, f.SHA256}:
			return refused(nil, "%s is not what its digest says", f.Name)
		}
	}
	return nil
}

// decode reads a file of JSON that has to be there.
func (r *bundleReader) decode(name string, into any) error {
	if r.files[name] == nil {
		return refused(nil, "%s is missing", name)
	}
	body, err := r.counted(name)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return refused(err, "%s cannot be read", name)
	}
	return nil
}

// counted gives the bytes of a file whose values are counted and not too many.
func (r *bundleReader) counted(name string) ([]byte, error) {
	body, err := r.body(name)
	if err != nil {
		return nil, err
	}
	if r.values = r.values.Without(bounded.Count(body)); !(bounded.Counts{}).Within(r.values) {
		return nil, tooMany(name)
	}
	return body, nil
}

func tooMany(name string) error {
	return fault.New(fault.TooLarge, "The bundle holds more things than Footnote reads: "+name+".", "It was not made by Footnote, or holds too much; export single answers.")
}

// text reads the text of a source, its blocks one by one.
func (r *bundleReader) text(name string) (t bundleText, err error) {
	if r.files[name] == nil {
		return t, refused(nil, "%s is missing", name)
	}
	body, err := r.body(name)
	if err != nil {
		return t, err
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	err = eachMember(dec, func(key string) error {
		switch key {
		case "digest":
			return dec.Decode(&t.Digest)
		case "text":
			return dec.Decode(&t.Text)
		case "blocks":
			return r.textBlocks(dec, name, &t)
		}
		return dec.Decode(new(json.RawMessage))
	})
	var many *fault.Fault
	if err != nil && !errors.As(err, &many) {
		err = refused(err, "%s cannot be read", name)
	}
	return t, err
}

func (r *bundleReader) textBlocks(dec *json.Decoder, name string, t *bundleText) error {
	if opening, err := dec.Token(); err != nil || opening != json.Delim('[') {
		return errors.Join(err, errShape)
	}
	for dec.More() {
		if r.blocks--; r.blocks < 0 {
			return tooMany(name)
		}
		if err := r.ctx.Err(); err != nil {
			return err
		}
		t.Blocks = append(t.Blocks, evidence.Block{})
		if err := dec.Decode(&t.Blocks[len(t.Blocks)-1]); err != nil {
			return err
		}
	}
	_, err := dec.Token()
	return err
}

var errShape = errors.New("another kind of value stands there")

// eachMember reads an object, which is all there is, by the names of its members.
func eachMember(dec *json.Decoder, member func(key string) error) error {
	if opening, err := dec.Token(); err != nil || opening != json.Delim('{') {
		return errors.Join(err, errShape)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string) // names are
		if err := member(name); err != nil {
			return err
		}
	}
	if _, err := dec.Token(); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errors.Join(err, errShape)
	}
	return nil
}

func (r *bundleReader) thread() (trace.KeptThread, error) {
	var t bundleThread
	if err := r.decode("thread.json", &t); err != nil {
		return trace.KeptThread{}, err
	}
	k := trace.KeptThread{ID: t.ID, Title: t.Title, Type: t.Type, Created: t.Created, Updated: t.Updated}
	for i := 1; i <= mostRuns; i++ {
		at := fmt.Sprintf("runs/%03d/", i)
		if r.files[at+"run.json"] == nil {
			break
		}
		run, err := r.run(at)
		if err != nil {
			return k, err
		}
		k.Runs = append(k.Runs, run)
	}
	names := slices.Collect(func(yield func(string) bool) {
		for name := range r.files {
			if strings.HasPrefix(name, "sources/") && !yield(name) {
				return
			}
		}
	})
	slices.Sort(names)
	for _, name := range names {
		doc, err := r.document(name)
		if err != nil {
			return k, err
		}
		k.Documents = append(k.Documents, doc)
	}
	return k, nil
}

func (r *bundleReader) run(at string) (trace.KeptRun, error) {
	var b bundleRun
	if err := r.decode(at+"run.json", &b); err != nil {
		return trace.KeptRun{}, err
	}
	k := trace.KeptRun{Run: b.Run, Sources: b.Sources}
	events, err := r.counted(at + "events.jsonl")
	if err != nil {
		return k, err
	}
	lines := json.NewDecoder(bytes.NewReader(events))
	for {
		var e contract.Event
		err := lines.Decode(&e)
		if errors.Is(err, io.EOF) {
			break
		}
		if ended := r.ctx.Err(); ended != nil {
			return k, ended
		}
		if err != nil {
			return k, refused(err, "%sevents.jsonl cannot be read", at)
		}
		k.Events = append(k.Events, e)
	}
	if r.files[at+"ranking.json"] != nil {
		k.Ranking = new(trace.Ranking)
		if err := r.decode(at+"ranking.json", k.Ranking); err != nil {
			return k, err
		}
	}
	if r.files[at+"tape.json"] != nil {
		k.Tape = new(trace.Tape)
		if err := r.decode(at+"tape.json", k.Tape); err != nil {
			return k, err
		}
	}
	return k, nil
}

func (r *bundleReader) document(name string) (trace.KeptDocument, error) {
	var s bundleSource
	if err := r.decode(name, &s); err != nil {
		return trace.KeptDocument{}, err
	}
	t, ok := r.texts[s.Digest]
	if !ok {
		var err error
		if t, err = r.text("texts/" + s.Digest + ".json"); err != nil {
			return trace.KeptDocument{}, err
		}
		r.texts[s.Digest] = t
	}
	if r.room -= len(t.Text); r.room < 0 {
		return trace.KeptDocument{}, tooMany(name)
	}
	if name != "sources/"+string(s.ID)+".json" || t.Digest != s.Digest {
		return trace.KeptDocument{}, refused(nil, "%s speaks of another source", name)
	}
	k := trace.KeptDocument{Document: evidence.Document{
		Source: evidence.Source{ID: s.ID, Kind: s.Kind, Title: s.Title, Address: s.Address, MediaType: s.MediaType, Digest: s.Digest, Published: s.Published, Seen: s.Seen},
		Text:   t.Text, Blocks: t.Blocks, Coverage: s.Coverage, Flags: s.Flags, Image: s.Image,
	}}
	for _, p := range s.Passages {
		k.Passages = append(k.Passages, evidence.Passage{ID: p.ID, Source: s.ID, Text: p.Text, At: p.At, Index: p.Index})
	}
	return k, nil
}

func shortened(s string) string {
	if r := []rune(oneLine(s)); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return oneLine(s)
}
