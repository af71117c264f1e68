package gather

import (
	"context"
	"fmt"
	"testing"
	"time"

	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// likes is a sentence encoder that likes later texts better and decides the
// first few only.
type likes struct {
	decides int
	asked   []rank.Text
}

func (l *likes) On() bool { return true }

func (l *likes) Cosines(_ context.Context, _ string, texts []rank.Text, _ time.Duration) map[evidence.PassageID]float64 {
	l.asked = texts
	cosines := map[evidence.PassageID]float64{}
	for i, t := range texts[:min(l.decides, len(texts))] {
		cosines[t.ID] = 0.1 * float64(i+1)
	}
	return cosines
}

func (l *likes) Matches(context.Context, string, func(string) float64, []string) ([]float64, bool) {
	return nil, false
}

func (l *likes) Near(context.Context, string, []string) ([]float64, bool) { return nil, false }

func (l *likes) Answers(context.Context, string, []string) ([]float64, bool) { return nil, false }

func (l *likes) Joined(context.Context, string, []string) ([]float64, bool) { return nil, false }
func (l *likes) Windows(_ context.Context, _ string, texts []rank.Text) [][]rank.Window {
	return make([][]rank.Window, len(texts))
}

func (l *likes) Read(context.Context, []string) ([]cite.Reading, bool) { return nil, false }

func (l *likes) Vector(context.Context, string) []float32 { return nil }

func (l *likes) Hold() func() { return func() {} }

// counter is an embedder of which only the tokenizer is asked.
type counter struct{}

func (counter) ID() string { return "counter" }

func (counter) Embed(_ context.Context, texts []string) ([][]float32, error) {
	return make([][]float32, len(texts)), nil
}

func (counter) Pieces(text string) (n, unknown int) { return len(text) / 4, 0 }

// mixed is a pool of two files and three pages.
func mixed() []rank.Candidate {
	candidate := func(id string, kind evidence.Kind, s evidence.Score) rank.Candidate {
		return rank.Candidate{Source: evidence.Source{Kind: kind, Digest: "d-" + id, Title: id}, Passage: evidence.Passage{ID: evidence.PassageID(id), Text: "text of " + id}, Score: s}
	}
	return []rank.Candidate{
		candidate("file1", evidence.File, evidence.Score{BM25: 9, Fused: 0.8}),
		candidate("file2", evidence.File, evidence.Score{BM25: 2, Fused: 0.3, Cosine: 0.7, Vector: true}),
		candidate("page1", evidence.Web, evidence.Score{BM25: 30, Cosine: 0.5, Vector: true}),
		candidate("page2", evidence.Web, evidence.Score{BM25: 3, Cosine: 0.1, Vector: true}),
		candidate("page3", evidence.Web, evidence.Score{BM25: 24, Cosine: 0.2, Vector: true}),
	}
}

func encodedBy(m Meaning, question string, pool []rank.Candidate) string {
	s := &Scorer{Task: &Task{}, Deps: ScoreDeps{Meaning: m, Embedder: counter{}}}
	s.Encode(context.Background(), question, pool)
	out := ""
	for _, c := range pool {
		out += fmt.Sprintf("%s %.1f %v, ", c.Passage.ID, c.Score.Cosine, c.Score.Encoded)
	}
	return out
}

func TestFilesAndPagesAreOrderedByOneEncoder(t *testing.T) {
	m := &likes{decides: 4}
	got := encodedBy(m, "what is the text", mixed())
	want := "file1 0.1 true, file2 0.4 true, page1 0.2 true, page2 0.1 false, page3 0.3 true, "
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(m.asked) != 5 || m.asked[0].Digest != "d-file1" || m.asked[1].Digest != "" || m.asked[1].Title != "page1" {
		t.Errorf("asked about %+v", m.asked)
	}
}

func TestTheEncoderIsAskedInAnyLanguage(t *testing.T) {
	m := &likes{decides: 9}
	encodedBy(m, "что это за текст", mixed())
	if encodedBy(&likes{}, "what is the text", mixed()) != encodedBy(nil, "what is the text", mixed()) || m.asked == nil {
		t.Error("scores changed without a word of the encoder")
	}
}
