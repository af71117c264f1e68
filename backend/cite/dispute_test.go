package cite

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

type planted struct{ Claim, Passage, Kind string }

func plantedDisputes(t *testing.T) (all []planted) {
	t.Helper()
	f, err := os.Open("testdata/disputes.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var x planted
		if err := json.Unmarshal(s.Bytes(), &x); err != nil {
			t.Fatal(err)
		}
		all = append(all, x)
	}
	return all
}

func TestPlantedDisputesAreFoundAndNoOthers(t *testing.T) {
	c := testChecker(t)
	planted, found := 0, 0
	for _, x := range plantedDisputes(t) {
		p := c.Read(x.Passage)
		d, ok := c.Dispute(x.Claim, p)
		switch {
		case x.Kind == "" && ok:
			t.Errorf("false alarm: %q against %q: %s %q, %q", x.Claim, x.Passage, d.Kind, d.Claim, d.Passage)
		case x.Kind != "":
			planted++
			if !ok || d.Kind != x.Kind {
				t.Logf("missed: %q against %q: %s %q, %q", x.Claim, x.Passage, d.Kind, d.Claim, d.Passage)
				continue
			}
			found++
			if !strings.Contains(x.Claim, d.Claim) || !strings.Contains(x.Passage[d.Span.Start:d.Span.End], d.Passage) {
				t.Errorf("the sides %q and %q do not stand in %q and %q", d.Claim, d.Passage, x.Claim, x.Passage)
			}
			t.Logf("%s: %q, %q", d.Kind, d.Claim, d.Passage)
		}
	}
	t.Logf("%d of %d planted disputes found", found, planted)
	if float64(found) < 0.9*float64(planted) {
		t.Errorf("%d of %d planted disputes found, want nine of ten", found, planted)
	}
}

// TestDisputesInPublishedPairs plants other numbers into supported claims, and
// holds the claims as they are against their own passages: those never dispute them.
func TestDisputesInPublishedPairs(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	c := testChecker(t)
	sci, _ := scifact(t, c)
	var planted, found, agreeing, alarms int
	for _, set := range [][]labelled{attribution(t, c), begin(t, c, "wow"), sci} {
		for i, x := range set {
			if !x.supported {
				continue
			}
			agreeing++
			if d, ok := c.Dispute(x.claim, x.passage); ok {
				alarms++
				t.Logf("alarm: %q: %s %q, %q in %q", x.claim, d.Kind, d.Claim, d.Passage, x.passage.text[d.Span.Start:d.Span.End])
			}
			if claim, passage, ok := otherNumber(c, x, set, i); ok && c.CheckRead(x.claim, x.question, x.passage).Verdict == Supported {
				planted++
				if _, ok := c.Dispute(claim, passage); ok {
					found++
				}
			}
		}
	}
	t.Logf("%d of %d planted numbers disputed; %d alarms in %d agreeing pairs", found, planted, alarms, agreeing)
	if alarms > agreeing/200 || 10*found < 3*planted {
		t.Errorf("want alarms in one of 200 at most, and three of ten numbers")
	}
}
