package command_test

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestACollectionIsMadeAskedAndForgotten(t *testing.T) {
	d := sit(t)
	d.write("ferry.txt", "The ferry of Arden sank in 1911.")
	if got := d.run("library", "collection", "add", "Old ferries", "ferry.txt"); got.code != 0 {
		t.Fatalf("%+v", got)
	}
	if got := d.run("library", "collection"); got.code != 0 || got.out != "@old-ferries\n    "+filepath.Join(d.dir, "ferry.txt")+"\n" {
		t.Errorf("%+v", got)
	}
	if got := d.run("library", "collection", "--json"); !strings.Contains(got.out, `"name": "Old ferries"`) {
		t.Errorf("%+v", got)
	}
	if got := d.run("ask", "--offline", "--focus", "local", "When did the ferry of Arden sink? @old-ferries"); got.code != 0 || !strings.Contains(got.out, "1911") {
		t.Errorf("%+v", got)
	}
	if got := d.run("ask", "--offline", "--focus", "local", "When did the ferry of Arden sink? @old-feries"); !strings.Contains(got.errs, "Did you mean “Old ferries”?") {
		t.Errorf("%+v", got)
	}
	if got := d.run("library", "collection", "rename", "@old-ferries", "Boats"); got.code != 0 {
		t.Errorf("%+v", got)
	}
	if got := d.run("library", "collection", "remove", "boats", "ferry.txt"); got.code != 0 {
		t.Errorf("%+v", got)
	}
	if got := d.run("ask", "--offline", "--focus", "local", "@boats When did the ferry of Arden sink?"); got.code != 3 || !strings.Contains(got.errs, "“Boats” is empty") {
		t.Errorf("%+v", got)
	}
	if got := d.run("library", "collection", "remove", "Boats"); got.code != 0 {
		t.Errorf("%+v", got)
	}
	if got := d.run("library", "collection"); got.out != "" {
		t.Errorf("%+v", got)
	}
	for _, args := range [][]string{{"add", "a/b", "ferry.txt"}, {"add", "only a name"}, {"remove", "nothing"}, {"rename", "nothing", "x"}} {
		if got := d.run(append([]string{"library", "collection"}, args...)...); got.code == 0 || !strings.Contains(got.errs, "hint: ") {
			t.Errorf("%v: %+v", args, got)
		}
	}
}

func TestWhatWasNotReadIsToldWithItsReasons(t *testing.T) {
	d := sit(t)
	d.write("one.zip", "PK\x03\x04")
	d.write("two.zip", "PK\x03\x04x")
	d.write("good.txt", "The ferry of Arden sank in 1911.")
	d.run("library", "add", "one.zip", "two.zip", "good.txt")
	if got := d.run("library", "status"); got.code != 0 || !strings.Contains(got.out, "     2  skipped: Footnote does not read archives yet.\n") {
		t.Errorf("%+v", got)
	}
	got := d.run("library", "list", "--status", "skipped,failed")
	if strings.Count(got.out, "\n") != 2 || !strings.Contains(got.out, "one.zip") || strings.Contains(got.out, "good.txt") {
		t.Errorf("%+v", got)
	}
	if got := d.run("library", "list", "--status", "lost"); got.code != 2 || !strings.Contains(got.errs, "not-reachable") {
		t.Errorf("%+v", got)
	}
}
