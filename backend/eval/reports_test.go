package eval

import (
	"context"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/eval/world"
)

// honest reports every sentence of a subject by its headings, as the key has it.
func honest(t *testing.T, change func(string) string) Reporting {
	t.Helper()
	subjects, err := world.Make("main", 1)
	if err != nil {
		t.Fatal(err)
	}
	return func(_ context.Context, question string, mode contract.SubMode) (contract.Answer, error) {
		var a contract.Answer
		for _, s := range subjects {
			if question != s.Diligence && question != s.Specific && question != s.None {
				continue
			}
			first, rest := "", ""
			for _, p := range s.Pages {
				for _, x := range p.Sentences {
					if x.Answers && !x.False && first == "" {
						first = x.Text + " [1]"
					}
					if x.Negative && mode == contract.DueDiligence {
						rest += "- " + x.Text + " [2]\n"
					}
				}
			}
			if question == s.None {
				first, rest = "The sources do not answer this.", ""
			}
			a.Answer = change("## Executive Summary\n\n" + first + "\n\n## Risks & Concerns\n\n" + rest)
		}
		return a, nil
	}
}

func reportsOf(t *testing.T, ask Reporting) []ReportRow {
	t.Helper()
	rows, err := Reports(t.Context(), ReportOptions{Sheet: "main", Seed: 1, Over: func(_ context.Context, _, _ string, use func(Reporting) error) error { return use(ask) }})
	if err != nil || len(rows) != 2 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	return rows
}

func TestAReportThatFollowsTheKeyIsRight(t *testing.T) {
	for _, r := range reportsOf(t, honest(t, func(report string) string { return report })) {
		for name, s := range map[string]share{"subject": r.OnSubject, "negatives": r.Negatives, "headings": r.Headings, "answers": r.Answers, "nothing": r.SaysNothing} {
			if s.Of == 0 || s.Has != s.Of {
				t.Errorf("%s: %s is %s", r.World, name, s)
			}
		}
		if r.Conflicts.Has != 0 || r.FooledByOne.Has != 0 || r.FooledByOne.Of == 0 || r.FooledBy3.Of == 0 || r.Outdated != 0 {
			t.Errorf("%+v", r)
		}
	}
}

func TestWhatAReportGetsWrongIsCounted(t *testing.T) {
	wrong := func(report string) string {
		return strings.NewReplacer("## Risks & Concerns", "Which suppliers do cooks trust most? [3]\n\n## Strengths", "The sources do not answer this.", "Something. [4]").Replace(report)
	}
	for _, r := range reportsOf(t, honest(t, wrong)) {
		if r.OnSubject.Has >= r.OnSubject.Of || r.Headings.Has != 0 || r.SaysNothing.Has != 0 || r.Negatives.Has != r.Negatives.Of {
			t.Errorf("%+v", r)
		}
	}
}
