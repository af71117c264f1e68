package answer

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/intent"
	"footnote/backend/evidence"
	"footnote/backend/plain"
)

// Lister is a Shelf that can also list: which files pass the filters of a query, in
// an order ("largest", "newest" …), the first most of them with their openings.
type Lister interface {
	Inventory(ctx context.Context, query, order string, failed bool, scope contract.Scope, most int) (evidence.Listing, error)
}

// How many files an answer shows: at one end of an order, beside their number, and
// of a list; the library's page shows all.
const (
	listedOfOrder = 5
	listedBeside  = 10
	listedAtLarge = 50
)

// inventoried answers a question about the files themselves out of the catalogue:
// nothing is searched, and no model is asked. done is false when it is no such
// question, or when there are no files.
func (p *Pipeline) inventoried(ctx context.Context) (a contract.Answer, done bool, err error) {
	lister, can := p.engine.Shelf.(Lister)
	if !can || !p.Task.WantsShelf() || p.Task.Question.Context != "" {
		return a, false, nil
	}
	i, asked := intent.InventoryOf(p.Task.Question.Text, p.Tell.Now())
	if !asked {
		return a, false, nil
	}
	most := listedAtLarge
	switch {
	case i.Order != intent.AnyOrder:
		most = cmp.Or(i.Most, listedOfOrder)
	case i.Count || i.Size:
		most = listedBeside
	}
	m, err := lister.Inventory(ctx, i.Filter, string(i.Order), i.Failed, p.Task.Question.Scope, most)
	other := strings.Contains(i.Filter, "folder:") || strings.Contains(i.Filter, "after:") && !i.Count // the words may be of the matter
	if err != nil || m.Files == 0 && other {
		return a, false, err
	}
	if m.Files == 0 {
		all, err := lister.Inventory(ctx, "", "", false, contract.Scope{}, 0)
		if err != nil || all.Files == 0 {
			return a, false, err // there is nothing to read yet, which is said elsewhere
		}
	}
	a, err = p.listFiles(ctx, i, m)
	return a, true, err
}

func (p *Pipeline) listFiles(ctx context.Context, i intent.Inventory, m evidence.Listing) (contract.Answer, error) {
	p.Plan = p.planning().decided(contract.Planned{
		Standalone: p.Task.Question.Text, Queries: []string{}, By: "rules", Shelf: true, Reason: "looked up in the list of your files; nothing is ranked or left out",
	})
	if (i.Count || i.Size) && i.Order == intent.AnyOrder && m.Files > listedBeside {
		m.In = nil // their number is what was asked for
	}
	var read []evidence.Mention
	for _, f := range m.In {
		if f.Passage.Text != "" {
			read = append(read, evidence.Mention{Found: f.Found, At: openingOf(f.Passage.Text)})
		}
	}
	p.lookingUp(strings.TrimSpace(string(i.Order)+" "+i.Filter))(read, nil)
	if err := p.selectListed(ctx, read, m.Files); err != nil {
		return contract.Answer{}, err
	}
	p.Tell.Begin(contract.StageCompose)
	text := p.sayFiles(i, m)
	p.Tell.Timing.FirstText = max(1, p.Tell.Now().Sub(p.Task.Started).Milliseconds())
	p.composing().Publish(text)
	p.Tell.Timing.Compose = p.Tell.Finish(len(p.Selection.Chosen), 1)
	checked := p.Check(ctx, text)
	checked.Report.Unanswered = []string{}
	return p.Conclude(checked.Text, contract.Computed, checked.Citations, checked.Report, nil), ctx.Err()
}

// openingOf is the first sentence of a text.
func openingOf(text string) evidence.Span {
	for _, s := range evidence.Sentences(text) {
		return evidence.Span{Start: s.Start, End: s.End}
	}
	return evidence.Span{End: len(text)}
}

// sayFiles is the answer: the figure, then a line a file.
func (p *Pipeline) sayFiles(i intent.Inventory, m evidence.Listing) string {
	code := p.Task.ReplyIn(i.Code)
	var b strings.Builder
	switch {
	case i.Order != intent.AnyOrder:
		b.WriteString("**" + intent.Label(code, string(i.Order)) + "**")
	case i.Failed:
		b.WriteString(intent.Label(code, "failed") + ": **" + strconv.Itoa(m.Files) + "**")
	default:
		b.WriteString(intent.Label(code, "files") + ": **" + strconv.Itoa(m.Files) + "** · " + plain.Bytes(m.Bytes))
	}
	if what := sayFilter(i.Filter); what != "" {
		b.WriteString(" (" + what + ")")
	}
	b.WriteString("\n\n")
	var all []evidence.Mention
	for _, f := range m.In {
		all = append(all, evidence.Mention{Found: f.Found})
	}
	name, n := namer(all), 0
	for at, f := range m.In {
		b.WriteString("- " + name(all[at]) + ": " + plain.Bytes(f.Bytes) + ", " + f.Changed.Local().Format(time.DateOnly))
		if f.Reason != "" {
			b.WriteString(" · " + plain.OneLine(f.Reason, 120))
		}
		if f.Passage.Text != "" {
			n++
			b.WriteString(" [" + strconv.Itoa(n) + "]")
		}
		b.WriteString("\n")
	}
	if rest := m.Files - len(m.In); rest > 0 && len(m.In) > 0 && i.Order == intent.AnyOrder {
		b.WriteString("- … +" + strconv.Itoa(rest) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// sayFilter is a filter without the words that only searches know, with the last
// day of its period.
func sayFilter(filter string) string {
	filter, until, ok := strings.Cut(filter, "before:")
	what := strings.NewReplacer("type:", "", "folder:", "", "after:", "", `"`, "").Replace(strings.TrimSpace(filter))
	if day, err := time.Parse(time.DateOnly, until); ok && err == nil {
		if last := day.AddDate(0, 0, -1).Format(time.DateOnly); !strings.HasSuffix(what, last) {
			what += " – " + last
		}
	}
	return what
}
