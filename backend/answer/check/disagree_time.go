package check

import (
	"context"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote/versions"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

const (
	longSource   = 6_000 // bytes from which a text opens with what it is
	openingBytes = 2_000
)

// ofOneTime leaves out sides whose value only says which period, edition or version
// their own source is of, as the first one's does: sources of different times do not
// disagree. Neither does another version of a text than the one that is asked for.
func (x *Examiner) ofOneTime(ctx context.Context, sides []contract.Side) []contract.Side {
	sides = x.ofVersion(sides)
	if len(sides) < 2 || !x.namesItself(ctx, sides[0]) {
		return sides
	}
	first := sides[0]
	return slices.DeleteFunc(sides, func(s contract.Side) bool { return s.Source != first.Source && x.namesItself(ctx, s) })
}

// ofVersion leaves out sides of another version of a text than the question asks for: "the old
// agreement", "now".
func (x *Examiner) ofVersion(sides []contract.Side) []contract.Side {
	asked := versions.AskedIn(x.Plan.Standalone)
	of := func(s contract.Side) (v versions.Version) {
		if at := slices.IndexFunc(x.Binder.Citable(), func(c rank.Candidate) bool { return c.Source.ID == s.Source && c.Source.Kind == evidence.File }); at >= 0 {
			source := x.Binder.Citable()[at].Source
			v = versions.Version{Called: versions.Called(source.Address, source.Title), Dated: versions.Of(source.Address, source.Title)}
		}
		return v
	}
	var all []versions.Version
	for _, s := range sides {
		all = append(all, of(s))
	}
	return slices.DeleteFunc(slices.Clone(sides), func(s contract.Side) bool { return asked.Costs(of(s), all) > 0 })
}

// namesItself reports whether the numbers of a value stand in the title of its source,
// or where a long text says what it is.
func (x *Examiner) namesItself(ctx context.Context, s contract.Side) bool {
	numbers := numbersIn(s.Value)
	at := slices.IndexFunc(x.Binder.Citable(), func(c rank.Candidate) bool { return c.Source.ID == s.Source })
	if at < 0 || len(numbers) == 0 {
		return false
	}
	source := x.Binder.Citable()[at].Source
	says := numbersIn(source.Title + " " + x.opening(ctx, source, s.Quote))
	return !slices.ContainsFunc(numbers, func(n string) bool { return !slices.Contains(says, n) })
}

// opening is how a long text begins; empty for others, and where what is quoted stands
// in it.
func (x *Examiner) opening(ctx context.Context, source evidence.Source, quoted string) string {
	text := ""
	if at := slices.IndexFunc(x.Evidence.Documents, func(d evidence.Document) bool { return d.Source.ID == source.ID }); at >= 0 {
		text = x.Evidence.Documents[at].Text
	} else if x.Deps.Texts != nil && source.Kind == evidence.File {
		var err error
		if text, _, err = x.Deps.Texts.Text(ctx, source.Digest); err != nil { // only the title tells
			x.Tell.Log.Info("read how a source opens", "source", source.ID, "err", err)
		}
	}
	if len(text) < longSource {
		return ""
	}
	if text = strings.ToValidUTF8(text[:openingBytes], ""); strings.Contains(strings.Join(strings.Fields(text), " "), quoted) {
		return ""
	}
	return text
}
