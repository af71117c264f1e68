package app

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"footnote/backend/housetest"
)

// TestACommandThatMeetsDamageIsRunOnTheMendedDatabase damages one page after another of
// a database that was closed cleanly, so that no start looks through it.
func TestACommandThatMeetsDamageIsRunOnTheMendedDatabase(t *testing.T) {
	origin := t.TempDir()
	run := func(data string, args ...string) (code int, said string) {
		var out, errs housetest.Output
		code = program.Run(t.Context(), typed(data, &out, &errs, args...))
		return code, out.String() + errs.String()
	}
	if code, said := run(origin, "ask", "Hello!"); code != 0 {
		t.Fatalf("%d %s", code, said)
	}
	const page = 8192
	random := rand.New(rand.NewPCG(1, 2))
	noise := make([]byte, page)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	mended := 0
	for n := int64(2); n < 14; n++ {
		data := t.TempDir()
		if err := os.CopyFS(data, os.DirFS(origin)); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(filepath.Join(data, "footnote.db"), os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt(noise, n*page); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		code, said := run(data, "threads")
		if code != 0 {
			t.Errorf("page %d: %d %s", n, code, said)
		}
		if kept, err := filepath.Glob(filepath.Join(data, "backups", "damaged-*")); err == nil && len(kept) > 0 {
			mended++
		}
	}
	if mended == 0 {
		t.Error("no damaged page was met")
	}
}
