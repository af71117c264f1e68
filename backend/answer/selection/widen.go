package selection

import (
	"context"
	"slices"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const (
	widenedRunes = 1500    // of a passage with what follows it, at most
	widenedText  = 4 << 20 // bytes of a text that is split again for the sake of a neighbour
)

// Neighbour is the passage that follows a chosen one in its source. A model may
// read it along; what it proves is cited as itself, so that every footnote
// stays exact.
type Neighbour struct {
	rank.Candidate
	Text string // as the model reads it, from the end of the chosen passage on
}

// findNeighbours finds what follows each chosen passage under the same heading.
// A passage that was chosen itself is nobody's neighbour, and none is two's.
func (s *Selector) findNeighbours(ctx context.Context) {
	s.Selection.Neighbours = map[evidence.PassageID]Neighbour{}
	taken := map[evidence.PassageID]bool{}
	for _, c := range s.Selection.Chosen {
		taken[c.Passage.ID] = true
	}
	texts := map[string]sectioned{}
	for _, c := range s.Selection.Chosen {
		if c.Snippet || utf8.RuneCountInString(c.Passage.Text) >= widenedRunes {
			continue
		}
		text, known := texts[c.Source.Digest]
		if !known {
			text = s.section(ctx, c)
			texts[c.Source.Digest] = text
		}
		if n, ok := text.after(c); ok && !taken[n.Passage.ID] {
			taken[n.Passage.ID] = true
			s.Selection.Neighbours[c.Passage.ID] = n
		}
	}
}

// sectioned is a text with its passages.
type sectioned struct {
	text     []rune
	passages []rank.Candidate
}

// section reads the text of a candidate's source; too long a text gives nothing.
func (s *Selector) section(ctx context.Context, c rank.Candidate) sectioned {
	doc, err := s.wholeText(ctx, c.Source)
	if err != nil {
		s.Tell.Log.Warn("read text around a passage", "source", c.Source.ID, "err", err)
	}
	if len(doc.Text) > widenedText {
		return sectioned{}
	}
	return sectioned{[]rune(doc.Text), s.Task.SplitDocument(doc, c)}
}

// after is the passage behind c, as far as both together are not too long. What
// is left of it ends with a sentence.
func (s sectioned) after(c rank.Candidate) (Neighbour, bool) {
	at := slices.IndexFunc(s.passages, func(o rank.Candidate) bool { return o.Passage.ID == c.Passage.ID })
	if at < 0 || at+1 == len(s.passages) {
		return Neighbour{}, false
	}
	next := s.passages[at+1]
	from, to := c.Passage.At.End, next.Passage.At.End
	if next.Passage.At.Heading != c.Passage.At.Heading || from > to {
		return Neighbour{}, false
	}
	text := string(s.text[from:to])
	if room := widenedRunes - utf8.RuneCountInString(c.Passage.Text); to-from > room {
		text = upToSentence(string(s.text[from : from+room]))
	}
	return Neighbour{next, text}, text != ""
}

// upToSentence leaves out the last sentence, which was cut; of one sentence
// nothing is left.
func upToSentence(text string) string {
	spans := evidence.Sentences(text)
	if len(spans) < 2 {
		return ""
	}
	return text[:spans[len(spans)-2].End]
}
