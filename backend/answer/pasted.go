package answer

import (
	"context"

	"footnote/backend/evidence"
	reading "footnote/backend/extract"
)

// pastedTitle is what the text that came along with a question is called where it
// is cited.
const pastedTitle = "Pasted text"

// asksOfPasted reports whether the text that came along may hold the answer: the
// question is neither small talk nor something to be done with that text.
func (p *pipeline) asksOfPasted() bool {
	return p.task.Question.Context != "" && p.task.Question.Focus != FocusWriting && p.task.Question.Focus != FocusCompute && !isSmallTalk(p.task.Question.Text, p.task.History) &&
		(p.models.Chat.Model == nil || !task.MatchString(p.task.Question.Text))
}

// readPasted makes a source of the text that came along, which is ranked, quoted
// and opened like a page that was read.
func (p *pipeline) readPasted(ctx context.Context) {
	if !p.asksOfPasted() {
		return
	}
	doc, err := reading.Extract(ctx, "text/plain", pastedTitle+".txt", []byte(p.task.Question.Context), reading.DefaultLimits())
	if err != nil {
		p.tell.log.Warn("read the pasted text", "err", err)
		p.tell.notice(Notice{Code: "partly-read", Level: "warn", Message: "The pasted text holds nothing that can be read."})
		return
	}
	src := &doc.Source
	src.Kind, src.Title, src.Address, src.Seen = evidence.Pasted, pastedTitle, "", p.tell.now()
	src.ID = evidence.NewSourceID(src.Kind, "", src.Digest)
	p.evidence.Documents = append([]evidence.Document{doc}, p.evidence.Documents...)
}
