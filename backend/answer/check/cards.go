package check

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// placeCards tells each citation where its quote begins, and moves each card to
// the place that its first citation rests on; passages that were cited from
// beside the chosen ones join their card.
func (x *Examiner) placeCards(citations []contract.Citation) []contract.SourceCard {
	cards := slices.Clone(x.Selection.Cards)
	for i := range cards {
		var own []*contract.Citation
		for k := range citations {
			if citations[k].Marker == cards[i].N {
				own = append(own, &citations[k])
			}
		}
		if len(own) == 0 {
			continue
		}
		cards[i].Passages = x.withCited(cards[i], citations)
		x.placeQuotes(cards[i], own)
		cards[i].Locator, cards[i].Snippet = own[0].At, plain.OneLine(own[0].Quote.Text, gather.CardSnippet)
	}
	return cards
}

// placeQuotes tells each citation of a source where its quote begins.
func (x *Examiner) placeQuotes(card contract.SourceCard, own []*contract.Citation) {
	text, blocks := x.textOf(card.ID)
	doc := evidence.Document{Text: text, Blocks: blocks}
	for _, c := range own {
		c.At = card.Locator
		if i := slices.IndexFunc(card.Passages, func(placed contract.PlacedPassage) bool { return placed.ID == c.Passage }); i >= 0 {
			c.At = exact(doc, card.Passages[i].At, c.Quote.Start)
		}
	}
}

func (x *Examiner) withCited(card contract.SourceCard, citations []contract.Citation) []contract.PlacedPassage {
	placed := slices.Clone(card.Passages)
	for _, n := range x.Binder.Draft.Beside {
		if n.Source.ID == card.ID && slices.ContainsFunc(citations, func(c contract.Citation) bool { return c.Passage == n.Passage.ID }) {
			placed = append(placed, contract.PlacedPassage{ID: n.Passage.ID, At: n.Passage.At})
		}
	}
	return placed
}

// exact is the place of a quote, which begins offset code points into the passage
// at: the page and the line that it begins on.
func exact(doc evidence.Document, at evidence.Locator, offset int) evidence.Locator {
	start := at.Start + offset
	for i := range doc.Text {
		if start > 0 {
			start--
			continue
		}
		for _, b := range doc.Blocks {
			if b.Start <= i && i < b.End {
				if place := evidence.PlaceAt(doc, i); place != "" || b.Page != at.Page {
					at.Place = place
				}
				at.Page = cmp.Or(b.Page, at.Page)
				if b.Line > 0 {
					at.Line = b.Line + strings.Count(doc.Text[b.Start:i], "\n")
				}
				return at
			}
		}
		break
	}
	return at
}

// textOf is the text of a chosen source with its blocks, empty when it is not
// at hand.
func (x *Examiner) textOf(id evidence.SourceID) (string, []evidence.Block) {
	for _, doc := range x.Evidence.Documents {
		if doc.Source.ID == id {
			return doc.Text, doc.Blocks
		}
	}
	at := slices.IndexFunc(x.Selection.Chosen, func(c rank.Candidate) bool { return c.Source.ID == id && c.Local() })
	if at < 0 || x.Deps.Texts == nil {
		return "", nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	text, blocks, err := x.Deps.Texts.Text(ctx, x.Selection.Chosen[at].Source.Digest)
	if err != nil {
		x.Tell.Log.Warn("place a quote", "source", id, "err", err)
	}
	return text, blocks
}
