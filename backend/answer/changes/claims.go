package changes

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/gather"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const (
	likeClaim   = 0.5 // share of words from which two sentences are versions of one
	likePassage = 0.3 // and two passages
)

// claimChanges compares two answers sentence by sentence, wherever these stand:
// markers and markup do not count. Sentences that share most words are one that
// changed.
func claimChanges(before, after string) []contract.ClaimChange {
	was, is := claimsOf(before), claimsOf(after)
	old, fresh := notIn(was, is), notIn(is, was)
	var changes []contract.ClaimChange
	for _, b := range old {
		best, at := 0.0, -1
		for i, a := range fresh {
			if alike := overlap(b, a); alike > best {
				best, at = alike, i
			}
		}
		if best < likeClaim {
			changes = append(changes, contract.ClaimChange{Change: contract.Gone, Before: b})
			continue
		}
		changes = append(changes, contract.ClaimChange{Change: contract.Changed, Before: b, After: fresh[at]})
		fresh = slices.Delete(slices.Clone(fresh), at, at+1)
	}
	for _, a := range fresh {
		changes = append(changes, contract.ClaimChange{Change: contract.New, After: a})
	}
	return changes
}

// claimsOf are the sentences of an answer, each once, as plain text.
func claimsOf(text string) []string {
	var claims []string
	for _, s := range evidence.Sentences(text) {
		claim := strings.TrimLeft(strings.TrimSpace(cite.Plain(text[s.Start:s.End])), "#>*-+ ")
		if strings.ContainsFunc(claim, unicode.IsLetter) && !slices.Contains(claims, claim) {
			claims = append(claims, claim)
		}
	}
	return claims
}

func notIn(list, other []string) []string {
	var rest []string
	for _, s := range list {
		if !slices.ContainsFunc(other, func(o string) bool { return strings.EqualFold(o, s) }) {
			rest = append(rest, s)
		}
	}
	return rest
}

// overlap is the share of words that two texts have in common.
func overlap(a, b string) float64 {
	in := func(text string) map[string]bool {
		set := map[string]bool{}
		for _, t := range rank.Terms(text) {
			set[t] = true
		}
		return set
	}
	one, other := in(a), in(b)
	common := 0
	for t := range one {
		if other[t] {
			common++
		}
	}
	if all := len(one) + len(other) - common; all > 0 {
		return float64(common) / float64(all)
	}
	return 0
}

// sourceChanges compares sources by address: one that was only edited is the
// same.
func sourceChanges(before, after []contract.SourceCard) []contract.SourceChange {
	var changes []contract.SourceChange
	for _, c := range missing(before, after) {
		changes = append(changes, contract.SourceChange{Change: contract.Gone, Source: c.ID, Title: c.Title, Address: cmp.Or(c.URL, c.Path)})
	}
	for _, c := range missing(after, before) {
		changes = append(changes, contract.SourceChange{Change: contract.New, Source: c.ID, Title: c.Title, Address: cmp.Or(c.URL, c.Path)})
	}
	return changes
}

// missing are the cards whose address no other card has.
func missing(cards, other []contract.SourceCard) []contract.SourceCard {
	var rest []contract.SourceCard
	for _, c := range cards {
		if !slices.ContainsFunc(other, func(o contract.SourceCard) bool { return addressOf(o) == addressOf(c) }) {
			rest = append(rest, c)
		}
	}
	return rest
}

func addressOf(c contract.SourceCard) string {
	if c.Kind == evidence.File {
		return c.Path
	}
	return rank.NormalizeURL(c.URL)
}

// edited are the cited passages of a source whose words are not in what it says
// now.
func (p *Comparer) edited(ctx context.Context, card contract.SourceCard, before contract.Answer, now evidence.Document) []contract.EditedPassage {
	var changes []contract.EditedPassage
	text := loose(now.Text)
	for _, c := range before.Citations {
		if c.Source != card.ID || slices.ContainsFunc(changes, func(e contract.EditedPassage) bool { return e.Passage == c.Passage }) {
			continue
		}
		passage, _, err := p.Passages.Passage(ctx, c.Passage)
		if err != nil {
			p.Log.Info("a cited passage cannot be compared", "passage", c.Passage, "err", err)
			continue
		}
		if strings.Contains(text, loose(passage.Text)) {
			continue
		}
		changes = append(changes, contract.EditedPassage{
			Source: card.ID, Passage: c.Passage, Title: card.Title, Address: cmp.Or(card.URL, card.Path), Before: passage.Text, After: nearest(p.Task, passage.Text, now),
		})
	}
	return changes
}

// loose is text as it is compared: white space of any kind is one blank.
func loose(s string) string { return strings.Join(strings.Fields(s), " ") }

// nearest is the passage of a document that shares most words with a text; empty
// when none shares enough.
func nearest(t *gather.Task, text string, doc evidence.Document) string {
	best, found := likePassage, ""
	for _, passage := range evidence.Split(doc, t.Settings.Library.Split()) {
		if alike := overlap(text, passage.Text); alike > best {
			best, found = alike, passage.Text
		}
	}
	return found
}
