package selection

import (
	"context"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// Document is what was read of a source; ok is false where it cannot be read.
func (s *Selector) Document(ctx context.Context, src evidence.Source) (evidence.Document, bool) {
	doc, err := s.wholeText(ctx, src)
	if err != nil {
		s.Tell.Log.Warn("read tables", "source", src.ID, "err", err)
	}
	return doc, err == nil
}

// wholeText is what was read of a source: a page of this run, or a stored file.
func (s *Selector) wholeText(ctx context.Context, src evidence.Source) (evidence.Document, error) {
	for _, doc := range s.Evidence.Documents {
		if doc.Source.Digest == src.Digest {
			return doc, nil
		}
	}
	doc := evidence.Document{Source: src}
	if s.Deps.Texts == nil || src.Kind != evidence.File {
		return doc, nil
	}
	var err error
	doc.Text, doc.Blocks, err = s.Deps.Texts.Text(ctx, src.Digest)
	if s.Task.Question.Mode == contract.ModeDeep { // the others search for nothing after this
		s.Task.Taint.Read(doc.Text)
	}
	return doc, err
}

// Split makes the passages of a candidate's source as the library does.
func (s *Selector) Split(ctx context.Context, c rank.Candidate) []rank.Candidate {
	doc, err := s.wholeText(ctx, c.Source)
	if err != nil {
		s.Tell.Log.Warn("read text of a table", "source", c.Source.ID, "err", err)
	}
	return s.Task.SplitDocument(doc, c)
}
