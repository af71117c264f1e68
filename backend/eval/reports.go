package eval

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/eval/world"
)

// ReportOptions of Reports.
type ReportOptions struct {
	Sheet      string // main or aside
	Seed       uint64
	Limit      int    // subjects; 0 = all
	ScoresFile string // also write every report here; empty = no

	// Over runs a function with the program that researches over a web at an address,
	// or over a folder where that is empty.
	Over func(ctx context.Context, base, folder string, use func(ask Reporting) error) error
}

// Reporting researches one question in a mode.
type Reporting func(ctx context.Context, question string, mode contract.SubMode) (contract.Answer, error)

// reported is one report with what is known of its subject.
type reported struct {
	Over     string          `json:"over"` // web or files
	Mode     string          `json:"mode"` // due, deep, none or poll
	Question string          `json:"question"`
	Report   string          `json:"report"`
	Error    string          `json:"error,omitempty"`
	Wrong    []string        `json:"wrong,omitempty"` // what counted against it
	subject  world.Subject   // it is about
	answer   contract.Answer // it is
}

// Reports has a world researched, over the web and over files, and holds the reports
// against what was planted.
func Reports(ctx context.Context, opt ReportOptions) (rows []ReportRow, err error) {
	subjects, err := world.Make(opt.Sheet, opt.Seed)
	if err != nil {
		return nil, err
	}
	if opt.Limit > 0 {
		subjects = subjects[:min(len(subjects), opt.Limit)]
	}
	var pages []world.Page
	for _, s := range subjects {
		pages = append(pages, s.Pages...)
	}
	var all []*reported
	ask := func(over string) func(Reporting) error {
		return func(ask Reporting) error {
			return researchSubjects(ctx, over, subjects, ask, func(r *reported) { all = append(all, r) })
		}
	}
	if err := overWeb(ctx, opt, pages, ask("web")); err != nil {
		return nil, err
	}
	if err := overFiles(ctx, opt, pages, ask("files")); err != nil {
		return nil, err
	}
	known := knownOf(subjects)
	for _, over := range []string{"web", "files"} {
		row := ReportRow{World: opt.Sheet + " " + over}
		for _, r := range all {
			if r.Over == over {
				row.add(r, known)
			}
		}
		rows = append(rows, row)
	}
	if opt.ScoresFile != "" {
		err = writeScores(opt.ScoresFile, all)
	}
	return rows, err
}

func overWeb(ctx context.Context, opt ReportOptions, pages []world.Page, use func(Reporting) error) (err error) {
	base, closing, err := world.Serve(ctx, pages)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closing()) }()
	return opt.Over(ctx, base, "", use)
}

func overFiles(ctx context.Context, opt ReportOptions, pages []world.Page, use func(Reporting) error) (err error) {
	dir, err := os.MkdirTemp("", "footnote-world-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := world.Write(dir, pages); err != nil {
		return err
	}
	return opt.Over(ctx, "", dir, use)
}

func researchSubjects(ctx context.Context, over string, subjects []world.Subject, ask Reporting, add func(*reported)) error {
	for _, s := range subjects {
		for _, q := range []struct {
			mode, question string
			sub            contract.SubMode
		}{{"due", s.Diligence, contract.DueDiligence}, {"deep", s.Specific, contract.DeepResearch}, {"none", s.None, contract.DeepResearch}} {
			if q.question == "" {
				continue
			}
			r := &reported{Over: over, Mode: q.mode, Question: q.question, subject: s}
			if s.Kind == "poll" {
				r.Mode = "poll"
			}
			a, err := ask(ctx, q.question, q.sub)
			if err != nil {
				r.Error = err.Error()
			}
			r.answer, r.Report = a, a.Answer
			add(r)
			if err := ctx.Err(); err != nil {
				return err
			}
		}
	}
	return nil
}

// known are the sentences of a world by what they say, and whom they are about.
type known struct {
	world.Sentence
	subject string
	words   map[string]bool
	page    world.Page
}

func knownOf(subjects []world.Subject) (all []known) {
	for _, s := range subjects {
		for _, p := range s.Pages {
			if p.Mirrors != "" {
				continue
			}
			for _, x := range p.Sentences {
				all = append(all, known{x, s.Name, wordSetOf(x.Text), p})
			}
		}
	}
	return all
}

// said is one sentence of a report, with the sentence of the world that it tells.
type said struct {
	heading, line string // it stands under, and in
	text          string
	known         *known // nil where the world has none like it
}

// sentencesOf are the sentences of a report that have a footnote.
func sentencesOf(report string, all []known) (out []said) {
	heading := ""
	for line := range strings.Lines(report) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "#") {
			heading = strings.TrimLeft(line, "# ")
		}
		at := 0
		for _, m := range markerIn.FindAllStringIndex(line, -1) {
			text := strings.Trim(line[at:m[0]], " -*•“”\".")
			if at = m[1]; len(strings.Fields(text)) < 2 {
				continue
			}
			out = append(out, said{heading, line, text, tells(text, all)})
		}
	}
	return out
}

// tells finds the sentence of a world that a text says, by its words.
func tells(text string, all []known) *known {
	words, best, at := wordSetOf(text), 0.5, -1
	for i, k := range all {
		both := 0
		for w := range words {
			if k.words[w] {
				both++
			}
		}
		if like := float64(both) / float64(len(words)+len(k.words)-both); like > best {
			best, at = like, i
		}
	}
	if at < 0 {
		return nil
	}
	return &all[at]
}

func wordSetOf(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(strings.ToLower(text)) {
		set[strings.Trim(w, ".,;:()“”?!")] = true
	}
	return set
}

// headingsOf are the headings of a world by those of a report.
var headingsOf = map[string][]string{
	"Strengths": {"strengths"}, "Weaknesses": {"weaknesses"}, "Opportunities": {"opportunities"}, "Risks & Concerns": {"risks", "licence", "security", "weaknesses"}, "Risks": {"risks"},
	"Figures": {"figures", world.Outdated}, "Timeline": {"timeline"}, "People": {"people"}, "Licence": {"licence"}, "Security": {"security"},
	"Alternatives Considered": {"competitors", world.OfRival}, "Competitors": {"competitors", world.OfRival},
}

func compares(heading string) bool { return slices.Contains(headingsOf[heading], "competitors") }
