package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/privacy"
	"footnote/backend/records"
	"footnote/backend/table"
)

// Engine takes questions and tells how they go.
type Engine interface {
	Defaults() contract.Question
	Ask(ctx context.Context, q contract.Question) (contract.Run, error)
	Follow(ctx context.Context, id contract.RunID, after int) iter.Seq2[contract.Event, error]
	Stop(ctx context.Context, id contract.RunID, by string) error
}

// Archive has what was read and asked before.
type Archive interface {
	Source(ctx context.Context, id evidence.SourceID) (records.SourceInfo, error)
	SourceText(ctx context.Context, id evidence.SourceID) (string, []evidence.Block, error)
	Threads(ctx context.Context, q records.ThreadQuery) ([]records.ThreadInfo, string, error)
	Thread(ctx context.Context, id contract.ThreadID) (records.ThreadDetail, error)
}

// Rooms answer calls in an opened house. Shelf, Web, Reader, and Cells with Files, may be nil.
type Rooms struct {
	Engine   Engine
	Archive  Archive
	Shelf    gather.Shelf
	Web      gather.WebSearch
	Reader   gather.Reader
	Cells    table.Asker
	Files    func(ctx context.Context, names []string) ([]library.File, error) // of the library, by ids and paths
	DeepText int                                                               // characters that a question of deep research may have
}

const (
	stopTime     = 5 * time.Second
	searchTime   = 30 * time.Second
	mostFound    = 50
	mostPassages = 4000  // characters of one passage
	mostText     = 20000 // characters of a source in one reply
)

// input are the arguments of all tools; each reads its own.
type input struct {
	Question string   `json:"question"`
	Query    string   `json:"query"`
	Focus    string   `json:"focus"`
	Mode     string   `json:"mode"`
	Files    []string `json:"files"`
	Columns  []string `json:"questions"`
	Offline  bool     `json:"offline"`
	Limit    int      `json:"limit"`
	Category string   `json:"category"`
	Range    string   `json:"time_range"`
	ID       string   `json:"id"`
	URL      string   `json:"url"`
	Start    int      `json:"start"`
	End      int      `json:"end"`
}

// Call implements Caller.
func (r Rooms) Call(ctx context.Context, c Call, tell func(Step)) (Reply, error) {
	in, err := decode(c.Input)
	if err != nil {
		return failed(err), nil
	}
	var reply Reply
	switch c.Name {
	case "ask":
		reply, err = r.ask(ctx, in, c.Untold, tell)
	case "deep_research":
		reply, err = r.research(ctx, in, c.Untold, tell)
	case "search_library":
		reply, err = r.searchLibrary(ctx, in)
	case "find_files":
		reply, err = r.findFiles(ctx, in)
	case "outline":
		reply, err = r.outline(ctx, in)
	case "grep":
		reply, err = r.grep(ctx, in)
	case "search_web":
		reply, err = r.searchWeb(ctx, in)
	case "read_source":
		reply, err = r.read(ctx, in, c.Known)
	case "table":
		reply, err = r.table(ctx, in, tell)
	case "list_threads":
		reply, err = r.listThreads(ctx, in)
	case "source":
		reply, err = r.wholeSource(ctx, in)
	case "thread":
		reply, err = r.thread(ctx, in)
	default:
		err = fault.New(fault.NotFound, "There is no such tool.", "List the tools.")
	}
	if err != nil {
		return failed(err), nil
	}
	return reply, nil
}

func decode(raw json.RawMessage) (in input, err error) {
	if err := json.NewDecoder(bytes.NewReader(raw)).Decode(&in); err != nil {
		return in, fault.Wrap(err, fault.InvalidRequest, "The arguments do not fit the tool.", "See its input schema.")
	}
	if in.Limit < 0 || in.Start < 0 || in.End < 0 {
		return in, fault.New(fault.InvalidRequest, "A number is negative.", "Count from 0.")
	}
	return in, nil
}

func structured(text string, v any) (Reply, error) {
	body, err := json.Marshal(v)
	return Reply{Text: text, Structured: body}, err
}

func (r Rooms) ask(ctx context.Context, in input, untold string, tell func(Step)) (Reply, error) {
	q := r.Engine.Defaults()
	q.Text, q.Untold, q.Offline, q.Scope.Files, q.Unattended = in.Question, untold, in.Offline, in.Files, true
	if in.Focus != "" {
		q.Focus = contract.Focus(in.Focus)
	}
	if in.Mode != "" {
		if !slices.Contains(askModes, in.Mode) {
			return Reply{}, fault.New(fault.InvalidMode, "Invalid mode.", "Use one of "+strings.Join(askModes, ", ")+"; for a long report call deep_research.")
		}
		q.Mode = contract.Mode(in.Mode)
	}
	return r.run(ctx, q, tell)
}

func (r Rooms) research(ctx context.Context, in input, untold string, tell func(Step)) (Reply, error) {
	sub, err := contract.ParseSubMode(in.Mode)
	if err != nil {
		return Reply{}, err
	}
	q := r.Engine.Defaults()
	q.Text, q.Untold, q.Mode, q.SubMode, q.Unattended = in.Question, untold, contract.ModeDeep, sub, true
	if r.DeepText > 0 {
		if err := q.Check(r.DeepText, 0); err != nil {
			return Reply{}, err
		}
	}
	return r.run(ctx, q, tell)
}

// run follows a question to its end. When the client takes the call back, the run
// is stopped.
func (r Rooms) run(ctx context.Context, q contract.Question, tell func(Step)) (Reply, error) {
	run, err := r.Engine.Ask(ctx, q)
	if err != nil {
		return Reply{}, err
	}
	done := 0
	for e, err := range r.Engine.Follow(ctx, run.ID, 0) {
		if err != nil {
			stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
			defer cancel()
			if stopped := r.Engine.Stop(stopping, run.ID, "user"); fault.CodeOf(stopped) == fault.Internal {
				return Reply{}, fmt.Errorf("stop a question: %w", stopped)
			}
			return Reply{}, err
		}
		if message := stepOf(e); message != "" {
			done++
			tell(Step{done, message})
		}
		switch b := e.Body.(type) {
		case contract.FinishedRun:
			return structured(answerText(b.Answer), b.Answer)
		case contract.FailedRun:
			return Reply{}, fault.New(b.Code, b.Message, b.Hint)
		case contract.StoppedRun:
			return Reply{}, fault.New(fault.Busy, "The question was stopped before it was answered.", "Ask it again.")
		}
	}
	return Reply{}, fault.New(fault.Internal, "The question has no end.", "Ask it again.")
}

type foundPassage struct {
	Source  evidence.SourceID  `json:"source"`
	Passage evidence.PassageID `json:"passage"`
	Title   string             `json:"title"`
	Path    string             `json:"path"`
	Locator evidence.Locator   `json:"locator"`
	Text    string             `json:"text"`
	Score   float64            `json:"score"`
}

func (r Rooms) searchLibrary(ctx context.Context, in input) (Reply, error) {
	if strings.TrimSpace(in.Query) == "" {
		return Reply{}, fault.New(fault.QuestionEmpty, "The query is empty.", "Say what to look for.")
	}
	items := []foundPassage{}
	if r.Shelf != nil {
		ctx, cancel := context.WithTimeout(ctx, searchTime)
		defer cancel()
		found, err := r.Shelf.Search(ctx, in.Query, contract.Scope{}, limit(in.Limit, 12))
		if err != nil {
			return Reply{}, err
		}
		for _, f := range found {
			items = append(items, foundPassage{f.Source.ID, f.Passage.ID, f.Source.Title, f.Source.Address, f.Passage.At, harmless(f.Passage.Text, mostPassages), f.Score.Fused})
		}
	}
	return structured(passagesText(items), map[string]any{"items": items})
}

type foundPage struct {
	Title     string `json:"title"`
	URL       string `json:"url"`
	Snippet   string `json:"snippet"`
	Published string `json:"published,omitempty"`
	Engine    string `json:"engine"`
}

func (r Rooms) searchWeb(ctx context.Context, in input) (Reply, error) {
	if strings.TrimSpace(in.Query) == "" {
		return Reply{}, fault.New(fault.QuestionEmpty, "The query is empty.", "Say what to look for.")
	}
	if r.Web == nil {
		return Reply{}, fault.New(fault.SearchFailed, "There is no web search here.", "Search the library instead.")
	}
	most := limit(in.Limit, 10)
	items, seen := []foundPage{}, map[string]bool{}
	var failure error
	judged := privacy.WithTaint(ctx, privacy.NewTaint()) // the session left out what may not leave
	r.Web.Search(privacy.WithPurpose(judged, "search"), gather.WebQuery{Text: in.Query, N: most, Page: 1, Since: in.Range, Category: in.Category}, nil, func(res gather.EngineResult) {
		if res.Err != nil {
			failure = res.Err
		}
		for _, l := range res.Leads {
			if seen[l.Source.Address] {
				continue
			}
			seen[l.Source.Address] = true
			page := foundPage{Title: harmless(l.Source.Title, 300), URL: l.Source.Address, Snippet: harmless(l.Snippet, 600), Engine: res.Engine}
			if !l.Source.Published.IsZero() {
				page.Published = l.Source.Published.Format(time.DateOnly)
			}
			items = append(items, page)
		}
	})
	if len(items) == 0 && failure != nil {
		return Reply{}, failure
	}
	items = items[:min(most, len(items))]
	return structured(pagesText(items), map[string]any{"items": items})
}

// sourceText is a stretch of a source, in code points of the whole text.
type sourceText struct {
	ID    evidence.SourceID `json:"id,omitempty"`
	Title string            `json:"title"`
	URL   string            `json:"url,omitempty"`
	Path  string            `json:"path,omitempty"`
	Start int               `json:"start"`
	End   int               `json:"end"`
	Total int               `json:"total"`
	Text  string            `json:"text"`
}

func (r Rooms) read(ctx context.Context, in input, known bool) (Reply, error) {
	var s sourceText
	var text string
	switch {
	case (in.ID == "") == (in.URL == ""):
		return Reply{}, fault.New(fault.MissingID, "Name either the id of a source or the address of a page.", "Ids come from searches and answers.")
	case in.ID != "":
		info, whole, err := r.stored(ctx, in.ID)
		if err != nil {
			return Reply{}, err
		}
		s, text = sourceOf(info.Source), whole
	default:
		doc, err := r.page(ctx, in.URL, known)
		if err != nil {
			return Reply{}, err
		}
		s, text = sourceOf(doc.Source), doc.Text
	}
	s.cut(text, in.Start, in.End)
	return structured(stretchText(s), s)
}

func (r Rooms) stored(ctx context.Context, id string) (records.SourceInfo, string, error) {
	info, err := r.Archive.Source(ctx, evidence.SourceID(id))
	if err != nil {
		return info, "", err
	}
	text, _, err := r.Archive.SourceText(ctx, info.ID)
	return info, text, err
}

// page reads a page of the web through the guarded client, if a search brought its
// address: of this client, or for an earlier answer.
func (r Rooms) page(ctx context.Context, address string, known bool) (evidence.Document, error) {
	if r.Reader == nil {
		return evidence.Document{}, fault.New(fault.SearchFailed, "Pages cannot be read here.", "Read a source of the library instead.")
	}
	if !known && !r.archived(ctx, address) {
		return evidence.Document{}, fault.New(fault.PathNotAllowed, "The page was not read: no search brought this address.", "Call search_web first and use an address from its results.")
	}
	taint := privacy.NewTaint()
	taint.Brought(address)
	ctx = privacy.WithTaint(ctx, taint)
	lead := evidence.Lead{Source: evidence.Source{ID: evidence.NewSourceID(evidence.Web, address, ""), Kind: evidence.Web, Address: address, Title: address}}
	doc, _, err := r.Reader.Read(privacy.WithPurpose(ctx, "page"), lead)
	if unread, ok := err.(*gather.UnreadError); ok {
		err = fault.Wrap(err, fault.PathNotAllowed, "The page was not read: "+unread.Reason, "Try another page.")
	}
	return doc, err
}

// archived reports whether a page of exactly this address is a source of an
// earlier answer.
func (r Rooms) archived(ctx context.Context, address string) bool {
	return slices.ContainsFunc([]evidence.Kind{evidence.Web, evidence.Paper, evidence.Video, evidence.Discussion}, func(kind evidence.Kind) bool {
		_, err := r.Archive.Source(ctx, evidence.NewSourceID(kind, address, ""))
		return err == nil
	})
}

func (r Rooms) wholeSource(ctx context.Context, in input) (Reply, error) {
	_, text, err := r.stored(ctx, in.ID)
	return Reply{Text: evidence.WithoutOrders(text)}, err
}

func (r Rooms) listThreads(ctx context.Context, in input) (Reply, error) {
	threads, _, err := r.Archive.Threads(ctx, records.ThreadQuery{Q: in.Query, Limit: mostFound})
	if err != nil {
		return Reply{}, err
	}
	if threads == nil {
		threads = []records.ThreadInfo{}
	}
	return structured(threadsText(threads), map[string]any{"items": threads})
}

func (r Rooms) thread(ctx context.Context, in input) (Reply, error) {
	detail, err := r.Archive.Thread(ctx, contract.ThreadID(in.ID))
	return Reply{Text: threadText(detail)}, err
}

func limit(n, standard int) int {
	if n == 0 {
		n = standard
	}
	return min(n, mostFound)
}
