package mojeek

import (
	"errors"
	"runtime"
	"strings"
	"testing"

	"footnote/backend/web"
)

// TestAPageOfNothingButTagsCostsLittle has a page of five megabytes whose tree took
// hundreds.
func TestAPageOfNothingButTagsCostsLittle(t *testing.T) {
	body := []byte(strings.Repeat("<p>a", 1_200_000) + "</html>")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := read(body)
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, web.ErrShape) || made > 150<<20 {
		t.Errorf("%v, %d MB were made", err, made>>20)
	}
}
