package gather

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/queries"
	"footnote/backend/evidence"
	reading "footnote/backend/extract"
)

// pastedTitle is what the text that came along with a question is called where it
// is cited.
const pastedTitle = "Pasted text"

// AsksOfPasted reports whether the text that came along may hold the answer: the
// question is neither small talk nor something to be done with that text.
func (t *Task) AsksOfPasted(byModel bool) bool {
	q := t.Question
	return q.Context != "" && q.Focus != contract.FocusWriting && q.Focus != contract.FocusCompute && !queries.IsSmallTalk(q.Text, t.History) &&
		(!byModel || !queries.IsTask(q.Text))
}

// WithPasted puts a source before the evidence that is the text that came along: it
// is ranked, quoted and opened like a page that was read.
func (t *Task) WithPasted(ctx context.Context, in Evidence, tell *journal.Teller, byModel bool) Evidence {
	if !t.AsksOfPasted(byModel) {
		return in
	}
	doc, err := reading.Extract(ctx, "text/plain", pastedTitle+".txt", []byte(t.Question.Context), reading.DefaultLimits())
	if err != nil {
		tell.Log.Warn("read the pasted text", "err", err)
		tell.Notice(contract.Notice{Code: "partly-read", Level: "warn", Message: "The pasted text holds nothing that can be read."})
		return in
	}
	src := &doc.Source
	src.Kind, src.Title, src.Address, src.Seen = evidence.Pasted, pastedTitle, "", tell.Now()
	src.ID = evidence.NewSourceID(src.Kind, "", src.Digest)
	in.Documents = append([]evidence.Document{doc}, in.Documents...)
	return in
}
