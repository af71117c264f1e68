package eval

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// desk is a shelf that also researches by rote.
type desk struct {
	shelf
	events []contract.Event
	study  contract.Study
}

func (d desk) Research(ctx context.Context, question string) (contract.Answer, []contract.Event, error) {
	a, err := d.Ask(ctx, question)
	return a, d.events, err
}

func (d desk) Study(_ context.Context, run contract.RunID) (contract.Study, error) {
	if run == "run_lost" {
		return d.study, fault.New(fault.NotFound, "There is no such study.", "")
	}
	return d.study, nil
}

const wholeReport = "## Executive Summary\n\nThe tower is high. [1]\n\n## Key Findings\n\n- High. [1]\n\n## Detailed Analysis\n\n### How high?\n\nHigh.\n\n## Connections & Relationships\n\nNone.\n\n## Conclusions\n\nHigh."

func reporting(report string) contract.Answer {
	a := quoting("/x/Tower.pdf", "tower is", 4)
	a.Answer, a.LatencyMs, a.Research = report, 30_000, &contract.Research{}
	return a
}

func at(second int, body contract.Body) contract.Event {
	return contract.Event{At: time.Unix(int64(second), 0), Kind: body.Kind(), Body: body}
}

func research(t *testing.T, said map[string]contract.Answer, opt ResearchOptions, lines string) ([]ResearchRow, []map[string]any) {
	t.Helper()
	d := desk{
		shelf: shelf{"A Thé tower is high. So it is.", said},
		events: []contract.Event{
			at(0, contract.Started{}), at(1, contract.FoundLeads{Ms: 1000}), at(2, contract.StageChanged{Stage: contract.StagePlanReview, State: "end", Ms: 1000}),
			at(3, contract.ReadDone{Ms: 3000}), at(4, contract.UsageCounted{Ms: 5000}), at(4, contract.StageChanged{Stage: contract.StageResearch, State: "end", Ms: 9000}), at(5, contract.FinishedRun{}),
		},
		study: contract.Study{Done: []contract.Explored{{Quotes: []contract.Excerpt{{Text: "tower is high", Source: "src_1"}, {Text: "tower was high", Source: "src_1"}}}}},
	}
	opt.ScoresFile = filepath.Join(t.TempDir(), "scores.jsonl")
	rows, err := Research(context.Background(), []string{write(t, "towers.jsonl", lines)}, d, opt)
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(opt.ScoresFile)
	if err != nil {
		t.Fatal(err)
	}
	var scores []map[string]any
	for line := range strings.Lines(string(b)) {
		var s map[string]any
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		scores = append(scores, s)
	}
	return rows, scores
}

var bounds = ResearchOptions{AtOnce: 3, SubMode: contract.DeepResearch, Minutes: 1, Turns: 2, WordsMin: 5, WordsMax: 500}

func TestReportsAreMeasuredAgainstPagesStoredTextAndTheClock(t *testing.T) {
	lost := reporting(wholeReport)
	lost.Run = "run_lost"
	late := reporting(strings.Replace(wholeReport, "Key Findings\n\n- High. [1]", "Key Findings", 1) + " [7]")
	late.LatencyMs, late.Research.Early = 61_000, "1 minute"
	rows, scores := research(t, map[string]contract.Answer{"How high?": reporting(wholeReport), "How old?": late, "How wide?": lost}, bounds,
		`{"id":"1","question":"How high?","gold":["MED-7"]}
{"id":"2","question":"How old?","gold":["MED-8","MED-7"]}
{"id":"3","question":"How wide?"}
{"id":"4","question":"How come?","gold":["MED-7"]}`)
	want := ResearchRow{
		Set: "towers", Questions: 4, Failed: 2, InBudget: 1, Early: 1, Whole: 1, Quotes: 6, Departed: 2, Citations: 2, Supported: 1, Invented: 1,
		goldFound: goldFound{WithGold: 3, GoldInSources: 2. / 3, AllGold: 1. / 3}, RatioP50: 0.5, RatioMax: 0.5, WallMsP50: 5000, WallMsMax: 5000,
		WordsP50: rows[0].WordsP50, WordsInBounds: 2, ModelCalls: 2,
	}
	if len(rows) != 1 || rows[0] != want || rows[0].WordsP50 < 15 {
		t.Errorf("%+v\nwant %+v", rows, want)
	}
	if s := rows[0].String(); !strings.Contains(s, "quotes verbatim 4 of 6") || !strings.Contains(s, "gold among sources 0.667") {
		t.Error(s)
	}
	if missing := scores[1]["missing"].([]any); len(missing) != 1 || missing[0] != "Key Findings" || scores[1]["invented"].([]any)[0] != "[7]" || scores[3]["error"] == "" {
		t.Errorf("%v", scores)
	}
}

func TestACitationOfAnotherSourceThanTheListedOneIsInvented(t *testing.T) {
	swapped, nowhere := reporting(wholeReport), reporting(wholeReport)
	swapped.Citations[0].Marker = 2
	nowhere.Citations[0].Passage = "psg_gone"
	rows, _ := research(t, map[string]contract.Answer{"How high?": swapped, "How old?": nowhere}, bounds, `{"question":"How high?"}
{"question":"How old?"}`)
	// The first has one citation of the wrong source and two markers without any,
	// the second a citation whose passage is not there.
	if rows[0].Invented != 4 || rows[0].Departed != 3 {
		t.Errorf("%+v", rows[0])
	}
}

func TestADueDiligenceReportHasItsOwnSections(t *testing.T) {
	opt := bounds
	opt.SubMode, opt.Limit = contract.DueDiligence, 1
	rows, scores := research(t, map[string]contract.Answer{"How high?": reporting(wholeReport)}, opt, `{"question":"How high?"}
{"question":"How old?"}`)
	if rows[0].Whole != 0 || rows[0].Questions != 1 || len(scores[0]["missing"].([]any)) != 11 {
		t.Errorf("%+v %v", rows, scores)
	}
}

func TestSeveralFilesOfQuestionsHaveARowForAll(t *testing.T) {
	d := desk{shelf: shelf{said: map[string]contract.Answer{}}}
	one, two := write(t, "one.jsonl", `{"question":"How high?"}`), write(t, "two.jsonl", `{"question":"How old?"}`)
	rows, err := Research(context.Background(), []string{one, two}, d, bounds)
	if err != nil || len(rows) != 3 || rows[2].Set != "all" || rows[2].Questions != 2 || rows[2].Failed != 2 {
		t.Errorf("%+v %v", rows, err)
	}
	if _, err := Research(context.Background(), []string{"nowhere.jsonl"}, d, bounds); err == nil {
		t.Error("a missing file is no error")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Research(ctx, []string{one}, d, bounds); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled run: %v", err)
	}
}
