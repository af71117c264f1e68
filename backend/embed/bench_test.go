//go:build unix

package embed

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	files "footnote/backend/embed/weights"
)

// tokensOf is a piece of exactly n tokens.
func tokensOf(n int) Piece {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(1996 + 7*i)
	}
	ids[0], ids[n-1] = idStart, idEnd
	return newPiece(ids)
}

// cpuTime is what this process has computed so far; on a busy machine it says
// more than the clock.
func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

func benchmarkEncoder(b *testing.B, pieces []Piece) {
	list, err := encoders()
	if err != nil {
		b.Fatal(err)
	}
	for _, e := range list {
		b.Run(e.Kernel(), func(b *testing.B) {
			began := cpuTime(b)
			for range b.N {
				encode(b, e, pieces)
			}
			spent := cpuTime(b) - began
			b.ReportMetric(float64(b.N*len(pieces))/spent.Seconds(), "pieces/cpu-s")
			b.ReportMetric(spent.Seconds()*1000/float64(b.N), "cpu-ms/op")
		})
	}
}

func BenchmarkEncode128(b *testing.B) {
	pieces := make([]Piece, 16)
	for i := range pieces {
		pieces[i] = tokensOf(128)
	}
	benchmarkEncoder(b, pieces)
}

func BenchmarkEncodeOne128(b *testing.B)  { benchmarkEncoder(b, []Piece{tokensOf(128)}) }
func BenchmarkEncodeQuery16(b *testing.B) { benchmarkEncoder(b, []Piece{tokensOf(16)}) }

// BenchmarkCrossEncoder20 is a question held against twenty passages of 128 tokens
// with it.
func BenchmarkCrossEncoder20(b *testing.B) {
	c, err := NewCrossEncoder()
	if err != nil {
		b.Skip("this processor has no kernel for the encoder")
	}
	texts := slices.Repeat([]string{strings.Repeat("harbour ", 121)}, 20)
	for b.Loop() {
		if _, err := c.Score(b.Context(), "When was it lit?", texts); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpenEncoder is what the first text costs: the file's header, its tensors
// packed, the vocabulary.
func BenchmarkOpenEncoder(b *testing.B) {
	list, err := encoders()
	if err != nil || len(list) == 0 {
		b.Skip("this processor has no kernel for the encoder")
	}
	before := resident(b)
	for range b.N {
		m, err := openModel(files.Encoder)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := newEncoder(m, list[0].kernel).network(); err != nil {
			b.Fatal(err)
		}
		m.words()
	}
	b.ReportMetric(resident(b)-before, "MB-grown")
}

// resident is this process's memory in megabytes; 0 where the system does not say.
func resident(b *testing.B) float64 {
	data, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, err := strconv.Atoi(strings.Fields(string(data))[1])
	if err != nil {
		b.Fatal(err)
	}
	return float64(pages*os.Getpagesize()) / 1e6
}

func BenchmarkDot(b *testing.B) {
	x, y := newVector(make([]float32, Dim)), Vector{}
	for i := range x.Q {
		x.Q[i], y.Q[i] = int8(i), int8(-i)
	}
	sum := 0.0
	for range b.N {
		sum += Dot(x, y)
	}
	_ = sum
}

// prose is passages of 128 pieces or so, with the words of all the fixtures.
func prose(b *testing.B, s *Static) (texts []string, pieces int) {
	var all []string
	for _, name := range []string{"testdata/encoder.json", "testdata/fixtures.json"} {
		for _, f := range readFixtures(b, name) {
			if n, unknown := s.Pieces(f.Text); n > 0 && unknown == 0 && n < 40 {
				all = append(all, strings.Fields(f.Text)...)
			}
		}
	}
	all = append(all, strings.Fields(passage)...)
	for i := range 64 {
		var words []string
		for j := range 100 {
			words = append(words, all[(17*i+29*j)%len(all)])
		}
		texts = append(texts, strings.Join(words, " "))
		n, _ := s.Pieces(texts[i])
		pieces += n
	}
	return texts, pieces
}

func BenchmarkStatic(b *testing.B) {
	s := open(b)
	texts, pieces := prose(b, s)
	began := cpuTime(b)
	for range b.N {
		if _, err := s.Embed(context.Background(), texts); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N*pieces)/128/(cpuTime(b)-began).Seconds(), "passages-of-128/cpu-s")
}

func BenchmarkWordPiece(b *testing.B) {
	s := open(b)
	texts, pieces := prose(b, s)
	var ids []int32
	began := cpuTime(b)
	for range b.N {
		for _, text := range texts {
			ids = s.words().pieces(ids[:0], text)
		}
	}
	b.ReportMetric(float64(b.N*pieces)/128/(cpuTime(b)-began).Seconds(), "passages-of-128/cpu-s")
}
