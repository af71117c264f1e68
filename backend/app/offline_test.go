package app

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/command"
	"footnote/backend/fault"
)

const shutIn = "FOOTNOTE_TEST_SHUT_IN" // set in the child that has no network

// TestEverythingLocalWorksWithoutANetwork runs itself once more in a network
// namespace that has no route and no loopback.
func TestEverythingLocalWorksWithoutANetwork(t *testing.T) {
	if os.Getenv(shutIn) != "" {
		workOffline(t)
		return
	}
	if runtime.GOOS != "linux" || exec.Command("unshare", "-rn", "true").Run() != nil {
		t.Skip("network namespaces cannot be made here")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, "unshare", "-rn", os.Args[0], "-test.run=^TestEverythingLocalWorksWithoutANetwork$", "-test.v")
	child.Env = append(os.Environ(), shutIn+"=1")
	out, err := child.CombinedOutput()
	if err != nil || strings.Contains(string(out), "--- SKIP") {
		t.Fatalf("%v\n%s", err, out)
	}
}

// workOffline does what needs no network: reading, searching, counting, asking,
// following up, showing sources, exporting, deleting.
func workOffline(t *testing.T) {
	folder := t.TempDir()
	text := "The bridge over the Lorne was opened on 3 May 1932. The bridge over the Lorne cost 4.2 million pounds.\n"
	if err := os.WriteFile(filepath.Join(folder, "bridge.md"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	v := running(t, "library.watch=false")
	added, err := v.Library.Add(t.Context(), api.AddRequest{Paths: []string{folder}})
	if err != nil || len(added.Added) != 1 {
		t.Fatalf("add: %+v %v", added, err)
	}
	awaitFile(t, v.Library)
	if found, err := v.Library.Search(t.Context(), api.SearchQuery{Q: "Lorne bridge", Limit: 5}); err != nil || len(found.Items) == 0 {
		t.Errorf("search: %+v %v", found, err)
	}
	if counted, err := v.Library.Count(t.Context(), api.CountQuery{Q: "Lorne", By: "file"}); err != nil || counted.Total != 1 {
		t.Errorf("count: %+v %v", counted, err)
	}
	first := askOffline(t, v.Runs, "When was the bridge over the Lorne opened?", "", true)
	again := askOffline(t, v.Runs, "What did the bridge over the Lorne cost?", first.Thread, true)
	withWeb := askOffline(t, v.Runs, "When was the Lorne bridge opened?", "", false) // the web is wanted, and away
	for text, run := range map[string]api.RunView{"1932": first, "4.2": again, "3 May": withWeb} {
		if run.Answer == nil || !strings.Contains(run.Answer.Answer, text) || len(run.Answer.Citations) == 0 {
			t.Fatalf("no proof of %s: %+v", text, run.Answer)
		}
	}
	for _, e := range first.Answer.Ledger { // models of this computer were looked for, in vain
		if e.BytesOut+e.BytesIn != 0 || !strings.HasPrefix(e.Host, "127.0.0.1:") {
			t.Errorf("asked offline, and yet %+v", e)
		}
	}
	cite := first.Answer.Citations[0]
	if source, err := v.Sources.Text(t.Context(), api.TextAt{ID: string(cite.Source), Passage: string(cite.Passage)}); err != nil || !strings.Contains(source.Text, "1932") {
		t.Errorf("source: %+v %v", source, err)
	}
	thread := string(first.Thread)
	for _, format := range []string{"md", "json"} {
		if file, err := v.Exports.Write(t.Context(), api.ExportThread{ID: thread, Format: format}); err != nil || len(file.Body) == 0 {
			t.Errorf("export %s: %v", format, err)
		}
	}
	if trace, err := v.Runs.Trace(t.Context(), api.ID{ID: string(first.ID)}); err != nil || trace.Ranking == nil {
		t.Errorf("trace: %v", err)
	}
	if health, err := v.Settings.Health(t.Context(), api.None{}); err != nil || health.Status == "" {
		t.Errorf("health: %v", err)
	}
	if _, err := v.Models.List(t.Context(), api.None{}); err != nil {
		t.Errorf("models: %v", err)
	}
	if page, err := v.Threads.List(t.Context(), api.ThreadsQuery{Q: "Lorne"}); err != nil || len(page.Items) != 2 {
		t.Errorf("threads: %+v %v", page.Items, err)
	}
	if _, err := v.Threads.Delete(t.Context(), api.DeleteThread{ID: thread, Erase: true}); err != nil {
		t.Errorf("delete: %v", err)
	}
	if _, err := v.Threads.Get(t.Context(), api.ID{ID: thread}); fault.CodeOf(err) != fault.NotFound {
		t.Errorf("deleted, and yet %v", err)
	}
}

// running is a program with a data folder of its own, until the test ends.
func running(t *testing.T, settings ...string) *api.Services {
	t.Helper()
	house, err := Program{}.openHouse(t.Context(), command.Flags{Data: t.TempDir(), Set: settings})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		if err := house.Close(ctx); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	if err := house.Library.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	return program.services(house)
}

func awaitFile(t *testing.T, v api.Library) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		files, err := v.Files(t.Context(), api.FilesQuery{})
		if err != nil {
			t.Fatal(err)
		}
		if len(files.Items) == 1 && files.Items[0].Status == api.FileReady {
			if found, err := v.Search(t.Context(), api.SearchQuery{Q: "Lorne", Limit: 1}); err == nil && len(found.Items) == 1 {
				return
			}
		}
	}
	t.Fatal("the file is not read")
}

func askOffline(t *testing.T, v api.Runs, text string, thread contract.ThreadID, offline bool) api.RunView {
	t.Helper()
	q := v.Engine.Defaults()
	q.Text, q.Thread, q.Offline = text, thread, offline
	asked, err := v.Ask(t.Context(), api.Question{Body: q})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := v.Engine.Wait(ctx, asked.Run); err != nil {
		t.Fatal(err)
	}
	run, err := v.Get(t.Context(), api.ID{ID: string(asked.Run)})
	if err != nil {
		t.Fatal(err)
	}
	return run
}
