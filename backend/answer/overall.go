package answer

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/intent"
	"footnote/backend/answer/quote/gist"
	"footnote/backend/evidence"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

const (
	describedFiles    = 12  // of all, each with a sentence
	describedPassages = 200 // of a file that are read for it
	longestName       = 80  // characters of a line that is a heading
	describedChars    = 240 // of it that are shown: the footnote opens all
)

// overall answers a question for what all files are about: a sentence of each, of many
// files those of each folder that changed last. done is false for other questions, and
// where a folder that is named does not exist.
func (p *Pipeline) overall(ctx context.Context) (a contract.Answer, done bool, err error) {
	lister, can := p.engine.Shelf.(Lister)
	mode := p.Task.Question.Mode
	if !can || !p.Task.WantsShelf() || p.Task.Question.Context != "" || mode == contract.ModeDeep || mode == contract.ModeAgent {
		return a, false, nil
	}
	o, asked := intent.OverallOf(p.Task.Question.Text)
	if !asked {
		return a, false, nil
	}
	m, err := lister.Inventory(ctx, o.Filter, string(intent.Newest), false, p.Task.Question.Scope, listedOfList)
	if err != nil || m.Files == 0 {
		return a, false, err
	}
	a, err = p.describeFiles(ctx, o, m)
	return a, true, err
}

func (p *Pipeline) describeFiles(ctx context.Context, o intent.Overall, m evidence.Listing) (contract.Answer, error) {
	p.Plan = p.planning().decided(contract.Planned{
		Standalone: p.Task.Question.Text, Queries: []string{}, By: "rules", Shelf: true, Reason: "it is about all of the files, so a sentence of each is read",
	})
	var files []described
	var found []evidence.Mention
	for _, f := range eachFolder(m.In, describedFiles) {
		if in, ok := p.describe(ctx, f); ok {
			files, found = append(files, in), append(found, in.Mention)
		}
	}
	p.lookingUp(strings.TrimSpace(string(intent.Newest)+" "+o.Filter))(found, nil)
	if err := p.selectListed(ctx, found, m.Files); err != nil {
		return contract.Answer{}, err
	}
	p.Tell.Begin(contract.StageCompose)
	p.Tell.Notice(contract.Notice{Code: "extractive", Level: "info", Message: "Extracted from the sources; no model was used."})
	text := p.sayDescribed(o, m, files)
	p.Tell.Timing.FirstText = max(1, p.Tell.Now().Sub(p.Task.Started).Milliseconds())
	p.composing().Publish(text)
	p.Tell.Timing.Compose = p.Tell.Finish(len(p.Selection.Chosen), len(files))
	checked := p.Check(ctx, text)
	checked.Report.Unanswered = []string{}
	return p.Conclude(checked.Text, contract.Extracted, checked.Citations, checked.Report, nil), ctx.Err()
}

// eachFolder takes the first so many files that have text, by turns from each folder.
func eachFolder(files []evidence.Listed, most int) (taken []evidence.Listed) {
	of := map[string][]evidence.Listed{}
	var folders []string
	for _, f := range files {
		if f.Passage.Text == "" {
			continue
		}
		folder := filepath.Dir(f.Source.Address)
		if of[folder] == nil {
			folders = append(folders, folder)
		}
		of[folder] = append(of[folder], f)
	}
	for turn := 0; len(taken) < most; turn++ {
		before := len(taken)
		for _, folder := range folders {
			if turn < len(of[folder]) && len(taken) < most {
				taken = append(taken, of[folder][turn])
			}
		}
		if len(taken) == before {
			break
		}
	}
	slices.SortStableFunc(taken, func(a, b evidence.Listed) int {
		return cmp.Compare(filepath.Dir(a.Source.Address), filepath.Dir(b.Source.Address))
	})
	return taken
}

// described is a file with the sentence that says most of it, and what it calls itself.
type described struct {
	evidence.Mention
	called string
}

// describe reads a file; where its text cannot be read, its first passage stands for it.
func (p *Pipeline) describe(ctx context.Context, f evidence.Listed) (in described, ok bool) {
	first := rank.Candidate{Source: f.Source, Passage: f.Passage, Via: f.Via, Score: f.Score}
	passages := p.selecting().Split(ctx, first)
	if len(passages) == 0 {
		passages = []rank.Candidate{first}
	}
	in.Found, in.called = f.Found, calledBy(passages)
	s, ok := gist.Telling(p.engine.Checker, passages[:min(len(passages), describedPassages)])
	if !ok {
		in.At = openingOf(f.Passage.Text)
		return in, in.At.End > in.At.Start
	}
	in.Passage, in.At = passages[s.Passage].Passage, s.Span
	in.Passage.Source = f.Source.ID
	if strings.HasPrefix(s.Text, in.called) {
		in.called = ""
	}
	return in, true
}

// calledBy is the heading or the first line that a file begins with, else its title.
func calledBy(passages []rank.Candidate) string {
	first := passages[0]
	line, _, _ := strings.Cut(strings.TrimSpace(first.Passage.Text), "\n")
	line = strings.TrimSpace(line)
	if line != "" && utf8.RuneCountInString(line) <= longestName && !strings.Contains(line, "  ") && len(evidence.Sentences(line)) == 1 {
		return line
	}
	if title := first.Source.Title; title != filepath.Base(first.Source.Address) {
		return plain.OneLine(title, longestName)
	}
	for _, c := range passages {
		if c.Passage.At.Heading != "" {
			return plain.OneLine(c.Passage.At.Heading, longestName)
		}
	}
	return ""
}

// sayDescribed is the answer: how many files of which kinds, then a line a file.
func (p *Pipeline) sayDescribed(o intent.Overall, m evidence.Listing, files []described) string {
	code := p.Task.ReplyIn(o.Code)
	var b strings.Builder
	b.WriteString(intent.Label(code, "files") + ": **" + strconv.Itoa(m.Files) + "** · " + plain.Bytes(m.Bytes))
	if what := sayFilter(o.Filter); what != "" {
		b.WriteString(" (" + plain.EscapeMarkdown(what) + ")")
	}
	if m.Files == len(m.In) {
		b.WriteString(" · " + kindsOf(m.In))
	}
	b.WriteString("\n\n")
	var found []evidence.Mention
	for _, in := range files {
		found = append(found, in.Mention)
	}
	name := namer(found)
	for i, in := range files {
		said := strings.ReplaceAll(in.Passage.Text[in.At.Start:in.At.End], "  ", " · ")
		fmt.Fprintf(&b, "- **%s**", name(in.Mention))
		if in.called != "" {
			b.WriteString(" – " + plain.EscapeMarkdown(in.called))
		}
		fmt.Fprintf(&b, ": %s [%d]\n", plain.EscapeMarkdown(plain.OneLine(said, describedChars)), i+1)
	}
	if rest := m.Files - len(files); rest > 0 {
		b.WriteString("- " + code.Say("answer-more", rest) + "\n")
	}
	return strings.TrimRight(b.String(), "\n")
}

// kindsOf counts files by their extensions, the most first.
func kindsOf(files []evidence.Listed) string {
	n := map[string]int{}
	for _, f := range files {
		n[cmp.Or(strings.TrimPrefix(strings.ToLower(filepath.Ext(f.Source.Address)), "."), "…")]++
	}
	var said []string
	for _, kind := range slices.SortedFunc(maps.Keys(n), func(a, b string) int { return cmp.Or(n[b]-n[a], cmp.Compare(a, b)) }) {
		said = append(said, kind+" "+strconv.Itoa(n[kind]))
	}
	return strings.Join(said, ", ")
}
