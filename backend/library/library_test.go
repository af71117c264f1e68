package library_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/library"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/blevesearch/bleve_index_api.AnalysisWorker"))
}

func TestEveryFileGetsAStateAndAReason(t *testing.T) {
	h := newHouse(t).open()
	h.write("good.txt", "the bridge was opened in march")
	h.write("half.txt", "half of this was read")
	h.write("bad.pdf", "!malformed")
	h.write("pic.png", "!unsupported")
	h.write("sub/deep/note.md", "a note about rivers")
	states := h.addAll()
	want := map[string]library.State{
		"good.txt": library.Ready, "half.txt": library.Partial, "bad.pdf": library.Failed,
		"pic.png": library.Skipped, "sub/deep/note.md": library.Ready,
	}
	for name, state := range want {
		if states[name] != state {
			t.Errorf("%s is %q, want %q", name, states[name], state)
		}
	}
	for _, f := range h.files() {
		if f.State != library.Ready && f.Reason == "" {
			t.Errorf("%s is %s without a reason", f.Path, f.State)
		}
	}
	wantNames(t, h.finds("bridge"), "good.txt")
	wantNames(t, h.finds("rivers"), "note.md")
}

func TestFoundPassagesCarryTheirSourceAndPlace(t *testing.T) {
	h := newHouse(t).open()
	path := h.write("History.txt", "The bridge was opened in 1932 after eight years.")
	h.addAll()
	found, err := h.Search(t.Context(), "when was the bridge opened", contract.Scope{}, 5)
	must(t, err)
	if len(found) != 1 {
		t.Fatalf("found %d", len(found))
	}
	f := found[0]
	if f.Source.Address != path || f.Source.Title != "History.txt" || f.Passage.Source != f.Source.ID || f.Via != "library" || !f.Score.Vector || f.Passage.At.End == 0 {
		t.Errorf("got %+v", f)
	}
	p, source, err := h.db.Passage(t.Context(), f.Passage.ID)
	must(t, err)
	if source.ID != f.Source.ID || p.Text != f.Passage.Text {
		t.Errorf("the archive shows %+v of %+v", p, source)
	}
	text, blocks, err := h.db.SourceText(t.Context(), f.Source.ID)
	must(t, err)
	if !strings.Contains(text, f.Passage.Text) || len(blocks) != 1 {
		t.Errorf("text %q, %d blocks", text, len(blocks))
	}
}

func TestUnchangedFilesAreNotReadAgain(t *testing.T) {
	h := newHouse(t).open()
	for i := range 20 {
		h.write(fmt.Sprintf("f%d.txt", i), fmt.Sprintf("text number%d", i))
	}
	h.addAll()
	h.close()
	h.open()
	h.addAll()
	touched := h.docs + "/f3.txt"
	must(t, os.Chtimes(touched, time.Now(), time.Now().Add(time.Hour)))
	h.write("f4.txt", "quite another text")
	h.addAll()
	if n := h.reader.files.Load(); n != 21 {
		t.Errorf("%d files were extracted, want 21", n)
	}
	if n := h.embedder.texts.Load(); n != 21 {
		t.Errorf("%d passages were embedded, want 21", n)
	}
	wantNames(t, h.finds("number4"))
	wantNames(t, h.finds("another"), "f4.txt")
}

func TestEqualBytesShareTextAndVectors(t *testing.T) {
	h := newHouse(t).open()
	h.write("a.txt", "twin passage here")
	h.write("b.txt", "twin passage here")
	h.addAll()
	if h.embedder.texts.Load() != 1 {
		t.Errorf("embedded %d times", h.embedder.texts.Load())
	}
	found, err := h.Search(t.Context(), "twin", contract.Scope{}, 5)
	must(t, err)
	if len(found) != 1 || len(found[0].Score.AlsoIn) != 1 || !strings.HasSuffix(found[0].Score.AlsoIn[0], "b.txt") {
		t.Fatalf("got %+v", found)
	}
	must(t, os.Remove(h.docs+"/a.txt"))
	must(t, h.Rescan(t.Context()))
	h.wait()
	wantNames(t, h.finds("twin"), "b.txt")
}

func TestAMovedFileKeepsItsIDTextAndVectors(t *testing.T) {
	h := newHouse(t).open()
	h.write("old/name.txt", "a text that travels")
	h.write("old/other.txt", "a text that travels too")
	h.addAll()
	before := h.files()
	must(t, os.Rename(h.docs+"/old", h.docs+"/new"))
	must(t, os.Rename(h.docs+"/new/name.txt", h.docs+"/new/renamed.txt"))
	must(t, h.Rescan(t.Context()))
	h.wait()
	after := h.files()
	if len(after) != 2 || after[0].ID != before[0].ID || !strings.HasSuffix(after[0].Path, "new/renamed.txt") {
		t.Errorf("got %+v", after)
	}
	if h.reader.files.Load() != 2 || h.embedder.texts.Load() != 2 {
		t.Errorf("read %d, embedded %d", h.reader.files.Load(), h.embedder.texts.Load())
	}
	h.eventually("the new name is searchable", func() bool { return slices.Equal(h.finds("renamed"), []string{"renamed.txt"}) })
	h.write("old/name.txt", "a new file under the old name") // its natural id went along with the move
	must(t, h.Rescan(t.Context()))
	if states := h.wait(); len(states) != 3 {
		t.Errorf("got %v", states)
	}
}

func TestDeletedFilesLeaveNothingBehind(t *testing.T) {
	h := newHouse(t).open()
	h.write("keep.txt", "this stays")
	h.write("gone.txt", "a secret to forget")
	h.addAll()
	must(t, os.Remove(h.docs+"/gone.txt"))
	must(t, h.Rescan(t.Context()))
	wantNames(t, h.finds("secret"))
	h.eventually("the index forgets", func() bool { words, vectors := h.index.Count(); return words == 1 && vectors == 1 })
	totals, err := h.db.Totals(t.Context(), "bag-64")
	must(t, err)
	if totals.Files != 1 || totals.Chunks != 1 {
		t.Errorf("got %+v", totals)
	}
}

func TestRemovedFilesStayOutUntilTheyAreAddedAgain(t *testing.T) {
	h := newHouse(t).open()
	h.write("keep.txt", "this stays")
	path := h.write("out.txt", "this goes")
	h.addAll()
	must(t, h.Remove(t.Context(), path))
	must(t, h.Rescan(t.Context()))
	h.wait()
	wantNames(t, h.finds("goes"))
	if len(h.files()) != 1 {
		t.Errorf("listed %v", h.states())
	}
	_, err := h.Add(t.Context(), []string{path}, true)
	must(t, err)
	h.wait()
	wantNames(t, h.finds("goes"), "out.txt")
	must(t, h.Remove(t.Context(), h.docs))
	if len(h.files()) != 0 {
		t.Errorf("listed %v", h.states())
	}
	if code := fault.CodeOf(h.Remove(t.Context(), "fil_unknown")); code != fault.NotFound {
		t.Errorf("removing what is not there: %q", code)
	}
}

func TestAFileAddedByItselfIsForgottenForGood(t *testing.T) {
	h := newHouse(t).open()
	h.write("in/folder.txt", "this stays")
	single := h.write("single.txt", "this goes")
	_, err := h.Add(t.Context(), []string{h.docs + "/in", single}, true)
	must(t, err)
	h.wait()
	listed, _, err := h.Files(t.Context(), library.FileQuery{Single: true})
	must(t, err)
	if len(listed) != 1 || listed[0].Path != single {
		t.Fatalf("added by themselves: %+v", listed)
	}
	must(t, h.Remove(t.Context(), listed[0].ID))
	must(t, h.Rescan(t.Context()))
	h.wait()
	wantNames(t, h.finds("goes"))
	wantNames(t, h.finds("stays"), "folder.txt")
	h.root() // the one that is left
}

func TestATextThatAnAnswerCitesOutlivesItsFile(t *testing.T) {
	h := newHouse(t).open()
	path := h.write("cited.txt", "the cited sentence")
	h.addAll()
	found, err := h.Search(t.Context(), "cited", contract.Scope{}, 1)
	must(t, err)
	source := found[0].Source.ID
	run := contract.Run{ID: "run_1", Thread: "thr_1", Status: contract.Finished, Question: contract.Question{Text: "?"}, Answer: &contract.Answer{Sources: []contract.SourceCard{{ID: source}}}}
	must(t, h.db.Begin(t.Context(), run, ""))
	must(t, h.db.End(t.Context(), run))
	must(t, os.Remove(path))
	must(t, h.Rescan(t.Context()))
	wantNames(t, h.finds("cited"))
	if text, _, err := h.db.SourceText(t.Context(), source); err != nil || text != "the cited sentence" {
		t.Errorf("snapshot: %q %v", text, err)
	}
	h.eventually("the index forgets", func() bool { words, _ := h.index.Count(); return words == 0 })
	h.write("cited.txt", "the cited sentence")
	must(t, h.Rescan(t.Context()))
	h.wait()
	wantNames(t, h.finds("cited"), "cited.txt")
	must(t, os.Remove(path))
	must(t, h.Rescan(t.Context()))
	must(t, h.db.DeleteThread(t.Context(), "thr_1", true))
	if _, _, err := h.db.SourceText(t.Context(), source); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("after erasing: %v", err)
	}
}

func TestAFileThatMovesWhileItIsReadIsReadWhereItWent(t *testing.T) {
	h := newHouse(t)
	h.reader.gate = make(chan struct{}, 100)
	h.open()
	h.write("a.txt", "wandering words")
	_, err := h.Add(t.Context(), []string{h.docs}, false)
	must(t, err)
	h.eventually("it is being read", func() bool { return h.reader.files.Load() > 0 })
	must(t, os.Rename(filepath.Join(h.docs, "a.txt"), filepath.Join(h.docs, "b.txt")))
	must(t, h.Rescan(t.Context()))
	for range cap(h.reader.gate) {
		h.reader.gate <- struct{}{}
	}
	h.wait()
	must(t, h.Rescan(t.Context()))
	for name, state := range h.wait() {
		if name != "b.txt" || state != library.Ready {
			t.Errorf("%s is %s", name, state)
		}
	}
	wantNames(t, h.finds("wandering"), "b.txt")
}

func TestWhatCouldNotBeReadIsReadWhereItWent(t *testing.T) {
	h := newHouse(t).open()
	path := h.write("a.txt", "!unreadable")
	if states := h.addAll(); states["a.txt"] != library.Failed {
		t.Fatal(states)
	}
	must(t, os.Rename(path, filepath.Join(h.docs, "b.txt")))
	read := h.reader.files.Load()
	must(t, h.Rescan(t.Context()))
	h.wait()
	if h.reader.files.Load() == read {
		t.Error("it was not read again")
	}
}

func TestTheQueueIsTakenUpAfterARestart(t *testing.T) {
	h := newHouse(t)
	h.reader.gate = make(chan struct{}, 100)
	h.open()
	for i := range 30 {
		h.write(fmt.Sprintf("f%02d.txt", i), fmt.Sprintf("word%d", i))
	}
	_, err := h.Add(t.Context(), []string{h.docs}, false)
	must(t, err)
	for range 5 {
		h.reader.gate <- struct{}{}
	}
	h.eventually("five are stored", func() bool {
		ready := 0
		for _, s := range h.states() {
			if s == library.Ready {
				ready++
			}
		}
		return ready == 5
	})
	h.close()
	h.reader.gate = nil
	h.open()
	for name, state := range h.wait() {
		if state != library.Ready {
			t.Errorf("%s is %s", name, state)
		}
	}
	wantNames(t, h.finds("word29"), "f29.txt")
}

func TestEachStoredFileIsAcknowledgedOnce(t *testing.T) {
	h := newHouse(t).open()
	for i := range 50 {
		h.write(fmt.Sprintf("f%d.txt", i), fmt.Sprintf("word%d", i))
	}
	for round := range 2 {
		added, err := h.Add(t.Context(), []string{h.docs}, false)
		must(t, err)
		told := map[string]int{}
		must(t, h.Wait(t.Context(), added.Paths, func(f library.File) { told[f.ID]++ }))
		if len(told) != 50 {
			t.Errorf("round %d: %d acknowledged", round, len(told))
		}
		for id, n := range told {
			if n != 1 {
				t.Errorf("%s acknowledged %d times", id, n)
			}
		}
	}
}

func TestALostIndexIsFilledAgainAndSaysSo(t *testing.T) {
	h := newHouse(t).open()
	h.write("a.txt", "something to find")
	h.addAll()
	h.close()
	h.index = newMemoryIndex()
	h.open()
	h.wait()
	wantNames(t, h.finds("something"), "a.txt")
	said := false
	for e := range h.Events(t.Context(), 0) {
		if b, ok := e.Body.(library.Rebuilding); ok {
			said = true
			if b.Percent == 100 {
				break
			}
		}
	}
	if !said || h.embedder.texts.Load() > 2 { // the passage once, the question once
		t.Errorf("said %v, embedded %d", said, h.embedder.texts.Load())
	}
}

func TestABrokenIndexLosesNothing(t *testing.T) {
	h := newHouse(t).open()
	h.index.fail.Store(true)
	h.write("a.txt", "something to find")
	_, err := h.Add(t.Context(), []string{h.docs}, false)
	must(t, err)
	acked := 0
	err = h.Wait(t.Context(), []string{h.docs}, func(library.File) { acked++ })
	if fault.CodeOf(err) != fault.IndexRebuilding || acked != 1 {
		t.Errorf("%v, %d acknowledged", err, acked)
	}
	h.close()
	h.index.fail.Store(false)
	h.open()
	h.wait()
	wantNames(t, h.finds("something"), "a.txt")
}

func TestSearchKeepsToItsScope(t *testing.T) {
	h := newHouse(t).open()
	a := h.write("one/a.txt", "common alpha")
	h.write("two/b.txt", "common beta")
	h.write("twofold/c.txt", "common gamma")
	h.addAll()
	wantNames(t, h.finds("common"), "a.txt", "b.txt", "c.txt")
	wantNames(t, h.findsIn("common", contract.Scope{Files: []string{a}}), "a.txt")
	wantNames(t, h.findsIn("common", contract.Scope{Folders: []string{h.docs + "/two"}}), "b.txt")
	wantNames(t, h.findsIn("common", contract.Scope{Files: []string{h.files()[0].ID}, Folders: []string{h.docs + "/two"}}), "a.txt", "b.txt")
	wantNames(t, h.findsIn("common", contract.Scope{Files: []string{"fil_unknown"}}))
}

func TestSavedAnswersProveNothingUnlessTheyAreNamed(t *testing.T) {
	h := newHouse(t).open()
	h.write("told.txt", "the bridge was opened in March")
	for i := range 30 {
		h.write(fmt.Sprintf("notes/%d.md", i), fmt.Sprintf("saved answer %d: the bridge was opened in March", i))
	}
	h.addAll()
	wantNames(t, h.finds("bridge opened"), "told.txt")
	note := h.docs + "/notes/7.md"
	wantNames(t, h.findsIn("bridge opened", contract.Scope{Files: []string{note}}), "7.md")
	wantNames(t, h.findsIn("bridge opened", contract.Scope{Folders: []string{h.docs + "/notes"}}))
	texts, err := h.SearchTexts(t.Context(), "bridge", func(string) bool { return true }, contract.Scope{}, 5)
	must(t, err)
	if len(texts) != 1 || texts[0].Source.Title != "told" && !strings.HasSuffix(texts[0].Source.Address, "told.txt") {
		t.Errorf("texts %v", texts)
	}
	why, err := h.Why(t.Context(), note, "bridge opened", 10)
	must(t, err)
	if !strings.Contains(why.CutBy, "saved") {
		t.Errorf("cut by %q", why.CutBy)
	}
	m, err := h.SearchWords(t.Context(), "bridge", 50)
	must(t, err)
	if len(m.Items) < 2 {
		t.Errorf("a search finds %d", len(m.Items))
	}
}

func TestAttachedFilesAreSearchedOnlyWhereTheyAreNamed(t *testing.T) {
	h := newHouse(t).open()
	h.write("mine.txt", "common library text")
	h.addAll()
	other := t.TempDir()
	for i := range 10 {
		must(t, os.WriteFile(fmt.Sprintf("%s/x%d.txt", other, i), fmt.Appendf(nil, "common attached text number%d", i), 0o644))
	}
	must(t, os.WriteFile(other+"/bad.pdf", []byte("!encrypted"), 0o644))
	calls := 0
	scope, skipped, err := h.Attach(t.Context(), []string{other}, func(library.Progress) { calls++ })
	must(t, err)
	if len(skipped) != 1 || skipped[0].Reason == "" || calls == 0 {
		t.Errorf("skipped %v, %d calls", skipped, calls)
	}
	wantNames(t, h.findsIn("number7", scope), "x7.txt")
	wantNames(t, h.finds("common"), "mine.txt")
	if len(h.files()) != 1 {
		t.Errorf("listed: %v", h.states())
	}
	read := h.reader.files.Load()
	_, _, err = h.Attach(t.Context(), []string{other}, nil)
	must(t, err)
	if h.reader.files.Load() != read {
		t.Error("unchanged files were read again")
	}
	must(t, os.Remove(other+"/x7.txt"))
	scope, _, err = h.Attach(t.Context(), []string{other}, nil)
	must(t, err)
	wantNames(t, h.findsIn("number7", scope))
}

func TestKeystrokesFindByBeginningsAndMarkTheWords(t *testing.T) {
	h := newHouse(t).open()
	h.write("History.txt", strings.Repeat("Nothing of note happened here. ", 20)+"The Ünion bridge was opened in March. "+strings.Repeat("More of nothing. ", 20))
	h.addAll()
	m, err := h.SearchWords(t.Context(), "bridge open", 5)
	must(t, err)
	if len(m.Items) == 0 {
		t.Fatal("nothing found")
	}
	item := m.Items[0]
	var marked []string
	for _, mark := range item.Marks {
		marked = append(marked, string([]rune(item.Snippet)[mark[0]:mark[1]]))
	}
	if !slices.Equal(marked, []string{"bridge", "opened"}) || len([]rune(item.Snippet)) > 200 || item.Title != "History.txt" {
		t.Errorf("marked %q in %q", marked, item.Snippet)
	}
}

func TestTheNewestFileOfASeriesComesFirst(t *testing.T) {
	h := newHouse(t).open()
	for i, q := range []string{"Q1", "Q2", "Q3"} {
		path := h.write("report "+q+" 2024.txt", "revenue of the company in the quarter "+strings.Repeat("x", i))
		must(t, os.Chtimes(path, time.Now(), time.Unix(1_700_000_000+int64(i)*1_000_000, 0)))
	}
	h.addAll()
	for query, want := range map[string]string{"what was the revenue in Q2": "report Q2 2024.txt", "what was the latest revenue": "report Q3 2024.txt"} {
		found, err := h.Search(t.Context(), query, contract.Scope{}, 3)
		must(t, err)
		if len(found) == 0 || found[0].Source.Title != want || found[0].Score.Boost == 0 {
			t.Errorf("%q: %+v", query, found)
		}
	}
}

func TestProgressIsToldAndCountsUp(t *testing.T) {
	h := newHouse(t).open()
	for i := range 40 {
		h.write(fmt.Sprintf("f%d.txt", i), fmt.Sprintf("word%d", i))
	}
	h.addAll()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	kinds, whole := map[string]int{}, false
	for e := range h.Events(ctx, 0) {
		kinds[e.Body.Kind()]++
		p, ok := e.Body.(library.Progress)
		whole = whole || ok && p.FilesDone == 40 && p.FilesTotal == 40
		if whole && kinds["ready"] == 40 {
			break
		}
	}
	if ctx.Err() != nil {
		t.Errorf("no last progress; %v", kinds)
	}
	for _, kind := range []string{"seen", "queued", "extracting", "searchable", "ready"} {
		if kinds[kind] != 40 {
			t.Errorf("%d %s events, want 40", kinds[kind], kind)
		}
	}
}

func TestSearchAnswersWhileFilesAreTakenIn(t *testing.T) {
	h := newHouse(t)
	h.reader.slow = 5 * time.Millisecond
	h.open()
	h.write("0first.txt", "early bird")
	h.addAll()
	for i := range 200 {
		h.write(fmt.Sprintf("f%d.txt", i), fmt.Sprintf("word%d", i))
	}
	must(t, h.Rescan(t.Context()))
	for range 20 {
		began := time.Now()
		wantNames(t, h.finds("early"), "0first.txt")
		if took := time.Since(began); took > 20*time.Second {
			t.Errorf("a search took %v", took)
		}
	}
	h.wait()
}
