package embed

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"footnote/backend/embed/simd"
)

// encoders is one encoder for each kernel of this processor.
var encoders = sync.OnceValues(func() (list []*Encoder, err error) {
	m, err := english()
	for _, k := range simd.Kernels() {
		if err != nil {
			return nil, err
		}
		list = append(list, newEncoder(m, k))
	}
	return list, err
})

// onEachKernel runs a test with every kernel that this processor has.
func onEachKernel(t *testing.T, run func(*testing.T, *Encoder)) {
	list, err := encoders()
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Skip("this processor has no kernel for the encoder")
	}
	for _, e := range list {
		t.Run(e.Kernel(), func(t *testing.T) { run(t, e) })
	}
}

func encode(t testing.TB, e *Encoder, pieces []Piece) []Vector {
	t.Helper()
	v, err := e.Encode(context.Background(), pieces)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// readVectors reads rows of float32 from a reference file.
func readVectors(t *testing.T, path string) (rows [][]float32) {
	t.Helper()
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		t.Skip("no reference fixtures beside the project")
	}
	if err != nil {
		t.Fatal(err)
	}
	for ; len(data) >= 4*Dim; data = data[4*Dim:] {
		rows = append(rows, components(data[:4*Dim]))
	}
	return rows
}

func components(data []byte) []float32 {
	v := make([]float32, len(data)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*i:]))
	}
	return v
}

func TestEncoderEqualsTheReference(t *testing.T) {
	items := readFixtures(t, shared(t, "models/fixtures/minilm.json"))
	exact := readVectors(t, shared(t, "models/fixtures/minilm_vectors.f32"))
	rounded := readVectors(t, shared(t, "models/fixtures/minilm_vectors_int8.f32"))
	onEachKernel(t, func(t *testing.T, e *Encoder) {
		worst, worstRounded, sum := 1.0, 1.0, 0.0
		for i, f := range items {
			v := encode(t, e, []Piece{newPiece(f.IDs)})[0].Floats()
			a, b := cosine(v, exact[i]), cosine(v, rounded[i])
			if a < 0.98 || b < 0.99 {
				t.Errorf("%s: cosine %.4f to float32, %.4f to int8", f.Name, a, b)
			}
			worst, worstRounded, sum = min(worst, a), min(worstRounded, b), sum+b
		}
		t.Logf("cosine to float32 %.4f at least; to int8 %.4f at least, %.4f in the mean", worst, worstRounded, sum/float64(len(items)))
	})
}

func TestSameBytesWhateverTheBatch(t *testing.T) {
	onEachKernel(t, func(t *testing.T, e *Encoder) {
		var pieces []Piece
		for i := range 12 {
			pieces = append(pieces, e.Query(strings.Repeat("water boils on a mountain ", 1+i*7%31)+passage[:3*i]))
		}
		pieces = append(pieces, Piece{}, e.Query("one more"))
		together := encode(t, e, pieces)
		back := slices.Clone(pieces)
		slices.Reverse(back)
		reversed := encode(t, e, back)
		slices.Reverse(reversed)
		for i, p := range pieces {
			if alone := encode(t, e, []Piece{p})[0]; alone != together[i] || alone != reversed[i] {
				t.Errorf("piece %d of %d tokens differs with its batch", i, len(p.IDs))
			}
		}
		if together[12] != (Vector{}) {
			t.Error("a piece without ids has a vector")
		}
	})
}

func TestEncoderEqualsTheSmallFixture(t *testing.T) {
	items := readFixtures(t, "testdata/encoder.json")
	onEachKernel(t, func(t *testing.T, e *Encoder) {
		for _, f := range items {
			p := e.Query(f.Text)
			if !slices.Equal(p.IDs, f.IDs) {
				t.Errorf("%s: ids are %v, want %v", f.Name, p.IDs, f.IDs)
			}
			if c := cosine(encode(t, e, []Piece{p})[0].Floats(), components(f.Raw)); c < 0.98 {
				t.Errorf("%s: cosine %.4f to the vector in float32", f.Name, c)
			}
		}
	})
}

func TestKernelsAgree(t *testing.T) {
	var first []Vector
	onEachKernel(t, func(t *testing.T, e *Encoder) {
		var pieces []Piece
		for _, f := range readFixtures(t, "testdata/encoder.json") {
			pieces = append(pieces, e.Query(f.Text))
		}
		got := encode(t, e, pieces)
		if first == nil {
			first = got
		}
		for i := range got {
			if c := Dot(got[i], first[i]); c < 0.99 {
				t.Errorf("piece %d: cosine %.4f to the fastest kernel's", i, c)
			}
		}
	})
}

func TestEncodingStopsWithItsContextAndKeepsWhatStands(t *testing.T) {
	onEachKernel(t, func(t *testing.T, e *Encoder) {
		pieces := slices.Repeat([]Piece{e.Query(passage)}, 4)
		ctx := &countdown{Context: context.Background(), left: 2}
		got, err := e.Encode(ctx, pieces)
		if err != context.Canceled || len(got) == 0 || len(got) >= len(pieces) {
			t.Fatalf("%d of %d vectors, error %v", len(got), len(pieces), err)
		}
		if want := encode(t, e, pieces[:1])[0]; got[len(got)-1] != want {
			t.Error("the last vector that stands is not whole")
		}
		if _, err := e.Embed(ctx, []string{"a"}); err != context.Canceled {
			t.Errorf("embedding ends with %v", err)
		}
	})
}

// countdown is a context that ends after some looks at it.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestOneEncoderServesManyAtOnce(t *testing.T) {
	onEachKernel(t, func(t *testing.T, e *Encoder) {
		pieces := []Piece{e.Query("footnotes prove sentences"), e.Query(passage)}
		want := encode(t, e, pieces)
		var wait sync.WaitGroup
		for range 4 {
			wait.Go(func() {
				for range 3 {
					if got, err := e.Encode(context.Background(), pieces); err != nil || !slices.Equal(got, want) {
						t.Errorf("vectors differ, error %v", err)
					}
				}
			})
		}
		wait.Wait()
	})
}

func TestPiecesThatNobodyCutAreRefused(t *testing.T) {
	onEachKernel(t, func(t *testing.T, e *Encoder) {
		for name, p := range map[string]Piece{"long": {IDs: make([]int32, longestText+1)}, "negative": {IDs: []int32{-1}}, "unknown id": {IDs: []int32{30522}}} {
			if _, err := e.Encode(context.Background(), []Piece{p}); err == nil {
				t.Errorf("%s: accepted", name)
			}
		}
	})
}

func TestNearMeaningIsNearForTheEncoder(t *testing.T) {
	onEachKernel(t, func(t *testing.T, e *Encoder) {
		v, err := e.Embed(context.Background(), []string{
			"How do I renew my library card?", "Extending a library membership online", "The orbit of Neptune around the sun", "?!"})
		if err != nil {
			t.Fatal(err)
		}
		if near, far := cosine(v[0], v[1]), cosine(v[0], v[2]); near < far+0.3 {
			t.Errorf("near %.3f, far %.3f", near, far)
		}
		if math.Abs(cosine(v[0], v[0])-1) > 1e-5 {
			t.Errorf("length is %v", cosine(v[0], v[0]))
		}
		if v[3] != nil {
			t.Error("a text without a letter has a vector")
		}
	})
}

func TestEncoderSaysWhatItIs(t *testing.T) {
	e, err := NewEncoder()
	if len(simd.Kernels()) == 0 {
		if err != ErrNoKernel {
			t.Errorf("without a kernel the error is %v", err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	if e.ID() != "all-MiniLM-L6-v2@int8-r1" || e.Kernel() != simd.Kernels()[0].Name() {
		t.Errorf("id %q, kernel %q", e.ID(), e.Kernel())
	}
}

func TestWeightsOfNoEncoderAreRefused(t *testing.T) {
	onEachKernel(t, func(t *testing.T, e *Encoder) {
		for name, change := range map[string]func(*model){
			"other size": func(m *model) { m.Dim = 256 }, "other heads": func(m *model) { m.Heads = 6 }, "odd inside": func(m *model) { m.FFN = 1500 },
			"more layers": func(m *model) { m.Layers = 7 }, "no layers": func(m *model) { m.Layers = 0 }, "other vocabulary": func(m *model) { m.Vocab = 5 },
		} {
			w := *e.model.weights
			m := &model{&w, e.model.words}
			change(m)
			if _, err := newEncoder(m, e.kernel).network(); err == nil {
				t.Errorf("%s: accepted", name)
			}
		}
	})
}
