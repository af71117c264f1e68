package export

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"footnote/backend/answer"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Limits of a bundle that is brought back.
const (
	MaxBundle    = 256 << 20 // bytes as it came
	mostFiles    = 20_000
	largestFile  = 64 << 20  // bytes unpacked
	largestWhole = 256 << 20 // of all files
	largestRatio = 200       // unpacked bytes for one packed, beyond the first megabyte
	mostRuns     = 999       // three digits name a run
)

// fileNames is every name that a file of a bundle may have: nothing is ever
// written under one.
var fileNames = regexp.MustCompile(`^(manifest\.json|thread\.json|report\.md|runs/\d{3}/(run|ranking|tape|trace)\.json|runs/\d{3}/events\.jsonl|sources/src_[0-9a-z]{10,64}\.json|texts/[0-9a-f]{64}\.json)$`)

// ReadBundle reads what WriteBundle wrote, perhaps long ago and elsewhere, and
// believes nothing: every size, digest, id and quote is checked. Its faults are
// invalid-request, too-large and unsupported-media-type; each names what is wrong.
func ReadBundle(data []byte) (answer.KeptThread, error) {
	if len(data) > MaxBundle {
		return answer.KeptThread{}, fault.New(fault.TooLarge, "The bundle is larger than Footnote reads.", "Export single answers instead of the whole conversation.")
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return answer.KeptThread{}, fault.Wrap(err, fault.UnsupportedMedia, "This file is no bundle.", "Choose a file that was exported as bundle.")
	}
	r := &bundleReader{files: map[string][]byte{}}
	if err := r.unpack(z); err != nil {
		return answer.KeptThread{}, err
	}
	if err := r.verify(); err != nil {
		return answer.KeptThread{}, err
	}
	k, err := r.thread()
	if err != nil {
		return answer.KeptThread{}, err
	}
	return k, sound(k)
}

// refused says what is wrong with a bundle.
func refused(cause error, format string, args ...any) error {
	return fault.Wrap(cause, fault.InvalidRequest, "The bundle is not sound: "+fmt.Sprintf(format, args...)+".", "It was damaged or changed after it was exported; ask for it again.")
}

type bundleReader struct {
	files map[string][]byte
}

// unpack reads the files within the limits, whatever the archive says of their
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
		body, err := unpackFile(f, min(largestFile, largestWhole-whole))
		if err != nil {
			return err
		}
		whole += len(body)
		r.files[f.Name] = body
	}
	return nil
}

func unpackFile(f *zip.File, limit int) ([]byte, error) {
	in, err := f.Open()
	if err != nil {
		return nil, refused(err, "%s cannot be opened", f.Name)
	}
	defer in.Close()
	if packed := int(min(f.CompressedSize64, MaxBundle)); packed*largestRatio+1<<20 < limit {
		limit = packed*largestRatio + 1<<20
	}
	body, err := io.ReadAll(io.LimitReader(in, int64(limit)+1))
	switch {
	case len(body) > limit:
		return nil, fault.New(fault.TooLarge, "The bundle unpacks to more than Footnote reads: "+f.Name+".", "It was not made by Footnote, or holds too much; export single answers.")
	case err != nil:
		return nil, refused(err, "%s cannot be unpacked", f.Name)
	}
	return body, nil
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
		body, ok := r.files[f.Name]
		switch {
		case !ok || f.Name == "manifest.json":
			return refused(nil, "%q is missing", shortened(f.Name))
		case len(body) != f.Size || evidence.Digest(body) != f.SHA256:
			return refused(nil, "%s is not what its digest says", f.Name)
		}
	}
	return nil
}

// decode reads a file of JSON that has to be there.
func (r *bundleReader) decode(name string, into any) error {
	body, ok := r.files[name]
	if !ok {
		return refused(nil, "%s is missing", name)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return refused(err, "%s cannot be read", name)
	}
	return nil
}

func (r *bundleReader) thread() (answer.KeptThread, error) {
	var t bundleThread
	if err := r.decode("thread.json", &t); err != nil {
		return answer.KeptThread{}, err
	}
	k := answer.KeptThread{ID: t.ID, Title: t.Title, Type: t.Type, Created: t.Created, Updated: t.Updated}
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

func (r *bundleReader) run(at string) (answer.KeptRun, error) {
	var b bundleRun
	if err := r.decode(at+"run.json", &b); err != nil {
		return answer.KeptRun{}, err
	}
	k := answer.KeptRun{Run: b.Run, Sources: b.Sources}
	lines := json.NewDecoder(bytes.NewReader(r.files[at+"events.jsonl"]))
	for {
		var e answer.Event
		err := lines.Decode(&e)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return k, refused(err, "%sevents.jsonl cannot be read", at)
		}
		k.Events = append(k.Events, e)
	}
	if r.files[at+"ranking.json"] != nil {
		k.Ranking = new(answer.Ranking)
		if err := r.decode(at+"ranking.json", k.Ranking); err != nil {
			return k, err
		}
	}
	if r.files[at+"tape.json"] != nil {
		k.Tape = new(answer.Tape)
		if err := r.decode(at+"tape.json", k.Tape); err != nil {
			return k, err
		}
	}
	return k, nil
}

func (r *bundleReader) document(name string) (answer.KeptDocument, error) {
	var s bundleSource
	if err := r.decode(name, &s); err != nil {
		return answer.KeptDocument{}, err
	}
	var t bundleText
	if err := r.decode("texts/"+s.Digest+".json", &t); err != nil {
		return answer.KeptDocument{}, err
	}
	if name != "sources/"+string(s.ID)+".json" || t.Digest != s.Digest {
		return answer.KeptDocument{}, refused(nil, "%s speaks of another source", name)
	}
	k := answer.KeptDocument{Document: evidence.Document{
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
