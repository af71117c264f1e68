package api

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/cite"
	"footnote/backend/export"
	"footnote/backend/fault"
)

// Exports take conversations away and bring them back.
type Exports struct{ *Rooms }

// ExportThread names a conversation and the form in which it is taken away.
type ExportThread struct {
	ID     string `path:"id"`
	Format string `query:"format" says:"md, html, pdf, docx, json, jsonl, bundle, bibtex, ris or csl"`
	Style  string `query:"style" says:"[1] or [^1]"`
	Run    string `query:"run" says:"Only this run"`
}

// Write writes a thread, or one run of it, in a form of export.Formats, as json
// or jsonl (its events); none but a bundle names the folders of this computer. style is how footnotes are written: [1] or [^1]. A private
// thread can be taken away while it is in memory, though not as a bundle.
func (s Exports) Write(ctx context.Context, in ExportThread) (File, error) {
	thread, err := s.exported(ctx, in.ID, in.Run)
	if err != nil {
		return File{}, err
	}
	return s.write(ctx, thread, in)
}

func (s Exports) write(ctx context.Context, thread ThreadView, in ExportThread) (_ File, err error) {
	style := in.Style
	switch style {
	case "":
		style = s.Settings.Now().Cite.Style
	case "[1]", "[^1]":
	default:
		return File{}, fault.New(fault.InvalidRequest, "Footnotes are not written in this style.", "Use [1] or [^1].")
	}
	name := FileName(thread.Title, "thread")
	switch in.Format {
	case "json":
		body, err := json.MarshalIndent(thread, "", "  ")
		return File{name + ".json", "application/json", export.WithoutFolders(body)}, err
	case "jsonl":
		body, err := s.eventLines(ctx, thread)
		return File{name + ".jsonl", "application/x-ndjson", export.WithoutFolders(body)}, err
	case "bundle":
		body, err := s.bundle(ctx, in.ID, in.Run)
		return File{name + ".footnote.zip", "application/zip", body}, err
	}
	document := export.Of(takenAway(thread), style)
	if document.KeyOf, err = s.keyOf(); err != nil {
		return File{}, err
	}
	file, err := export.Write(document, cmp.Or(in.Format, "md"))
	return File{name + file.Extension, file.MediaType, file.Body}, err
}

// exported is a thread, or one run of it.
func (s Exports) exported(ctx context.Context, id, run string) (ThreadView, error) {
	thread, err := Threads(s).Get(ctx, ID{id})
	if err != nil {
		return thread, err
	}
	return thread.only(run)
}

// only is a thread with one of its runs; without a name it is the whole thread.
func (t ThreadView) only(run string) (ThreadView, error) {
	if run == "" {
		return t, nil
	}
	i := slices.IndexFunc(t.Runs, func(r contract.Run) bool { return string(r.ID) == run })
	if i < 0 {
		return ThreadView{}, fault.New(fault.NotFound, "There is no such run in this thread.", "Export the whole thread, or another run.")
	}
	t.Runs = t.Runs[i : i+1]
	return t, nil
}

// bundle is a thread, or one run of it, with everything it rests on.
func (s Exports) bundle(ctx context.Context, id, run string) ([]byte, error) {
	kept, err := s.DB.Kept(ctx, contract.ThreadID(id))
	if fault.CodeOf(err) == fault.NotFound {
		return nil, fault.New(fault.InvalidRequest, "A private conversation is kept nowhere, so it has no bundle that could be brought back.", "Choose another form, such as Markdown or JSON.")
	}
	if err != nil {
		return nil, err
	}
	if run != "" {
		kept.Runs = slices.DeleteFunc(kept.Runs, func(k trace.KeptRun) bool { return string(k.Run.ID) != run })
		kept.Documents = slices.DeleteFunc(kept.Documents, func(d trace.KeptDocument) bool {
			return !slices.ContainsFunc(kept.Runs, func(k trace.KeptRun) bool { return slices.Contains(k.Sources, d.Source.ID) })
		})
	}
	if len(kept.Runs) == 0 {
		return nil, fault.New(fault.NotFound, "There is no finished question to put into a bundle.", "Wait for the answer, then export again.")
	}
	return export.WriteBundle(kept)
}

// Imported names the conversation that a bundle brought, and tells whether its
// answers come out again of what the models had said.
type Imported struct {
	Thread   contract.ThreadID `json:"thread"`
	Replayed []export.Replayed `json:"replayed"`
}

// Import brings back what was exported as bundle. Faults: those of
// export.ReadBundle, and confirm-needed when the conversation is here already.
func (s Exports) Import(ctx context.Context, bundle []byte) (Imported, error) {
	kept, err := export.ReadBundle(ctx, bundle)
	if err != nil {
		return Imported{}, err
	}
	checker, err := cite.NewChecker()
	if err != nil {
		return Imported{}, err
	}
	if err := s.DB.Bring(ctx, kept); err != nil {
		return Imported{}, err
	}
	s.Log.Info("bundle imported", "thread", kept.ID, "runs", len(kept.Runs), "sources", len(kept.Documents))
	return Imported{kept.ID, export.Replay(kept, checker)}, nil
}

func takenAway(t ThreadView) export.Thread {
	return export.Thread{ID: t.ID, Title: t.Title, Type: t.Type, Created: t.Created, Updated: t.Updated, Runs: t.Runs}
}

func (s Exports) eventLines(ctx context.Context, thread ThreadView) ([]byte, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	for _, r := range thread.Runs {
		events, err := s.eventsOf(ctx, r)
		if err != nil {
			return nil, err
		}
		for _, e := range events {
			if err := enc.Encode(e); err != nil {
				return nil, err
			}
		}
	}
	return body.Bytes(), nil
}

// eventsOf are the events of a run, which of a private one are in memory only.
func (s Exports) eventsOf(ctx context.Context, r contract.Run) (events []contract.Event, err error) {
	if !r.Question.Private {
		return s.DB.Since(ctx, r.ID, 0)
	}
	for e, err := range s.Engine.Follow(ctx, r.ID, 0) {
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}

// FileName makes a file name of a title, or of fallback when nothing is left of
// it. It has at most 120 bytes.
func FileName(title, fallback string) string {
	name := strings.Trim(Plain(strings.TrimRight(title, "?. …")), ". …")
	for len(name) > 120 {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	if name = strings.TrimRight(name, ". …"); name == "" {
		return fallback
	}
	return name
}

// Plain replaces what no file system takes in a name, and what would make a
// list of files read otherwise than it is.
func Plain(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) && r != ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, strings.ToValidUTF8(name, "-"))
}
