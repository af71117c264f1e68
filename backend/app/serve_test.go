package app

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/command"
	"footnote/backend/housetest"
	"footnote/backend/store"
)

// typed is the whole program for one command line, but for the process.
func typed(data string, out, errs *housetest.Output, args ...string) *command.Env {
	return &command.Env{
		Args: append([]string{"--data", data, "--set", "models.chat=none", "--set", "web.enabled=false"}, args...), Stdin: strings.NewReader(""),
		Stdout: out, Stderr: errs, Dir: data,
	}
}

var (
	listening = regexp.MustCompile(`(?m)^listening (127\.0\.0\.1:\d+)$`)
	launch    = regexp.MustCompile(`Open (http://127\.0\.0\.1:\d+/launch\?code=[\w-]{43})\n`)
)

func TestServeSaysWhereItIsAndEndsOnASignal(t *testing.T) {
	data := t.TempDir()
	var out, errs housetest.Output
	ctx, signal := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() { ended <- program.Run(ctx, typed(data, &out, &errs, "serve", "--addr", "127.0.0.1:0")) }()
	for range 1000 {
		if listening.MatchString(out.String()) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	address := launch.FindStringSubmatch(errs.String())
	if address == nil || !listening.MatchString(out.String()) || strings.Contains(errs.String(), "warning") {
		t.Fatalf("%s%s", out.String(), errs.String())
	}
	in, err := (&http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}).Get(address[1])
	if err != nil || in.StatusCode != http.StatusSeeOther {
		t.Fatalf("%v %v", in, err)
	}
	if err := in.Body.Close(); err != nil {
		t.Error(err)
	}
	secret, err := os.ReadFile(filepath.Join(data, "token"))
	if err != nil {
		t.Fatal(err)
	}
	m := &mouths{base: "http://" + listening.FindStringSubmatch(out.String())[1]}
	req, err := http.NewRequestWithContext(t.Context(), "GET", m.base+"/api/health", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(secret)))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	var health api.HealthView
	if err := json.NewDecoder(resp.Body).Decode(&health); err != nil || health.Version != program.Version {
		t.Errorf("%v %+v", err, health)
	}
	if err := resp.Body.Close(); err != nil {
		t.Error(err)
	}

	var said, complaint housetest.Output
	if code := program.Run(t.Context(), typed(data, &said, &complaint, "doctor")); code != 0 && !onlyDiskSpace(code, said.String()) || !strings.Contains(said.String(), "ok       library") {
		t.Errorf("a command beside it: %d %s%s", code, said.String(), complaint.String())
	}
	began := time.Now()
	signal()
	if code := <-ended; code != 0 || time.Since(began) > 30*time.Second {
		t.Errorf("%d after %v: %s", code, time.Since(began), errs.String())
	}
}

// fakeBrowser stands for the program that opens a browser; it tells what it was given.
func fakeBrowser(t *testing.T) (told string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the system's program is replaced by a script")
	}
	bin := t.TempDir()
	told = filepath.Join(bin, "told")
	script := "#!/bin/sh\nprintf '%s\\n' \"$*\" >'" + told + ".new'\nmv '" + told + ".new' '" + told + "'\n"
	if err := os.WriteFile(filepath.Join(bin, "xdg-open"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return told
}

func TestTheCodeThatLetsInStandsInNoCommandLine(t *testing.T) {
	told, data := fakeBrowser(t), t.TempDir()
	var out, errs housetest.Output
	ctx, signal := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() {
		ended <- program.Run(ctx, typed(data, &out, &errs, "serve", "--open", "--addr", "127.0.0.1:0"))
	}()
	var words []byte
	for range 1000 {
		if kept, err := os.ReadFile(told); err == nil {
			words = kept
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	path := strings.TrimSpace(string(words))
	address := launch.FindStringSubmatch(errs.String())
	if address == nil || path != filepath.Join(data, "open.html") {
		t.Errorf("the browser is opened by %q: %s", path, errs.String())
	}
	page, err := os.ReadFile(path)
	if err != nil || len(address) != 2 || !strings.Contains(string(page), address[1]) {
		t.Errorf("the file has %q (%v)", page, err)
	}
	signal()
	if code := <-ended; code != 0 {
		t.Errorf("%d: %s", code, errs.String())
	}
	if _, err := os.Stat(filepath.Join(data, "open.html")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is left behind: %v", err)
	}
}

func TestServeRefusesWhatItCannotDo(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct {
		name, token string
		args        []string
		code        int
		says        string
	}{
		{"a short token", "fifteen-letters", []string{"--addr", "127.0.0.1:0"}, 2, "fewer than 16"},
		{"an address of others", "", []string{"--addr", "0.0.0.0:0"}, 2, "--allow-remote"},
		{"no address", "", []string{"--addr", "here"}, 2, "not an address"},
		{"an address that is taken", "", []string{"--addr", taken.Addr().String()}, 6, "choose another with --addr"},
		{"words", "", []string{"now"}, 2, "error: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv("FOOTNOTE_TOKEN", c.token)
			var out, errs housetest.Output
			if code := program.Run(t.Context(), typed(t.TempDir(), &out, &errs, append([]string{"serve"}, c.args...)...)); code != c.code || !strings.Contains(errs.String(), c.says) || out.String() != "" {
				t.Errorf("%d %s%s", code, out.String(), errs.String())
			}
		})
	}
}

func TestAThreadIsExportedFromTheCommandLine(t *testing.T) {
	data := t.TempDir()
	run := func(args ...string) (int, string) {
		var out, errs housetest.Output
		code := program.Run(t.Context(), typed(data, &out, &errs, args...))
		return code, out.String() + errs.String()
	}
	if code, said := run("ask", "Hello!"); code != 0 {
		t.Fatalf("%d %s", code, said)
	}
	_, threads := run("threads")
	id, _, _ := strings.Cut(threads, " ")
	if code, said := run("export", id); code != 0 || !strings.HasPrefix(said, "# Hello!\n\nHello! Ask a question") {
		t.Errorf("%d %s", code, said)
	}
	if code, said := run("export", id, "--format", "exe"); code != 2 || !strings.Contains(said, "not exported as") {
		t.Errorf("%d %s", code, said)
	}
	if code, said := run("export", "thr_none"); code != 2 {
		t.Errorf("%d %s", code, said)
	}
}

// TestADeletedConversationTakesItsTextsAlong: a file that the library has forgotten
// is kept for the answer that cites it, and goes with that.
func TestADeletedConversationTakesItsTextsAlong(t *testing.T) {
	data, file := t.TempDir(), filepath.Join(t.TempDir(), "bridge.txt")
	if err := os.WriteFile(file, []byte("The bridge over the Lorne was opened in 1903."), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) string {
		t.Helper()
		var out, errs housetest.Output
		if code := program.Run(t.Context(), typed(data, &out, &errs, args...)); code != 0 {
			t.Fatalf("%v: %d %s%s", args, code, out.String(), errs.String())
		}
		return out.String()
	}
	var told contract.Answer
	said := run("ask", "--json", "--offline", "--files", file, "When was the bridge over the Lorne opened?")
	if err := json.Unmarshal([]byte(said), &told); err != nil || len(told.Sources) != 1 {
		t.Fatalf("%v %s", err, said)
	}
	run("library", "remove", file)
	for _, left := range []bool{true, false} {
		db, err := store.Open(t.Context(), data, slog.New(slog.DiscardHandler), time.Now)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := db.Source(t.Context(), told.Sources[0].ID); (err == nil) != left {
			t.Errorf("its text is there: %v, want %v: %v", err == nil, left, err)
		}
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		if left {
			id, _, _ := strings.Cut(run("threads"), " ")
			run("threads", "remove", id)
		}
	}
}

func TestWithoutAWindowThereIsHelp(t *testing.T) {
	if command.Desktop {
		t.Skip("this program has a window")
	}
	var out, errs housetest.Output
	if code := program.Run(t.Context(), typed(t.TempDir(), &out, &errs)); code != 0 || !strings.Contains(out.String(), "Usage:") {
		t.Errorf("%d %s%s", code, out.String(), errs.String())
	}
}

func TestADataFolderThatTakesNoFileIsNamed(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "logs"), nil, 0o600); err != nil { // as root, no mode keeps a test out
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	code := program.Run(t.Context(), &command.Env{Args: []string{"threads", "--data", dir}, Stdout: &out, Stderr: &errs, Dir: dir})
	if code != 6 || !strings.Contains(errs.String(), dir) || strings.Contains(errs.String(), "internal error") {
		t.Errorf("it ends with %d: %s", code, &errs)
	}
}

func TestADataFolderThatTakesNoFileCanBeRead(t *testing.T) {
	t.Setenv("FOOTNOTE_TOKEN", "a-token-for-tests-only")
	data, docs := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(docs, "lamp.md"), []byte("# Lamp\n\nThe lamp of Arden has 34 panes.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (int, string, string) {
		var out, errs housetest.Output
		code := program.Run(t.Context(), typed(data, &out, &errs, args...))
		return code, out.String(), errs.String()
	}
	if code, _, errs := run("library", "add", "--wait", docs); code != 0 {
		t.Fatal(errs)
	}
	if code, _, errs := run("ask", "How many panes has the lamp of Arden?"); code != 0 {
		t.Fatal(errs)
	}
	// As root no mode keeps a test out: a folder in the place of a file does.
	for _, name := range []string{"footnote.open", "token"} {
		if err := os.MkdirAll(filepath.Join(data, name, "in the way"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	code, threads, errs := run("threads")
	thread, _, _ := strings.Cut(threads, " ")
	if code != 0 || !strings.HasPrefix(thread, "thr_") {
		t.Fatalf("threads: %d %s", code, errs)
	}
	for want, args := range map[string][]string{
		"34 panes.": {"export", thread}, "lamp.md": {"library", "list"}, "of Arden": {"library", "search", "panes"},
	} {
		if code, out, errs := run(args...); code != 0 || !strings.Contains(out, want) {
			t.Errorf("%v: %d %s%s", args, code, out, errs)
		}
	}
	if code, _, errs := run("ask", "How many panes has the lamp of Arden?"); code != 6 || !strings.Contains(errs, "data folder") {
		t.Errorf("asking: %d %s", code, errs)
	}

	var out, complaint housetest.Output
	ctx, signal := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	go func() { ended <- program.Run(ctx, typed(data, &out, &complaint, "serve", "--addr", "127.0.0.1:0")) }()
	for range 1000 {
		if listening.MatchString(out.String()) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	at := listening.FindStringSubmatch(out.String())
	if at == nil {
		t.Fatal(complaint.String())
	}
	var health api.HealthView
	getJSON(t, "http://"+at[1]+"/api/health", &health)
	if health.Status != "disk-full" || health.Disk["writable"] != false || health.Disk["message"] == nil {
		t.Errorf("%+v", health)
	}
	signal()
	if code := <-ended; code != 0 {
		t.Errorf("%d: %s", code, complaint.String())
	}
}

func getJSON(t *testing.T, address string, into any) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", address, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+os.Getenv("FOOTNOTE_TOKEN"))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
		t.Fatal(err)
	}
}
