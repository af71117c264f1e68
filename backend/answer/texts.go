package answer

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// texts are the sources of a run as quoting reads them.
type texts struct{ p *selector }

func (t texts) Document(ctx context.Context, src evidence.Source) (evidence.Document, bool) {
	doc, err := t.p.wholeText(ctx, src)
	if err != nil {
		t.p.tell.Log.Warn("read tables", "source", src.ID, "err", err)
	}
	return doc, err == nil
}

func (t texts) Split(ctx context.Context, c rank.Candidate) []rank.Candidate {
	return t.p.splitAgain(ctx, c)
}

// wholeText is what was read of a source: a page of this run, or a stored file.
func (s *selector) wholeText(ctx context.Context, src evidence.Source) (evidence.Document, error) {
	for _, doc := range s.evidence.Documents {
		if doc.Source.Digest == src.Digest {
			return doc, nil
		}
	}
	doc := evidence.Document{Source: src}
	if s.deps.Texts == nil || src.Kind != evidence.File {
		return doc, nil
	}
	var err error
	doc.Text, doc.Blocks, err = s.deps.Texts.Text(ctx, src.Digest)
	if s.task.Question.Mode == contract.ModeDeep { // the others search for nothing after this
		s.task.Taint.Read(doc.Text)
	}
	return doc, err
}

// splitAgain makes the passages of a candidate's source as the library does.
func (s *selector) splitAgain(ctx context.Context, c rank.Candidate) []rank.Candidate {
	doc, err := s.wholeText(ctx, c.Source)
	if err != nil {
		s.tell.Log.Warn("read text of a table", "source", c.Source.ID, "err", err)
	}
	return s.task.SplitDocument(doc, c)
}
