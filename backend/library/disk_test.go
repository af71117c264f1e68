//go:build unix

package library_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"footnote/backend/fault"
	"footnote/backend/library"
)

func TestOddNamesAreListedFoundAndRemoved(t *testing.T) {
	h := newHouse(t).open()
	names := []string{
		"line\nbreak.txt", "tab\there.txt", "quo'te\"s.txt", "invoice\u202etxt.exe.md", "🔥👨‍👩‍👧.txt", "caf\u00e9.txt", "cafe\u0301.txt",
		"-rf.txt", "$(touch pwned).txt", "%2e%2e%2fx.txt", "CON.txt", "a:b.txt", "trailing dot. .txt", " .txt", strings.Repeat("l", 251) + ".txt",
		`a\..\b.txt`, "a#b?c=d&e.txt", "Case.txt", "case.txt", "報告書 2024（最終）.txt", "README", "...txt", "bad\xff\xfename.txt",
	}
	words := map[string]string{}
	for i, name := range names {
		words[name] = "zqname" + string(rune('a'+i)) + "x"
		h.write(name, words[name])
	}
	states := h.addAll()
	if len(states) != len(names) {
		t.Errorf("%d listed, want %d", len(states), len(names))
	}
	for _, name := range names {
		if states[name] != library.Ready {
			t.Errorf("%q is %q", name, states[name])
		}
		wantNames(t, h.finds(words[name]), name)
		must(t, h.Remove(t.Context(), h.docs+"/"+name))
		wantNames(t, h.finds(words[name]))
	}
}

func TestNothingOutsideAFolderIsRead(t *testing.T) {
	h := newHouse(t).open()
	outside := t.TempDir()
	must(t, os.WriteFile(outside+"/secret.txt", []byte("outsidesecret"), 0o644))
	h.write("leaf.txt", "inside")
	for from, to := range map[string]string{"escape.txt": outside + "/secret.txt", "escape_dir": outside, "up": "..", "loop": "loop", "zero.txt": "/dev/zero", "broken.txt": "nowhere"} {
		must(t, os.Symlink(to, h.docs+"/"+from))
	}
	must(t, syscall.Mkfifo(h.docs+"/pipe.txt", 0o644))
	states := h.addAll()
	if len(states) != 1 || states["leaf.txt"] != library.Ready {
		t.Errorf("got %v", states)
	}
	wantNames(t, h.finds("outsidesecret"))
}

func TestAFileSwappedForALinkIsNotFollowed(t *testing.T) {
	h := newHouse(t)
	h.reader.gate = make(chan struct{}, 1)
	h.open()
	outside := t.TempDir() + "/secret.txt"
	must(t, os.WriteFile(outside, []byte("outsidesecret"), 0o644))
	path := h.write("a.txt", "inside")
	_, err := h.Add(t.Context(), []string{h.docs}, false)
	must(t, err)
	h.eventually("it is being read", func() bool { return h.reader.files.Load() == 1 }) // digest taken, text not yet
	must(t, os.Remove(path))
	must(t, os.Symlink(outside, path))
	close(h.reader.gate)
	h.wait()
	wantNames(t, h.finds("outsidesecret"))
}

func TestKeysAndToolFoldersAreLeftOut(t *testing.T) {
	h := newHouse(t).open()
	for _, name := range []string{".env", ".ENV", ".env.local", "id_ed25519", "server.pem", "tls.KEY", ".git/config", "node_modules/x/readme.md", ".ssh/config", ".mozilla/firefox/prefs.js", ".config/google-chrome/Default/x.txt", "vault.kdbx"} {
		h.write(name, "forbidden word")
	}
	h.write("ok.txt", "allowed word")
	result, err := h.Add(t.Context(), []string{h.docs}, false)
	must(t, err)
	if states := h.wait(); len(states) != 1 {
		t.Errorf("got %v", states)
	}
	wantNames(t, h.finds("forbidden"))
	if len(result.Skipped) != 12 {
		t.Errorf("%d skipped: %v", len(result.Skipped), result.Skipped)
	}
}

func TestRefusedPathsSayWhy(t *testing.T) {
	h := newHouse(t).open()
	ok := h.write("ok.txt", "fine")
	key := h.write("id_rsa", "key")
	must(t, syscall.Mkfifo(h.docs+"/pipe", 0o644))
	bad := []string{"relative.txt", h.docs + "/missing.txt", key, h.docs + "/pipe", h.data, ""}
	for _, path := range bad {
		_, err := h.Add(t.Context(), []string{path}, false)
		if fault.CodeOf(err) != fault.PathNotAllowed {
			t.Errorf("%q: %v", path, err)
		}
	}
	result, err := h.Add(t.Context(), append(bad, ok), false)
	must(t, err)
	if len(result.Skipped) != len(bad) || len(result.Paths) != 1 {
		t.Errorf("got %+v", result)
	}
}

func TestUnreadableFoldersKeepWhatTheyHeldAndTheRestGoesOn(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("the superuser reads everything")
	}
	h := newHouse(t).open()
	h.write("shut/a.txt", "behind the door")
	h.write("open/b.txt", "in the open")
	h.addAll()
	must(t, os.Chmod(h.docs+"/shut", 0))
	t.Cleanup(func() { _ = os.Chmod(h.docs+"/shut", 0o755) })
	h.write("open/c.txt", "newly there")
	result, err := h.Add(t.Context(), []string{h.docs}, false)
	must(t, err)
	h.wait()
	if len(result.Skipped) != 1 {
		t.Errorf("skipped %v", result.Skipped)
	}
	wantNames(t, h.finds("door"), "a.txt")
	wantNames(t, h.finds("newly"), "c.txt")
}

func TestAnUnreachableRootKeepsItsEntries(t *testing.T) {
	h := newHouse(t).open()
	h.docs += "/drive"
	h.write("a.txt", "on the drive")
	h.addAll()
	must(t, os.Rename(h.docs, h.docs+".away"))
	must(t, h.Rescan(t.Context()))
	if states := h.states(); states["a.txt"] != library.NotReachable {
		t.Errorf("got %v", states)
	}
	wantNames(t, h.finds("drive"), "a.txt")
	must(t, os.Rename(h.docs+".away", h.docs))
	must(t, h.Rescan(t.Context()))
	if states := h.wait(); states["a.txt"] != library.Ready {
		t.Errorf("got %v", states)
	}
	if h.reader.files.Load() != 1 || h.embedder.texts.Load() > 2 {
		t.Errorf("read %d, embedded %d", h.reader.files.Load(), h.embedder.texts.Load())
	}
}

func TestDeepFoldersAreWalked(t *testing.T) {
	h := newHouse(t).open()
	h.write(strings.Repeat("deep/", 200)+"leaf.txt", "at the bottom")
	h.addAll()
	wantNames(t, h.finds("bottom"), "leaf.txt")
}

func TestAHugeFileIsRefusedBySize(t *testing.T) {
	h := newHouse(t).open()
	path := h.write("sparse.txt", "")
	must(t, os.Truncate(path, 3<<30))
	began := time.Now()
	if states := h.addAll(); states["sparse.txt"] != library.Failed || time.Since(began) > 20*time.Second {
		t.Errorf("got %v after %v", states, time.Since(began))
	}
}

func TestTheWatcherFollowsEveryKindOfChange(t *testing.T) {
	h := newHouse(t)
	h.watch = true
	h.open()
	h.write("a.txt", "first words")
	h.write("sub/b.txt", "second words")
	h.addAll()
	found := func(word string, names ...string) {
		t.Helper()
		h.eventually(word+" in "+strings.Join(names, ","), func() bool { return slices.Equal(h.finds(word), append([]string{}, names...)) })
	}
	h.write("new.txt", "third")
	found("third", "new.txt")
	h.write("made/later/deep.txt", "fourth")
	found("fourth", "deep.txt")
	h.write("made/later/deeper.txt", "fifth")
	found("fifth", "deeper.txt")
	h.write("a.txt", "changed")
	found("changed", "a.txt")
	found("first")
	must(t, os.WriteFile(h.docs+"/a.tmp~", []byte("replaced"), 0o644))
	must(t, os.Rename(h.docs+"/a.tmp~", h.docs+"/a.txt"))
	found("replaced", "a.txt")
	must(t, os.Rename(h.docs+"/sub", h.docs+"/moved"))
	h.eventually("the move is seen", func() bool { return h.states()["moved/b.txt"] == library.Ready })
	must(t, os.RemoveAll(h.docs+"/made"))
	found("fourth")
	info, err := os.Stat(h.docs + "/new.txt")
	must(t, err)
	h.write("new.txt", "sixth") // the same size and, put back, the same time
	must(t, os.Chtimes(h.docs+"/new.txt", info.ModTime(), info.ModTime()))
	found("sixth", "new.txt")
	must(t, os.Remove(h.docs+"/new.txt"))
	must(t, os.Mkdir(h.docs+"/new.txt", 0o755))
	h.write("new.txt/inner.txt", "seventh")
	found("seventh", "inner.txt")
	found("sixth")
}

func TestEventsEndWithTheirContextAndWithClose(t *testing.T) {
	h := newHouse(t).open()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan int, 2)
	listen := func(ctx context.Context) {
		n := 0
		for range h.Events(ctx, 0) {
			n++
		}
		ended <- n
	}
	go listen(ctx)
	go listen(t.Context())
	h.write("a.txt", "x")
	h.addAll()
	cancel()
	<-ended
	h.close()
	if n := <-ended; n == 0 {
		t.Error("no event came")
	}
}
