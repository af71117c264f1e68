package answer

import (
	"context"
	"iter"
	"strconv"
	"strings"

	"footnote/backend/llm"
	"footnote/backend/privacy"
)

// accounted are models whose requests name in the ledger the passages of files
// whose text they carry, whoever asks them and for what.
type accounted struct{ llm.ModelSource }

// Resolve finds a model whose requests are looked through.
func (a accounted) Resolve(ctx context.Context, want string) (llm.ResolvedModel, error) {
	r, err := a.ModelSource.Resolve(ctx, want)
	if r.Model != nil {
		r.Model = accountedModel{r.Model}
	}
	return r, err
}

type accountedModel struct{ next llm.Model }

// Stream implements llm.Model.
func (m accountedModel) Stream(ctx context.Context, call llm.Call) iter.Seq2[llm.Delta, error] {
	taint := privacy.TaintOf(ctx)
	if taint == nil {
		return m.next.Stream(ctx, call)
	}
	var texts []string
	for _, message := range call.Messages {
		texts = append(texts, message.Text)
		for _, made := range message.Calls {
			texts = append(texts, made.Input)
		}
	}
	return m.next.Stream(privacy.Carrying(ctx, taint.Carried(texts...)...), call)
}

// tellsOf notes that what was written tells of the files that it cites: what is
// asked about it carries their text in other words.
func (p *Pipeline) tellsOf(written string) {
	for _, c := range p.Selection.Chosen {
		if c.Local() && strings.Contains(written, "["+strconv.Itoa(p.Selection.Numbers[c.Source.ID])+"]") {
			p.Task.Taint.Tells(c.Passage.ID, written)
		}
	}
}
