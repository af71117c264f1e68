package gather

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/queries"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/privacy"
)

// ErrWithheld says that a query would have told nothing but what files say.
var ErrWithheld = fault.New(fault.SearchFailed, "This search was not made: its words stand only in your files, which stay on this computer.", "Search with words of the question.")

// ErrNotBrought refuses an address.
var ErrNotBrought = errors.New("this address came neither from a search nor from the reader, so it is not read. Search for it instead")

// Guarded puts the one gate before search engines and pages: no query leaves
// without being judged, and no page is read that neither a search nor the reader
// brought. Under a context that has no Taint nothing leaves.
func Guarded(search WebSearch, reader Reader) (WebSearch, Reader) {
	if search != nil {
		search = guardedSearch{search}
	}
	if reader != nil {
		reader = guardedReader{reader}
	}
	return search, reader
}

type guardedSearch struct{ next WebSearch }

// Search implements WebSearch.
func (g guardedSearch) Search(ctx context.Context, q WebQuery, names []string, each func(EngineResult)) {
	taint := privacy.TaintOf(ctx)
	if taint == nil {
		each(EngineResult{Err: ErrWithheld})
		return
	}
	if q.Text, _ = taint.Query(q.Text); q.Text == "" {
		each(EngineResult{Err: ErrWithheld})
		return
	}
	g.next.Search(ctx, q, names, func(r EngineResult) {
		for _, l := range r.Leads {
			taint.Brought(l.Source.Address)
		}
		each(r)
	})
}

type guardedReader struct{ next Reader }

// Read implements Reader. The page is fetched at the address as it was brought.
func (g guardedReader) Read(ctx context.Context, lead evidence.Lead) (evidence.Document, bool, error) {
	var known bool
	if taint := privacy.TaintOf(ctx); taint != nil {
		lead.Source.Address, known = taint.Address(lead.Source.Address)
	}
	if !known {
		return evidence.Document{}, false, &UnreadError{Code: "not-brought", Reason: "Neither a search nor you brought this address.", Cause: ErrNotBrought}
	}
	return g.next.Read(ctx, lead)
}

// Sendable is a query as it may leave, empty where nothing of it may.
func (t *Task) Sendable(query string) string {
	kept, _ := t.Taint.Query(query)
	return kept
}

// Wrote notes what the reader wrote: its words may leave, its addresses be read.
func (t *Task) Wrote(texts ...string) {
	t.Taint.Wrote(texts...)
	for _, text := range texts {
		t.Taint.Brought(queries.AllAddresses(text)...)
	}
}

// TakeWritten notes what the reader wrote, in this turn and earlier ones, and what
// earlier ones had of files.
func (t *Task) TakeWritten(history []contract.Turn, now time.Time) {
	q := t.Question
	t.Taint.Wrote(q.Instructions, q.Persona(), strings.Join(q.Domains, " "), now.Format("2006"))
	t.Taint.Brought(queries.AllAddresses(q.Context)...)
	var proposed []string
	for _, turn := range history {
		t.WroteQuestion(turn.Question, turn.Untold, proposed)
		t.recallTaint(turn)
		proposed = append(proposed, turn.Proposed...)
	}
	t.WroteQuestion(q.Text, q.Untold, proposed)
}

// WroteQuestion notes a question as the reader's words. What a model proposed to
// ask, and what another program took from files, the reader did not write.
func (t *Task) WroteQuestion(text, untold string, proposed []string) {
	t.Taint.Read(untold)
	if untold != "" || slices.Contains(proposed, text) {
		text, _ = t.Taint.Kept(text)
	}
	t.Wrote(text)
}

// recallTaint notes what an earlier turn cited of files, and an answer that may
// repeat files: what it cited of the web tells which of its words are public.
func (t *Task) recallTaint(turn contract.Turn) {
	t.ReadFiles(turn.Cited)
	if !turn.Files && !fromFiles(turn.Cited) {
		return
	}
	public := privacy.NewTaint()
	for _, f := range turn.Cited {
		if f.Source.Kind != evidence.File {
			public.Wrote(f.Source.Title, f.Passage.Text)
		}
	}
	public.Read(turn.Answer)
	_, held := public.Kept(turn.Answer)
	t.Taint.Read(strings.Join(held, " "))
	for _, f := range turn.Cited {
		if f.Source.Kind == evidence.File {
			t.Taint.Tells(f.Passage.ID, turn.Answer)
		}
	}
}

func fromFiles(found []evidence.Found) bool {
	return slices.ContainsFunc(found, func(f evidence.Found) bool { return f.Source.Kind == evidence.File })
}

// ReadFiles notes passages of files as read: by whoever asks for searches from now
// on.
func (t *Task) ReadFiles(found []evidence.Found) {
	for _, f := range found {
		if f.Source.Kind == evidence.File {
			t.Taint.Read(f.Passage.Text, f.Passage.At.Heading, f.Source.Title, f.Source.Address)
			t.Taint.Tells(f.Passage.ID, f.Passage.Text)
		}
	}
}
