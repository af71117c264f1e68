package eval

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

// Researcher is a Program that also shows how a report came about: all events of
// its run, in order, and what was collected for it.
type Researcher interface {
	Program
	Research(ctx context.Context, question string) (contract.Answer, []contract.Event, error)
	Study(ctx context.Context, run contract.RunID) (contract.Study, error)
}

// ResearchOptions of Research.
type ResearchOptions struct {
	Limit      int              // questions asked of a file, from the first; 0 = all
	AtOnce     int              // questions at the same time
	SubMode    contract.SubMode // whose sections a report must have
	Minutes    int              // a run may take
	Turns      int              // calls of models, likewise
	WordsMin   int              // of a report, and at most
	WordsMax   int
	ScoresFile string // also write what became of each question here, one JSON a line; empty = no
}

// Research puts the questions of files to deep research and measures the reports,
// one row a file and one for all where there are several. A question that fails is
// counted and the others go on; the error names a file that cannot be read.
func Research(ctx context.Context, paths []string, p Researcher, opt ResearchOptions) ([]ResearchRow, error) {
	var rows []ResearchRow
	var all []researched
	for _, path := range paths {
		lines, err := readQuestions(path)
		if err != nil {
			return rows, err
		}
		if opt.Limit > 0 {
			lines = lines[:min(opt.Limit, len(lines))]
		}
		results := researchAll(ctx, p, lines, opt)
		if err := ctx.Err(); err != nil {
			return rows, err
		}
		rows, all = append(rows, researchRow(askName(path), results, opt)), append(all, results...)
	}
	if len(paths) > 1 {
		rows = append(rows, researchRow("all", all, opt))
	}
	if opt.ScoresFile != "" {
		return rows, writeScores(opt.ScoresFile, all)
	}
	return rows, nil
}

func researchAll(ctx context.Context, p Researcher, lines []askLine, opt ResearchOptions) []researched {
	results := make([]researched, len(lines))
	places := make(chan struct{}, max(1, opt.AtOnce))
	var together sync.WaitGroup
	for i, line := range lines {
		places <- struct{}{}
		together.Go(func() {
			defer func() { <-places }()
			results[i] = researchOne(ctx, p, line, opt)
		})
	}
	together.Wait()
	return results
}

func researchOne(ctx context.Context, p Researcher, line askLine, opt ResearchOptions) researched {
	r := researched{ID: line.ID, Question: line.Question, Missing: []string{}, Wanted: slices.Concat([]string{}, line.Gold), Sources: []string{}, Departed: []string{}, Invented: []string{}}
	a, events, err := p.Research(ctx, line.Question)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	r.Outcome, r.Report, r.Words, r.Citations = a.Outcome, a.Answer, rank.CountWords(withoutMarkers(a.Answer)), len(a.Citations)
	r.Calls = a.Usage.Chat.Calls + a.Usage.System.Calls
	r.InBudget = r.Calls <= opt.Turns && a.LatencyMs <= int64(opt.Minutes)*time.Minute.Milliseconds()
	if a.Research != nil {
		r.Early = a.Research.Early
	}
	for _, s := range a.Sources {
		r.Sources = append(r.Sources, s.URL+s.Path)
		r.Gold = r.Gold || isOneOf(s.URL+s.Path, line.Gold)
	}
	r.AllGold = shareOf(line.Gold, r.Sources) == 1
	r.Missing = append(r.Missing, missingSections(line.Question, a.Answer, opt.SubMode)...)
	r.quotes(ctx, p, a)
	r.Invented = append(r.Invented, invented(ctx, p, a)...)
	r.WallMs, r.SequentialMs = clocks(events)
	return r
}

// quotes holds each quote of the report against the stored passage that it cites,
// and each that was collected against the stored text of its source.
func (r *researched) quotes(ctx context.Context, p Researcher, a contract.Answer) {
	for _, c := range a.Citations {
		if c.Verdict == contract.Supported || c.Verdict == contract.QuotedIn {
			r.Supported++
		}
		if !verbatim(ctx, p, c) {
			r.Departed = append(r.Departed, c.Quote.Text)
		}
	}
	r.Quotes = len(a.Citations)
	study, err := p.Study(ctx, a.Run)
	if err != nil {
		r.Error = "what was collected is not there: " + err.Error()
		return
	}
	for _, x := range study.Done {
		for _, q := range x.Quotes {
			r.Quotes++
			if text, _, err := p.SourceText(ctx, q.Source); err != nil || !strings.Contains(text, q.Text) {
				r.Departed = append(r.Departed, q.Text)
			}
		}
	}
}

// invented are markers of a report that no citation stands for, and citations
// whose source or passage is not there.
func invented(ctx context.Context, p Program, a contract.Answer) (out []string) {
	cited := map[string]bool{}
	for _, c := range a.Citations {
		marker := "[" + strconv.Itoa(c.Marker) + "]"
		cited[marker] = true
		known := slices.ContainsFunc(a.Sources, func(s contract.SourceCard) bool { return s.N == c.Marker && s.ID == c.Source })
		if _, _, err := p.Passage(ctx, c.Passage); err != nil || !known {
			out = append(out, marker)
		}
	}
	for _, marker := range markerIn.FindAllString(a.Answer, -1) {
		if !cited[marker] {
			out = append(out, marker)
		}
	}
	return out
}

var markerIn = regexp.MustCompile(`\[\d+\]`)

func withoutMarkers(text string) string { return markerIn.ReplaceAllString(text, "") }

// headedWithoutModel are the sections of due diligence without a model, by the
// headings of its findings. Each stands there, or its recommendation says below its
// first paragraph that nothing was found on it, or under which other one it is.
var headedWithoutModel = []string{"risks", "security", "licence", "weaknesses", "strengths", "opportunities", "figures", "timeline", "people", "competitors"}

// sectionsOf are the headings that a report must have, as package lang says them.
func sectionsOf(code lang.Code, mode contract.SubMode, sections map[string]string) []string {
	switch {
	case mode != contract.DueDiligence:
		return []string{"summary", "key-findings", "detailed-analysis", "connections", "conclusions"}
	case sections[code.Say("analysis")] != "":
		return []string{"summary", "analysis", "strengths", "risks", "alternatives", "recommendation"}
	}
	_, unfound, _ := strings.Cut(sections[code.Say("recommendation")], "\n\n")
	wanted := []string{"summary", "recommendation"}
	for _, heading := range headedWithoutModel {
		if !strings.Contains(strings.ToLower(unfound), strings.ToLower(code.Say(heading))) {
			wanted = append(wanted, heading)
		}
	}
	return wanted
}

// missingSections are the headings of those without a heading or with nothing below it.
func missingSections(question, report string, mode contract.SubMode) (missing []string) {
	sections := map[string]string{}
	for _, part := range strings.Split("\n"+report, "\n## ")[1:] {
		title, body, _ := strings.Cut(part, "\n")
		sections[strings.TrimSpace(title)] = strings.TrimSpace(body)
	}
	code := lang.Spoken(question)
	for _, kind := range sectionsOf(code, mode, sections) {
		if title := code.Say(kind); sections[title] == "" {
			missing = append(missing, title)
		}
	}
	return missing
}

// clocks are the time that a run took by its events, and the time that its
// searches, pages and calls of models would have taken one after another. The wait
// for the reader over the plan is in both.
func clocks(events []contract.Event) (wall, sequential int64) {
	for _, ev := range events {
		switch b := ev.Body.(type) {
		case contract.FoundLeads:
			sequential += b.Ms
		case contract.ReadDone:
			sequential += b.Ms
		case contract.UsageCounted:
			sequential += b.Ms
		case contract.StageChanged:
			if b.Stage == contract.StagePlanReview && b.State == "end" {
				sequential += b.Ms
			}
		}
	}
	if len(events) > 0 {
		wall = events[len(events)-1].At.Sub(events[0].At).Milliseconds()
	}
	return wall, sequential
}
