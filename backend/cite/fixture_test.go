package cite

import (
	"encoding/json"
	"math"
	"testing"

	"footnote/backend/embed"
	"footnote/backend/evidence"
)

type fixture struct {
	ID, Label, Claim, Context string
	Sentences                 []string
	Features                  map[string]float64
	Best                      int     `json:"best_sentence"`
	Score                     float64 `json:"score_words"`
	Verdict                   string  `json:"verdict_words"`

	EncoderFeatures map[string]float64 `json:"encoder_features"`
	EncoderScore    float64            `json:"score_encoder"`
	EncoderVerdict  string             `json:"verdict_encoder"`
}

func named(f features) map[string]float64 {
	return map[string]float64{"r1": f.r1, "r2": f.r2, "r3": f.r3, "rp": f.rp, "dens": f.dens, "urec": f.urec, "urec1": f.urec1,
		"bi": f.bi, "run": f.run, "verb": f.verb, "lcs": f.lcs, "num_ok": f.numOK, "num_conf": f.numConf,
		"neg_c": f.negC, "neg_b": f.negB, "neg_mis": f.negMis, "pol_flip": f.polFlip, "antn": f.antn, "dirc": f.dirc,
		"x_num": f.xNum, "x_nm": f.xNM, "x_neg": f.xNeg, "x_ant": f.xAnt, "x_dir": f.xDir,
		"hed_c": f.hedC, "fp": f.fp, "q": f.q, "nr": f.nr, "nrb": f.nrb, "ent_miss": f.entMiss, "ent_conf": f.entConf}
}

func (x *fixture) passage(c *Checker) *Passage {
	passage := &Passage{}
	for _, s := range x.Sentences {
		passage.spans = append(passage.spans, evidence.Span{Start: len(passage.text), End: len(passage.text) + len(s)})
		passage.text += s + "\n"
		passage.sentences = append(passage.sentences, c.read(normalise(s)))
	}
	return passage
}

// TestTheCheckerEqualsItsReference compares every feature, score and verdict with
// the values of the reference implementation.
func TestTheCheckerEqualsItsReference(t *testing.T) {
	var all []fixture
	if err := json.Unmarshal(shared(t, "checker/fixtures.json"), &all); err != nil {
		t.Fatal(err)
	}
	c := testChecker(t)
	for _, x := range all {
		passage := x.passage(c)
		p := c.pair(x.Claim, x.Context, passage.sentences)
		for name, v := range named(p.measure()) {
			if math.Abs(v-x.Features[name]) > 1e-3 {
				t.Errorf("%s: %s = %.5f, want %.5f", x.ID, name, v, x.Features[name])
			}
		}
		if p.best != x.Best {
			t.Errorf("%s: best sentence %d, want %d", x.ID, p.best, x.Best)
		}
		f := c.CheckRead(x.Claim, x.Context, passage)
		if math.Abs(f.Score-x.Score) > 0.005 || f.Verdict != x.Verdict {
			t.Errorf("%s: %s %.4f, want %s %.4f", x.ID, f.Verdict, f.Score, x.Verdict, x.Score)
		}
	}
}

// TestTheEncoderTableEqualsItsReference does the same for what the encoder, in 8
// bits, adds.
func TestTheEncoderTableEqualsItsReference(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	var all []fixture
	if err := json.Unmarshal(shared(t, "checker/fixtures.json"), &all); err != nil {
		t.Fatal(err)
	}
	c, e := testChecker(t), testEncoder(t)
	for _, x := range all {
		passage := x.passage(c)
		readings := readAll(t, e, c.Wants(x.Claim, passage))
		p := c.pair(x.Claim, x.Context, passage.sentences)
		f := p.measure()
		c.encoded(p, readings).measure(&f)
		for name, v := range map[string]float64{"c1": f.c1, "cw3": f.cw3, "a6p": f.a6p, "a6w2": f.a6w2, "a6lo": f.a6lo, "a6los": f.a6los, "a6pr": f.a6pr} {
			if math.Abs(v-x.EncoderFeatures[name]) > 0.04 {
				t.Errorf("%s: %s = %.4f, want %.4f", x.ID, name, v, x.EncoderFeatures[name])
			}
		}
		found := c.CheckEncoded(x.Claim, x.Context, passage, readings)
		if math.Abs(found.Score-x.EncoderScore) > 0.03 || found.Verdict != x.EncoderVerdict || found.Table != EncoderTable {
			t.Errorf("%s: %s %.4f by %s, want %s %.4f", x.ID, found.Verdict, found.Score, found.Table, x.EncoderVerdict, x.EncoderScore)
		}
	}
}

// testEncoder is the built-in encoder; the test is skipped where it cannot run.
func testEncoder(t testing.TB) *embed.Encoder {
	t.Helper()
	e, err := embed.NewEncoder()
	if err != nil {
		t.Skip(err)
	}
	return e
}

// readAll reads texts with the encoder.
func readAll(t testing.TB, e *embed.Encoder, texts []string) Readings {
	pieces := make([]embed.Piece, len(texts))
	for i, text := range texts {
		pieces[i] = e.Short(text)
	}
	read, err := e.Read(t.Context(), pieces)
	if err != nil {
		t.Error(err)
	}
	readings := Readings{}
	for i, r := range read {
		var words []Word
		for _, w := range e.Words(texts[i]) {
			words = append(words, Word(w))
		}
		readings[texts[i]] = Reading{Sum: r.Sum, Tokens: r.Tokens, Words: words}
	}
	return readings
}
