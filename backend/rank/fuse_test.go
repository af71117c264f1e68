package rank

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"footnote/backend/evidence"
)

func close9(a, b float64) bool { return math.Abs(a-b) < 1e-9 }

func TestFusionFormulas(t *testing.T) {
	if !close9(S1(1, 0.5), 0.8) || !close9(S2(1, 0.5), 0.675) {
		t.Error("a constant moved")
	}
}

func TestFuseHits(t *testing.T) {
	words := []Hit{{"a", 10}, {"b", 5}, {"d", 1}}
	vectors := []Hit{{"b", 0.9}, {"c", 0.8}, {"a", 0.2}}
	for _, c := range []struct {
		name   string
		gate   Gate
		fusion Fusion
		want   string
	}{
		{"weighted", English, Fusion{}, "a0.680 b0.660 c0.320 d0.140"},
		{"words only", WordsOnly, Fusion{}, "a1.000 b0.500 d0.100"},
		{"reciprocal", English, Fusion{Reciprocal: true}, "b0.033 a0.032 c0.016 d0.016"},
		{"boosted", Latin, Fusion{Boost: func(id evidence.PassageID) float64 { return map[evidence.PassageID]float64{"d": 0.9}[id] }}, "d1.040 a0.680 b0.660 c0.320"},
	} {
		got := ""
		for i, f := range FuseHits(c.gate, words, vectors, c.fusion) {
			if i > 0 {
				got += " "
			}
			got += fmt.Sprintf("%s%.3f", f.ID, f.Score)
		}
		if got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
	if len(FuseHits(English, nil, nil, Fusion{})) != 0 {
		t.Error("nothing fuses to something")
	}
}

func TestReorderPutsTheHeadInTheOrderOfTheEncoder(t *testing.T) {
	s1 := FuseHits(English, []Hit{{"a", 10}, {"b", 5}, {"c", 4}, {"d", 1}}, []Hit{{"d", 0.9}, {"c", 0.5}, {"b", 0.4}, {"a", 0.4}}, Fusion{})
	for _, c := range []struct {
		name    string
		cosines map[evidence.PassageID]float64
		want    string
	}{
		{"all", map[evidence.PassageID]float64{"a": 0.1, "b": 0.8, "c": 0.2, "d": 0.3}, "b0.695 a0.415 c0.270 d0.230"},
		{"what is known stays above the rest", map[evidence.PassageID]float64{"a": -0.5, "c": 0.1}, "c0.205 a0.025 b0.025 d0.025"},
		{"no vectors", nil, "a0.760 b0.460 c0.440 d0.420"},
	} {
		got := ""
		for _, f := range Reorder(s1, c.cosines) {
			got += fmt.Sprintf("%s%.3f ", f.ID, f.Score)
		}
		if strings.TrimSpace(got) != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
	if s1[0].Encoded || Reorder(nil, nil) != nil {
		t.Error("the list given was changed")
	}
}

func TestWhatIsNearStandsBesideTheBest(t *testing.T) {
	fused := []Fused{{ID: "a", Score: 4}, {ID: "b", Score: 3}, {ID: "c", Score: 2}, {ID: "d", Score: 1}}
	all, first := WithNear(fused, []Hit{{"b", 0.9}, {"x", 0.8}, {"d", 0.7}}, 2)
	ids := ""
	for _, f := range all {
		ids += string(f.ID)
	}
	if ids != "abxdc" || first != 4 || all[3].Score != 1 {
		t.Errorf("%s, %d first", ids, first)
	}
}

func TestTheWholeListGoesByTheEncoderWhenItsVectorsAreThere(t *testing.T) {
	got := FuseHits(WordsOnly, []Hit{{"a", 10}, {"b", 5}}, []Hit{{"b", 0.9}, {"c", 0.1}}, Fusion{Encoded: true})
	want := []Fused{{ID: "a", BM25: 10, Score: 0.35 + 0.65*0.1}, {ID: "b", BM25: 5, Cosine: 0.9, Vector: true, Encoded: true, Score: 0.175 + 0.65*0.9}, {ID: "c", Cosine: 0.1, Vector: true, Encoded: true, Score: 0.065}}
	slices.SortFunc(want, byScore)
	for i := range want {
		if got[i].ID != want[i].ID || !close9(got[i].Score, want[i].Score) || got[i].Encoded != want[i].Encoded {
			t.Errorf("place %d is %+v, want %+v", i, got[i], want[i])
		}
	}
}

func TestWhatOnlyWordsFoundIsCompleted(t *testing.T) {
	words, vectors := []Hit{{"a", 3}, {"b", 2}}, []Hit{{"b", 0.5}}
	ids := Missing(words, vectors)
	if len(ids) != 1 || ids[0] != "a" {
		t.Fatalf("missing are %v", ids)
	}
	all := Complete(vectors, map[evidence.PassageID]float64{"a": 0.7})
	if len(all) != 2 || all[0].ID != "a" || len(vectors) != 1 {
		t.Errorf("completed is %v", all)
	}
}

func BenchmarkFuse(b *testing.B) {
	var words, vectors []Hit
	for i := range 200 {
		words = append(words, Hit{evidence.PassageID(fmt.Sprint("p", i)), float64(200 - i)})
		vectors = append(vectors, Hit{evidence.PassageID(fmt.Sprint("p", 2*i)), 1 - float64(i)/200})
	}
	for b.Loop() {
		FuseHits(English, words, vectors, Fusion{})
	}
}
