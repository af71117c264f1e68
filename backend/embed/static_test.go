package embed

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	files "footnote/backend/embed/weights"
)

type fixture struct {
	Name string    `json:"name"`
	Text string    `json:"text"`
	IDs  []int32   `json:"ids"`
	Vec  []float64 `json:"vec"`
	Raw  []byte    `json:"base64"` // float32 components, little-endian
}

func readFixtures(t testing.TB, path string) []fixture {
	t.Helper()
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skip("no reference fixtures beside the project")
	}
	var f struct{ Items []fixture }
	if err == nil {
		err = json.Unmarshal(data, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f.Items
}

// shared is a path in the reference data beside the project, if there is any.
func shared(t testing.TB, path string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return filepath.Join(dir, "..", "shared", path)
		}
	}
	t.Fatal("no go.mod above the test")
	return ""
}

func open(t testing.TB) *Static {
	t.Helper()
	s, err := NewStatic()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func checkPieces(t *testing.T, items []fixture) {
	s := open(t)
	for _, f := range items {
		want := f.IDs[1 : len(f.IDs)-1] // without the marks of start and end
		got := s.words().pieces(nil, f.Text)
		if len(f.IDs) == 256 { // the reference cuts there
			got = got[:min(len(got), 254)]
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: pieces of %.60q are %v, want %v", f.Name, f.Text, got, want)
		}
	}
}

func checkVectors(t *testing.T, items []fixture) {
	s := open(t)
	for _, f := range items {
		got := s.vector(s.words().pieces(nil, f.Text))
		if got == nil {
			got = make([]float32, s.dim)
		}
		for i, want := range f.Vec {
			if math.Abs(float64(got[i])-want) > 1e-5 {
				t.Fatalf("%s: component %d is %v, want %v", f.Name, i, got[i], want)
			}
		}
	}
}

func TestPiecesEqualTheReference(t *testing.T) {
	checkPieces(t, readFixtures(t, shared(t, "models/fixtures/minilm.json")))
}

func TestVectorsEqualTheReference(t *testing.T) {
	checkVectors(t, readFixtures(t, shared(t, "models/fixtures/static.json")))
}

func TestPiecesAndVectorsOfTheSmallFixture(t *testing.T) {
	items := readFixtures(t, filepath.Join("testdata", "fixtures.json"))
	if len(items) < 8 {
		t.Fatalf("only %d fixtures", len(items))
	}
	checkPieces(t, items)
	checkVectors(t, items)
}

func TestEmbeddedWeightsAreWhole(t *testing.T) {
	w, err := parseWeights(files.Static)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.verify(); err != nil {
		t.Fatal(err)
	}
	m, err := english()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.verify(); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(m.payload[m.tensors["vocab"].Offset:], "\n"); n != w.Vocab {
		t.Errorf("vocabulary has %d lines, table %d rows", n, w.Vocab)
	}
}

func TestTextsWithoutMeaningHaveNoVector(t *testing.T) {
	s := open(t)
	texts := []string{"", " \t\n", "!!! ...", "2019 4711", "東京は日本の首都です", "Москва является столицей России", "กรุงเทพมหานคร", "a library card"}
	got, err := s.Embed(context.Background(), texts)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got[:len(got)-1] {
		if v != nil {
			t.Errorf("%q has a vector", texts[i])
		}
	}
	if len(got[len(got)-1]) != 256 {
		t.Errorf("plain English has no vector")
	}
}

func TestNearMeaningIsNear(t *testing.T) {
	v, err := open(t).Embed(context.Background(), []string{
		"How do I renew my library card?", "Extending a library membership online", "The orbit of Neptune around the sun"})
	if err != nil {
		t.Fatal(err)
	}
	if near, far := cosine(v[0], v[1]), cosine(v[0], v[2]); near < far+0.2 {
		t.Errorf("near %.3f, far %.3f", near, far)
	}
}

func cosine(a, b []float32) (sum float64) {
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

func TestEmbedStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := open(t).Embed(ctx, []string{"a"}); err != context.Canceled {
		t.Errorf("error is %v", err)
	}
}

func TestOneStaticServesManyAtOnce(t *testing.T) {
	s := open(t)
	text := []string{"footnotes prove sentences"}
	want, _ := s.Embed(context.Background(), text)
	done := make(chan []float32)
	for range 8 {
		go func() {
			v, _ := s.Embed(context.Background(), text)
			done <- v[0]
		}()
	}
	for range 8 {
		if !slices.Equal(<-done, want[0]) {
			t.Error("vectors differ")
		}
	}
}

// passage is prose of about 128 pieces.
var passage = strings.Repeat("The archive keeps every letter, invoice and field note in order of arrival, and Dr. Brown's 1987 index of them is still used. ", 5)
