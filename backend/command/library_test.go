package command_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footnote/backend/command"
	"footnote/backend/housetest"
	"footnote/backend/library"
)

func acknowledged(out string) (ids []string) {
	for line := range strings.Lines(out) {
		if id, ok := strings.CutPrefix(strings.TrimSpace(line), "ACK "); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

func TestAddAcknowledgesWhatIsStoredForGood(t *testing.T) {
	d := sit(t)
	d.write("ferry.txt", "The ferry of Arden sank in 1911.")
	got := d.run("library", "add", "--wait", ".")
	acks := acknowledged(got.out)
	if got.code != 0 || len(acks) != 2 || strings.Count(got.out, "\n") != 2 || got.errs != "2 files can be searched.\n" {
		t.Fatalf("%+v", got)
	}
	listed := strings.Fields(d.run("library", "list", "--ids").out)
	for _, id := range acks {
		if !strings.Contains(strings.Join(listed, " "), id) {
			t.Errorf("%s was acknowledged and is not listed", id)
		}
	}
	if plain := d.run("library", "add", "."); plain.code != 0 || plain.out != "" {
		t.Errorf("without --wait: %+v", plain)
	}
}

func TestWhatWasAcknowledgedIsListedBeforeItsWordsCanBeFound(t *testing.T) {
	t.Parallel()
	d := sit(t)
	d.halts = 1 << 40
	var out, errs housetest.Output
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int)
	go func() { ended <- command.Execute(ctx, d.env(&out, &errs, "library", "add", "--wait", ".")) }()
	housetest.Until(t, "the file is acknowledged", func() bool { return strings.HasPrefix(out.String(), "ACK ") })
	stop()
	<-ended
	acks := acknowledged(out.String())
	if list := d.run("library", "list").out; len(acks) != 1 || !strings.HasPrefix(list, "reading ") {
		t.Fatalf("acknowledged %v, listed %q", acks, list)
	}
	if ids := strings.Fields(d.run("library", "list", "--ids").out); !slices.Equal(ids, acks) {
		t.Errorf("%v was acknowledged, %v is listed", acks, ids)
	}
}

func TestAFileThatCannotBeReadEndsWithEight(t *testing.T) {
	d := sit(t)
	d.write("broken.pdf", "%PDF-1.4 nothing follows")
	got := d.run("library", "add", "--wait", "bridge.md", "broken.pdf")
	if got.code != 8 || len(acknowledged(got.out)) != 1 || !strings.Contains(got.errs, "not read: "+filepath.Join(d.dir, "broken.pdf")+": ") {
		t.Errorf("%+v", got)
	}
	if again := d.run("library", "add", "broken.pdf"); again.code != 0 {
		t.Errorf("without --wait: %+v", again)
	}
	partly := d.run("library", "add", "--wait", "bridge.md", "none.md")
	if partly.code != 8 || !strings.Contains(partly.errs, "not added: ") {
		t.Errorf("%+v", partly)
	}
	if none := d.run("library", "add", "none.md"); none.code != 2 || !strings.Contains(none.errs, "hint: ") {
		t.Errorf("%+v", none)
	}
	if nothing := d.run("library", "add"); nothing.code != 2 {
		t.Errorf("%+v", nothing)
	}
}

func TestTheLibraryIsListedSearchedAndForgotten(t *testing.T) {
	d := sit(t)
	d.write("ferry.txt", "The ferry of Arden sank in 1911.")
	d.write("broken.pdf", "%PDF-1.4 nothing follows")
	d.run("library", "add", "--wait", ".")
	list := d.run("library", "list")
	for _, part := range []string{"ready        " + filepath.Join(d.dir, "bridge.md"), "failed       " + filepath.Join(d.dir, "broken.pdf") + "  ("} {
		if !strings.Contains(list.out, part) {
			t.Errorf("no %q in\n%s", part, list.out)
		}
	}
	var files []struct{ ID, Path, Status, Reason string }
	if err := json.Unmarshal([]byte(d.run("library", "list", "--json").out), &files); err != nil || len(files) != 3 {
		t.Fatalf("%v %+v", err, files)
	}
	found := d.run("library", "search", "arden fer")
	if found.code != 0 || !strings.HasPrefix(found.out, filepath.Join(d.dir, "ferry.txt")+"\n    ") {
		t.Errorf("%+v", found)
	}
	var matches library.Matches
	if err := json.Unmarshal([]byte(d.run("library", "search", "--json", "--limit", "1", "the").out), &matches); err != nil || len(matches.Items) > 1 {
		t.Errorf("%v %+v", err, matches)
	}
	if none := d.run("library", "search", "submarine"); none.code != 3 || none.out != "" || none.errs == "" {
		t.Errorf("%+v", none)
	}
	if why := d.run("library", "why", "ferry.txt", "When did the ferry sink?"); why.code != 0 || !strings.Contains(why.out, "rank together: 1\nA candidate") {
		t.Errorf("%+v", why)
	}
	if why := d.run("library", "why", "broken.pdf", "ferry"); why.code != 0 || !strings.Contains(why.out, "\nNot a candidate. The file is not searchable") {
		t.Errorf("%+v", why)
	}
	if count := d.run("library", "count", "arden"); count.code != 0 || !strings.HasPrefix(count.out, "files: 1  passages: 1  places: 1\n     1  "+filepath.Join(d.dir, "ferry.txt")) || !strings.Contains(count.errs, "not counted: 1 ") {
		t.Errorf("%+v", count)
	}
	status := d.run("library", "status")
	if !strings.Contains(status.out, d.dir+"\n3 files: 2 ready, 0 read in part, 1 failed") {
		t.Errorf("%s", status.out)
	}
	var counts struct {
		Totals struct{ Files, Ready, Failed int }
	}
	if err := json.Unmarshal([]byte(d.run("library", "status", "--json").out), &counts); err != nil || counts.Totals.Ready != 2 {
		t.Errorf("%v %+v", err, counts)
	}

	d.write("later.txt", "The lighthouse was built in 1874.")
	if got := d.run("library", "rescan"); got.code != 0 || d.run("library", "search", "lighthouse").code != 0 {
		t.Errorf("after a rescan: %+v", got)
	}
	for _, name := range []string{files[0].ID, "ferry.txt", d.dir} {
		if got := d.run("library", "remove", name); got.code != 0 {
			t.Errorf("remove %s: %+v", name, got)
		}
	}
	if again := d.run("library", "remove", "ferry.txt"); again.code != 2 || !strings.Contains(again.errs, "no such file") {
		t.Errorf("%+v", again)
	}
	if left := d.run("library", "list"); left.out != "" {
		t.Errorf("left: %s", left.out)
	}
	if _, err := os.Stat(filepath.Join(d.dir, "ferry.txt")); err != nil {
		t.Errorf("the reader's file: %v", err)
	}
}

func TestWatchingGoesOnUntilInterrupted(t *testing.T) {
	d := sit(t)
	ctx, interrupt := context.WithCancel(t.Context())
	ended := make(chan said, 1)
	go func() { ended <- d.runUntil(ctx, "library", "add", "--watch", ".") }()
	housetest.Until(t, "the folder is watched", func() bool { _, err := os.Stat(filepath.Join(d.data, "footnote.sock")); return err == nil })
	// The command that looks is handed to the one that watches.
	housetest.Until(t, "the file is there", func() bool { return d.run("library", "search", "lorne").code == 0 })
	d.write("later.txt", "The lighthouse was built in 1874.")
	housetest.Until(t, "the new file is found", func() bool { return d.run("library", "search", "lighthouse").code == 0 })
	select {
	case got := <-ended:
		t.Fatalf("watching ended by itself: %+v", got)
	default:
	}
	interrupt()
	if got := <-ended; got.code != 0 {
		t.Errorf("%+v", got)
	}
}

func TestAFullDiskIsSaidWhileOneWaitsAndTheWorkGoesOnByItself(t *testing.T) {
	t.Parallel()
	d := sit(t)
	d.halts = 1
	got := d.run("library", "add", "--wait", ".")
	if got.code != 0 || !strings.HasPrefix(got.out, "ACK fil_") || strings.Count(got.out, "ACK") != 1 || strings.Count(got.errs, "note: The disk with Footnote's data is full.") != 1 {
		t.Errorf("%+v", got)
	}
	d.halts = 0
	if found := d.run("library", "search", "lorne"); found.code != 0 {
		t.Errorf("%+v", found)
	}
}
