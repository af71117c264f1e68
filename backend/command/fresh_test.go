package command_test

import (
	"encoding/json"
	"strings"
	"testing"

	"footnote/backend/refresh"
)

func TestAnAnswerIsKeptFreshFromTheCommandLine(t *testing.T) {
	d := sit(t)
	if got := d.run("refresh", "--list"); got.code != 0 || got.out != "" || !strings.Contains(got.errs, "No answer is kept fresh.") {
		t.Errorf("%+v", got)
	}
	var ans struct{ Run, Thread string }
	first := d.run("ask", "--json", "--offline", "--files", "bridge.md", "When was the bridge over the Lorne opened?")
	if err := json.Unmarshal([]byte(first.out), &ans); err != nil {
		t.Fatalf("%v %+v", err, first)
	}
	got := d.run("refresh", ans.Thread, "--every", "day", "--on-change")
	for _, part := range []string{"Kept fresh: " + ans.Run + ", every day and when a file changes", "footnote serve runs; neither does now."} {
		if got.code != 0 || got.out != "" || !strings.Contains(got.errs, part) {
			t.Errorf("no %q in %+v", part, got)
		}
	}
	got = d.run("refresh", "--list")
	if got.code != 0 || !strings.Contains(got.out, ans.Run+"  every day and when a file changes  not checked yet  When was the bridge over the Lorne opened?\n") {
		t.Errorf("%+v", got)
	}
	for typed, ms := range map[string]int64{"week": 7 * 24 * 3600_000, "12h": 12 * 3600_000, "3d": 3 * 24 * 3600_000, "1h30m": 5400_000} {
		var s refresh.Subscription
		got := d.run("refresh", "--json", ans.Run, "--every", typed)
		if err := json.Unmarshal([]byte(got.out), &s); err != nil || got.code != 0 || s.EveryMs != ms || s.OnChange {
			t.Errorf("%s: %v %+v", typed, err, got)
		}
	}
	holder := d.hold()
	if got := d.run("refresh", ans.Run, "--every", "2d"); got.code != 0 || !strings.Contains(got.errs, "every 2 days") || strings.Contains(got.errs, "neither does now") {
		t.Errorf("%+v", got)
	}
	holder.end()
	if got := d.run("refresh", ans.Run, "--off"); got.code != 0 || !strings.Contains(got.errs, "Not kept fresh any more: "+ans.Run) {
		t.Errorf("%+v", got)
	}
	if got := d.run("refresh", ans.Run, "--off"); got.code != 2 || !strings.Contains(got.errs, "This answer is not kept fresh.") {
		t.Errorf("%+v", got)
	}
	for _, wrong := range [][]string{
		{"refresh", ans.Run, "--every", "moon"}, {"refresh", ans.Run, "--every", "5m"}, {"refresh", ans.Run, "--every", "-3d"}, {"refresh", "--list", ans.Run}, {"refresh", "--list", "--off"},
		{"refresh", ans.Run, "--off", "--every", "day"}, {"refresh", "--every", "day"}, {"refresh", "thr_none", "--every", "day"},
	} {
		if got := d.run(wrong...); got.code != 2 || got.out != "" || !strings.Contains(got.errs, "hint: ") {
			t.Errorf("%v: %+v", wrong, got)
		}
	}
}
