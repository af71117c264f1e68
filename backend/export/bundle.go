package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/plain"
)

// A bundle is a zip archive of plain files:
//
//	manifest.json              what it is, and the size and SHA-256 of each other file
//	thread.json                name, title, times
//	report.md                  the conversation as people read it
//	runs/001/run.json          question and answer: claims, quotes, scores, usage, ledger
//	runs/001/events.jsonl      what happened, in order
//	runs/001/ranking.json      every candidate with its scores, where evidence was ranked
//	runs/001/tape.json         settings, hash of the prompts, what models said
//	runs/001/trace.json        the stages, for people; made of the events
//	sources/<id>.json          a source as it was read, with the passages that are named
//	texts/<digest>.json        its text with places
//
// It holds no key and no secret, and names files without their folders (ADR 51);
// it does hold the whole text of every page and file that the answers rest on.
const (
	bundleFormat  = "footnote-bundle"
	bundleVersion = 1
	bundleStyle   = "[1]"
)

type manifest struct {
	Format  string            `json:"format"`
	Version int               `json:"version"`
	Thread  contract.ThreadID `json:"thread"`
	Files   []manifestFile    `json:"files"` // by name
}

type manifestFile struct {
	Name   string `json:"name"`
	Size   int    `json:"size"`
	SHA256 string `json:"sha256"`
}

type bundleThread struct {
	ID      contract.ThreadID `json:"id"`
	Title   string            `json:"title"`
	Type    string            `json:"type"`
	Created time.Time         `json:"created"`
	Updated time.Time         `json:"updated"`
}

type bundleRun struct {
	Run     contract.Run        `json:"run"`
	Sources []evidence.SourceID `json:"sources"`
}

type bundleSource struct {
	ID        evidence.SourceID `json:"id"`
	Kind      evidence.Kind     `json:"kind"`
	Title     string            `json:"title"`
	Address   string            `json:"address"`
	MediaType string            `json:"media_type"`
	Digest    string            `json:"digest"`
	Published time.Time         `json:"published"`
	Seen      time.Time         `json:"seen"`
	Coverage  evidence.Coverage `json:"coverage"`
	Flags     []string          `json:"flags"`
	Image     string            `json:"image"`
	Passages  []bundlePassage   `json:"passages"`
}

type bundlePassage struct {
	ID    evidence.PassageID `json:"id"`
	At    evidence.Locator   `json:"locator"`
	Index int                `json:"chunk"`
	Text  string             `json:"text"`
}

type bundleText struct {
	Digest string           `json:"digest"` // of the bytes the text was read from
	Text   string           `json:"text"`
	Blocks []evidence.Block `json:"blocks"`
}

// WriteBundle writes a thread with everything it rests on. The same thread gives
// the same bytes, here and wherever the bundle was brought.
func WriteBundle(k trace.KeptThread) ([]byte, error) {
	docs, renamed := byName(k.Documents)
	w := &bundleWriter{renamed: renamed}
	w.put("thread.json", bundleThread{k.ID, k.Title, k.Type, k.Created.UTC(), k.Updated.UTC()})
	if len(k.Runs) > mostRuns {
		return nil, fault.New(fault.TooLarge, fmt.Sprintf("The conversation has %d questions; a bundle holds %d.", len(k.Runs), mostRuns), "Export single answers.")
	}
	thread := Thread{ID: k.ID, Title: k.Title, Type: k.Type, Created: k.Created, Updated: k.Updated}
	for i, run := range k.Runs {
		w.run(fmt.Sprintf("runs/%03d/", i+1), run)
		thread.Runs = append(thread.Runs, run.Run)
	}
	texts, blocks := map[string]bool{}, 0
	for _, doc := range docs {
		if blocks += len(doc.Blocks); blocks > mostBlocks {
			return nil, fault.New(fault.TooLarge, fmt.Sprintf("The sources of the conversation have more than %d paragraphs, which is what a bundle holds.", mostBlocks), "Export single answers.")
		}
		w.source(doc)
		if !texts[doc.Source.Digest] {
			texts[doc.Source.Digest] = true
			w.write("texts/"+doc.Source.Digest+".json", bundleText{doc.Source.Digest, doc.Text, plain.Full(doc.Blocks)})
		}
	}
	w.parts = append(w.parts, part{"report.md", markdown(Of(thread, bundleStyle))})
	if w.err != nil {
		return nil, w.err
	}
	slices.SortFunc(w.parts, func(a, b part) int { return strings.Compare(a.name, b.name) })
	m := manifest{Format: bundleFormat, Version: bundleVersion, Thread: k.ID}
	for _, p := range w.parts {
		m.Files = append(m.Files, manifestFile{p.name, len(p.body), evidence.Digest([]byte(p.body))})
	}
	head := &bundleWriter{}
	head.write("manifest.json", m)
	return zipped(append(head.parts, w.parts...))
}

type bundleWriter struct {
	parts   []part
	renamed *strings.Replacer
	err     error // the first one
}

// put adds a file of JSON that names sources, without the folders of files.
func (w *bundleWriter) put(name string, v any) {
	w.write(name, v)
	last := &w.parts[len(w.parts)-1]
	last.body = w.placeless(last.body)
}

func (w *bundleWriter) placeless(body string) string {
	return w.renamed.Replace(string(WithoutFolders([]byte(body))))
}

// write adds a file of JSON, as people can read it.
func (w *bundleWriter) write(name string, v any) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil && w.err == nil {
		w.err = fmt.Errorf("encode %s: %w", name, err)
	}
	w.parts = append(w.parts, part{name, b.String()})
}

func (w *bundleWriter) run(at string, k trace.KeptRun) {
	w.put(at+"run.json", bundleRun{k.Run, plain.Full(renamedAll(k.Sources, w.renamed))})
	var lines strings.Builder
	for _, e := range k.Events {
		line, err := json.Marshal(e)
		if err != nil && w.err == nil {
			w.err = fmt.Errorf("encode event %d of %s: %w", e.Seq, e.Run, err)
		}
		lines.Write(line)
		lines.WriteByte('\n')
	}
	w.parts = append(w.parts, part{at + "events.jsonl", w.placeless(lines.String())})
	w.put(at+"trace.json", trace.Spans(k.Events))
	if k.Ranking != nil {
		w.put(at+"ranking.json", k.Ranking)
	}
	if k.Tape != nil {
		w.put(at+"tape.json", k.Tape)
	}
}

func (w *bundleWriter) source(d trace.KeptDocument) {
	s := d.Source
	out := bundleSource{
		ID: s.ID, Kind: s.Kind, Title: s.Title, Address: s.Address, MediaType: s.MediaType, Digest: s.Digest, Published: s.Published.UTC(), Seen: s.Seen.UTC(),
		Coverage: d.Coverage, Flags: plain.Full(d.Flags), Image: d.Image, Passages: []bundlePassage{},
	}
	for _, p := range d.Passages {
		out.Passages = append(out.Passages, bundlePassage{p.ID, p.At, p.Index, p.Text})
	}
	w.put("sources/"+string(s.ID)+".json", out)
}
