package cite

import (
	"context"
	"flag"
	"testing"

	"footnote/backend/embed"
)

var everyPair = flag.Bool("every", false, "hold the encoder's bars against every pair, which takes minutes")

// encoding reads for a test.
type encoding struct {
	*embed.Encoder
	t testing.TB
}

func (e encoding) Read(_ context.Context, texts []string) ([]Reading, bool) {
	known := readAll(e.t, e.Encoder, texts)
	out := make([]Reading, len(texts))
	for i, text := range texts {
		out[i] = known[text]
	}
	return out, true
}

// byEncoder judges with the encoder.
func byEncoder(t testing.TB, c *Checker) check {
	e := encoding{testEncoder(t), t}
	return func(claim, question string, passage *Passage) Finding {
		readings := Readings{}
		readings.Add(t.Context(), e, c.Wants(claim, passage))
		return c.CheckEncoded(claim, question, passage, readings)
	}
}

// step is how many pairs a test goes on by: without -every only a sample is
// judged, and of it only that nothing is off by far.
func step() int {
	if *everyPair {
		return 1
	}
	return 60
}

func TestTheEncoderTableReachesItsBars(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	c := testChecker(t)
	judge := byEncoder(t, c)
	sci, _ := scifact(t, c)
	var pooled []judged
	for _, set := range []struct {
		name  string
		pairs []labelled
		bar   float64
	}{
		{"attributionbench-dev", attribution(t, c), .755}, {"begin cmu", begin(t, c, "cmu"), .97},
		{"begin wow", begin(t, c, "wow"), .95}, {"scifact-train", sci, .80},
	} {
		var all []judged
		for i := 0; i < len(set.pairs); i += step() {
			x := set.pairs[i]
			all = append(all, judged{x, judge(x.claim, x.question, x.passage)})
			if f := all[len(all)-1].finding; x.supported && f.Verdict == Contradicted || f.Table != EncoderTable {
				t.Errorf("%s: %s by %s: %s", x.claim, f.Verdict, f.Table, f.Why)
			}
		}
		a := setAUROC(all)
		t.Logf("%-22s %5d pairs  auroc %.3f (bar %.3f)  macro F1 %.3f", set.name, len(all), a, set.bar, macroF1(all))
		if *everyPair && a < set.bar {
			t.Errorf("%s: auroc %.4f, want %.3f", set.name, a, set.bar)
		}
		pooled = append(pooled, all...)
	}
	if a := setAUROC(pooled); a < .7 {
		t.Errorf("auroc %.3f of %d pairs", a, len(pooled))
	}
}

func TestAlteredClaimsAreNotCalledSupportedByTheEncoder(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	c := testChecker(t)
	judge := byEncoder(t, c)
	sets := alteredSets(t, c)
	for _, kind := range alterations {
		of := sets
		if kind.first {
			of = sets[:1]
		}
		share, n := flagged(c, judge, of, kind.alter, step())
		t.Logf("%-30s %4d pairs  flagged %.3f (bar %.2f)", kind.name, n, share, kind.byEncoder)
		if bar := kind.byEncoder; n > 0 && share < bar/2 || *everyPair && share < bar {
			t.Errorf("%s: flagged %.3f, want %.2f", kind.name, share, bar)
		}
	}
}

// TestWithoutAReadingTheWordsJudge holds for a missing claim and for a missing
// sentence.
func TestWithoutAReadingTheWordsJudge(t *testing.T) {
	c := testChecker(t)
	e := testEncoder(t)
	p := c.Read("The bridge was opened in 1932. It cost four million pounds.")
	claim := "In 1932 the bridge was opened."
	texts := c.Wants(claim, p)
	if len(texts) != 3 {
		t.Fatalf("wants %q", texts)
	}
	for leave := range texts {
		readings := readAll(t, e, texts)
		delete(readings, texts[leave])
		if f := c.CheckEncoded(claim, "", p, readings); f.Table != WordTable || f.Verdict != Supported {
			t.Errorf("without %q: %s by %s", texts[leave], f.Verdict, f.Table)
		}
	}
	if f := c.CheckEncoded(claim, "", p, readAll(t, e, texts)); f.Table != EncoderTable || f.Verdict != Supported {
		t.Errorf("with all: %s by %s", f.Verdict, f.Table)
	}
}
