package answer

import (
	"context"
	"fmt"

	"footnote/backend/evidence"
)

// keep stores what the answer may cite, before a word of it is shown, so that
// every footnote can be opened from the first moment.
func (p *Pipeline) keep(ctx context.Context) error {
	p.keepBeside(ctx)
	return p.kept.settled()
}

// keepBeside is keep beside what comes next. Whoever shows text waits for it with
// settled.
func (p *Pipeline) keepBeside(ctx context.Context) {
	if p.Task.Question.Private || len(p.Selection.Chosen) == 0 {
		return
	}
	texts, kept := p.citableTexts(), make(chan error, 1)
	p.kept.done = kept
	go func() { kept <- p.kept.archive.Keep(ctx, texts...) }()
}

// keeper stores what may be cited beside what comes next.
type keeper struct {
	archive Archive
	done    <-chan error // tells once that the passages are stored; nil when nothing is being stored
}

// settled returns when everything is kept that was to be.
func (k *keeper) settled() error {
	if k.done == nil {
		return nil
	}
	err := <-k.done
	k.done = nil
	if err != nil {
		return fmt.Errorf("keep sources: %w", err)
	}
	return nil
}

// citableTexts are the texts of the chosen passages, with what stands beside
// them.
func (p *Pipeline) citableTexts() []Kept {
	byID := map[evidence.SourceID]evidence.Document{}
	for _, doc := range p.Evidence.Documents {
		byID[doc.Source.ID] = doc
	}
	kept := map[evidence.SourceID][]evidence.Passage{}
	for _, c := range p.Selection.Chosen {
		kept[c.Source.ID] = append(kept[c.Source.ID], c.Passage)
		if n, ok := p.Selection.Neighbours[c.Passage.ID]; ok {
			kept[c.Source.ID] = append(kept[c.Source.ID], n.Passage)
		}
	}
	var texts []Kept
	for _, c := range p.Selection.Chosen {
		passages, ok := kept[c.Source.ID]
		if !ok {
			continue
		}
		delete(kept, c.Source.ID)
		doc, read := byID[c.Source.ID]
		if !read {
			doc = evidence.Document{Source: c.Source, Coverage: evidence.Coverage{}}
			if c.Snippet {
				doc.Text, doc.Flags = c.Passage.Text, []string{"snippet"}
			}
		}
		texts = append(texts, Kept{doc, passages})
	}
	return texts
}
