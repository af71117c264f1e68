package server

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"footnote/backend/answer"
	"footnote/backend/cite"
	"footnote/backend/export"
	"footnote/backend/fault"
)

// ExportedFile is a thread taken away.
type ExportedFile struct {
	Name, MediaType string
	Body            []byte
}

// Export writes a thread, or one run of it, in a form of export.Formats, as json
// or jsonl (its events). style is how footnotes are written: [1] or [^1]. A private
// thread can be taken away while it is in memory, though not as a bundle.
func (v *Verbs) Export(ctx context.Context, id, format, run, style string) (ExportedFile, error) {
	thread, err := v.exported(ctx, id, run)
	if err != nil {
		return ExportedFile{}, err
	}
	switch style {
	case "":
		style = v.Settings.Now().Cite.Style
	case "[1]", "[^1]":
	default:
		return ExportedFile{}, fault.New(fault.InvalidRequest, "Footnotes are not written in this style.", "Use [1] or [^1].")
	}
	name := fileName(thread.Title, "thread")
	switch format {
	case "json":
		body, err := json.MarshalIndent(thread, "", "  ")
		return ExportedFile{name + ".json", "application/json", body}, err
	case "jsonl":
		body, err := v.eventLines(ctx, thread)
		return ExportedFile{name + ".jsonl", "application/x-ndjson", body}, err
	case "bundle":
		body, err := v.bundle(ctx, id, run)
		return ExportedFile{name + ".footnote.zip", "application/zip", body}, err
	}
	file, err := export.Write(export.Of(takenAway(thread), style), cmp.Or(format, "md"))
	return ExportedFile{name + file.Extension, file.MediaType, file.Body}, err
}

// exported is a thread, or one run of it.
func (v *Verbs) exported(ctx context.Context, id, run string) (ThreadView, error) {
	thread, err := v.Thread(ctx, id)
	if err != nil || run == "" {
		return thread, err
	}
	i := slices.IndexFunc(thread.Runs, func(r answer.Run) bool { return string(r.ID) == run })
	if i < 0 {
		return ThreadView{}, fault.New(fault.NotFound, "There is no such run in this thread.", "Export the whole thread, or another run.")
	}
	thread.Runs = thread.Runs[i : i+1]
	return thread, nil
}

// bundle is a thread, or one run of it, with everything it rests on.
func (v *Verbs) bundle(ctx context.Context, id, run string) ([]byte, error) {
	kept, err := v.DB.Kept(ctx, answer.ThreadID(id))
	if fault.CodeOf(err) == fault.NotFound {
		return nil, fault.New(fault.InvalidRequest, "A private conversation is kept nowhere, so it has no bundle that could be brought back.", "Choose another form, such as Markdown or JSON.")
	}
	if err != nil {
		return nil, err
	}
	if run != "" {
		kept.Runs = slices.DeleteFunc(kept.Runs, func(k answer.KeptRun) bool { return string(k.Run.ID) != run })
		kept.Documents = slices.DeleteFunc(kept.Documents, func(d answer.KeptDocument) bool {
			return !slices.ContainsFunc(kept.Runs, func(k answer.KeptRun) bool { return slices.Contains(k.Sources, d.Source.ID) })
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
	Thread   answer.ThreadID   `json:"thread"`
	Replayed []export.Replayed `json:"replayed"`
}

// Import brings back what was exported as bundle. Faults: those of
// export.ReadBundle, and confirm-needed when the conversation is here already.
func (v *Verbs) Import(ctx context.Context, bundle []byte) (Imported, error) {
	kept, err := export.ReadBundle(bundle)
	if err != nil {
		return Imported{}, err
	}
	checker, err := cite.NewChecker()
	if err != nil {
		return Imported{}, err
	}
	if err := v.DB.Bring(ctx, kept); err != nil {
		return Imported{}, err
	}
	v.Log.Info("bundle imported", "thread", kept.ID, "runs", len(kept.Runs), "sources", len(kept.Documents))
	return Imported{kept.ID, export.Replay(kept, checker)}, nil
}

// renewTime is how long changed files may take to be read before their question
// is asked again; what is not read by then is answered from as it was.
const renewTime = 20 * time.Second

// Refresh asks the question of an answered run again; the new answer tells how it
// differs.
func (v *Verbs) Refresh(ctx context.Context, id string) (Asked, error) {
	before, err := v.Run(ctx, id)
	if err != nil {
		return Asked{}, err
	}
	timed, cancel := context.WithTimeout(ctx, renewTime)
	defer cancel()
	if err := v.Library.Renew(timed, before.FilesRead()); err != nil {
		v.Log.Warn("read files again before they are asked about", "run", id, "err", err)
	}
	run, err := v.Engine.Refresh(ctx, before.ID)
	return Asked{run.ID, run.Thread, "/api/runs/" + string(run.ID) + "/events"}, err
}

func takenAway(t ThreadView) export.Thread {
	return export.Thread{ID: t.ID, Title: t.Title, Type: t.Type, Created: t.Created, Updated: t.Updated, Runs: t.Runs}
}

func (v *Verbs) eventLines(ctx context.Context, thread ThreadView) ([]byte, error) {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	for _, r := range thread.Runs {
		events, err := v.eventsOf(ctx, r)
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
func (v *Verbs) eventsOf(ctx context.Context, r answer.Run) (events []answer.Event, err error) {
	if !r.Question.Private {
		return v.DB.Since(ctx, r.ID, 0)
	}
	for e, err := range v.Engine.Follow(ctx, r.ID, 0) {
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}

// fileName makes a file name of a title, or of fallback when nothing is left of
// it. It has at most 120 bytes.
func fileName(title, fallback string) string {
	name := strings.Trim(plain(title), ". …")
	for len(name) > 120 {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	if name = strings.TrimRight(name, ". …"); name == "" {
		return fallback
	}
	return name
}

// plain replaces what no file system takes in a name, and what would make a
// list of files read otherwise than it is.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) && r != ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}
		return r
	}, strings.ToValidUTF8(name, "-"))
}
