package library_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/library"
)

// TestNothingAcknowledgedIsLostByKill starts itself as a child that takes files
// in and tells each that is stored, kills it in the midst, and looks for all it
// was told of, on the shelf and in a search.
func TestNothingAcknowledgedIsLostByKill(t *testing.T) {
	if data := os.Getenv("LIBRARY_TEST_CHILD"); data != "" {
		addUntilKilled(t, data, os.Getenv("LIBRARY_TEST_DOCS"))
		return
	}
	docs, data := t.TempDir(), t.TempDir()
	corpus(t, docs, 800)
	told := map[string]string{}
	for round := range 5 {
		killWhileAdding(t, data, docs, time.Duration(20+60*round)*time.Millisecond, told)
		t.Run(fmt.Sprint("after kill ", round), func(t *testing.T) {
			began := time.Now()
			l := realHouse(t, data)
			if took := time.Since(began); took > time.Minute {
				t.Errorf("start took %v", took)
			}
			files, _, err := l.Files(t.Context(), library.FileQuery{States: []library.State{library.Ready}})
			must(t, err)
			there := map[string]bool{}
			for _, f := range files {
				there[f.ID] = f.Chunks > 0
			}
			for id := range told {
				if !there[id] {
					t.Errorf("%s was acknowledged and is gone", id)
				}
			}
			t.Logf("%d acknowledged, %d stored", len(told), len(files))
		})
	}
	l := realHouse(t, data)
	addTree(t, l, docs)
	for _, n := range []int{0, 399, 799} {
		found, err := l.Search(t.Context(), fmt.Sprintf("number%d", n), contract.Scope{}, 1)
		must(t, err)
		if len(found) != 1 || !strings.HasSuffix(found[0].Source.Address, fmt.Sprintf("doc%05d.txt", n)) {
			t.Errorf("number%d: %v", n, found)
		}
	}
}

func addUntilKilled(t *testing.T, data, docs string) {
	l := realHouse(t, data)
	added, err := l.Add(t.Context(), []string{docs}, false)
	must(t, err)
	must(t, l.Wait(t.Context(), added.Paths, func(f library.File) { fmt.Println("ACK", f.ID, f.Path) }))
	select {} // waits to be killed
}

func killWhileAdding(t *testing.T, data, docs string, after time.Duration, told map[string]string) {
	t.Helper()
	child := exec.Command(os.Args[0], "-test.run=^TestNothingAcknowledgedIsLostByKill$")
	child.Env = append(os.Environ(), "LIBRARY_TEST_CHILD="+data, "LIBRARY_TEST_DOCS="+docs)
	out, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	lines := bufio.NewScanner(out)
	var timer *time.Timer
	for lines.Scan() {
		if timer == nil {
			timer = time.AfterFunc(after, func() { _ = child.Process.Kill() })
		}
		if rest, ok := strings.CutPrefix(lines.Text(), "ACK "); ok {
			id, path, _ := strings.Cut(rest, " ")
			told[id] = path
		}
	}
	if child.Wait() == nil {
		t.Fatal("the child was not killed")
	}
}
