package extract

import (
	"context"
	"slices"
	"testing"

	"footnote/backend/extract/sandbox"
)

func TestATakenOverChildCannotEscape(t *testing.T) {
	if why := sandbox.Missing(); why != "" {
		t.Skip(why)
	}
	trial, end, err := newTrial()
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	if gaps := sandbox.Try(trial); trial.Program != "" && !slices.Equal(gaps, []string{sandbox.Files, sandbox.Network, sandbox.Programs}) {
		t.Fatalf("outside of a sandbox one can only %v", gaps)
	}
	pool := testPool(t, "serve", 1, DefaultLimits())
	gaps, _, err := pool.Gaps(t.Context())
	if err != nil || len(gaps) > 0 {
		t.Errorf("%v, the child can %v", err, gaps)
	}
	// … and reads what it is given.
	if _, err := pool.Extract(context.Background(), writeFile(t, "a.txt", "words")); err != nil {
		t.Error(err)
	}
}

// TestAChildWithoutASandboxIsFoundOut is a system that has none: the child reads
// files, and says what it could do besides.
func TestAChildWithoutASandboxIsFoundOut(t *testing.T) {
	pool := testPool(t, "unconfined", 1, DefaultLimits())
	gaps, _, err := pool.Gaps(t.Context())
	if err != nil || !slices.Contains(gaps, sandbox.Files) || !slices.Contains(gaps, sandbox.Network) {
		t.Errorf("%v, found out only %v", err, gaps)
	}
}

func TestAChildIsTriedHoweverLittleTimeFilesHave(t *testing.T) {
	limits := DefaultLimits()
	limits.Time = 1 // no child starts so fast
	pool := testPool(t, "serve", 1, limits)
	if _, _, err := pool.Gaps(t.Context()); err != nil {
		t.Error(err)
	}
}
