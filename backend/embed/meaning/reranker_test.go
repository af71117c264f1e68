package meaning

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/rank"
)

// letters is an encoder whose vectors count words: texts with the same words are
// near. A piece is a line.
type letters struct {
	mu      sync.Mutex
	encoded []string // texts, in order
	texts   map[int32]string
	allow   chan struct{} // when not nil, one is taken for each call that is no question
	fail    error
}

func (l *letters) ID() string { return "letters@1" }

func (l *letters) piece(text string) embed.Piece {
	h := fnv.New32a()
	h.Write([]byte(text))
	id := int32(h.Sum32()>>2) + 1000
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.texts == nil {
		l.texts = map[int32]string{}
	}
	l.texts[id] = text
	return embed.Piece{IDs: []int32{id}}
}

func (l *letters) Cut(title, body string) (pieces []embed.Piece) {
	for line := range strings.Lines(body) {
		pieces = append(pieces, l.piece(title+" "+line))
	}
	return pieces
}

func (l *letters) Ends(body string, pieces int) (ends []int) {
	at := 0
	for line := range strings.Lines(body) {
		at += len(line)
		ends = append(ends, at)
	}
	return ends
}

func (l *letters) Sentence(text string) embed.Piece { return l.piece("?" + text) }

func (l *letters) Nearness(cos float64) float64 { return cos }

func (l *letters) Distinct(question embed.Vector) embed.Vector { return question }

func (l *letters) NearnessOf(dot float64) float64 { return dot }

func (l *letters) Query(text string) embed.Piece {
	if text == "" {
		return embed.Piece{}
	}
	return l.piece("?" + text)
}

func (l *letters) Encode(ctx context.Context, pieces []embed.Piece) (vectors []embed.Vector, err error) {
	for _, p := range pieces {
		l.mu.Lock()
		text := l.texts[p.IDs[0]]
		l.mu.Unlock()
		if !strings.HasPrefix(text, "?") {
			if l.allow != nil {
				select {
				case <-l.allow:
				case <-ctx.Done():
					return vectors, ctx.Err()
				}
			}
			if l.fail != nil {
				return nil, l.fail
			}
			l.mu.Lock()
			l.encoded = append(l.encoded, text)
			l.mu.Unlock()
		}
		vectors = append(vectors, vectorOf(strings.TrimPrefix(text, "?")))
	}
	return vectors, nil
}

func vectorOf(text string) (v embed.Vector) {
	n := 0
	for _, w := range strings.Fields(text) {
		h := fnv.New32a()
		h.Write([]byte(w))
		v.Q[h.Sum32()%embed.Dim] = 1
	}
	for _, q := range v.Q {
		n += int(q)
	}
	v.Scale = 1 / sqrt32(n)
	return v
}

func sqrt32(n int) float32 {
	x := float32(n)
	for range 30 {
		x = (x + float32(n)/x) / 2
	}
	return x
}

func (l *letters) made() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.encoded)
}

// shelf is a store in memory.
type shelf struct {
	mu     sync.Mutex
	texts  []library.Placed
	packed map[evidence.PassageID][]byte
	fail   error
}

func (s *shelf) Encoded(_ context.Context, _ string, ids []evidence.PassageID) (map[evidence.PassageID][]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := map[evidence.PassageID][]byte{}
	for _, id := range ids {
		if p, has := s.packed[id]; has {
			out[id] = p
		}
	}
	return out, s.fail
}

func (s *shelf) PutEncoded(_ context.Context, _ string, ids []evidence.PassageID, packed [][]byte) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.packed == nil {
		s.packed = map[evidence.PassageID][]byte{}
	}
	for i, id := range ids {
		s.packed[id] = packed[i]
	}
	return nil
}

func (s *shelf) Unencoded(_ context.Context, _ string, n int) (due []library.Placed, have, all int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range slices.Backward(s.texts) {
		if _, has := s.packed[p.Passage.ID]; has {
			have++
		} else if len(due) < n {
			due = append(due, p)
		}
	}
	return due, have, len(s.texts), nil
}

func (s *shelf) EachEncoded(_ context.Context, _ string, each func([]evidence.PassageID, []string, [][]byte) error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.texts {
		if packed, has := s.packed[p.Passage.ID]; has {
			if err := each([]evidence.PassageID{p.Passage.ID}, []string{p.Digest}, [][]byte{packed}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *shelf) stored() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.packed)
}

func newReranker(t *testing.T, e *letters, s *shelf, opt Options) *Reranker {
	t.Helper()
	j := New(Config{Encoder: e, Store: s, Options: func() Options { return opt }, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { j.Close() })
	return j
}

// encodeTime is more than any test takes.
const encodeTime = time.Minute

var on = Options{On: true, Top: 20, Wait: true}

func texts(bodies ...string) (out []rank.Text) {
	for i, b := range bodies {
		out = append(out, rank.Text{ID: evidence.PassageID(fmt.Sprint("p", i)), Digest: "d", Title: "t", Body: b})
	}
	return out
}

// until polls for something that comes in the background.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("never: " + what)
		}
	}
}

func TestTheNearestPieceOfAPassageCounts(t *testing.T) {
	j := newReranker(t, &letters{}, &shelf{}, on)
	cosines := j.Cosines(t.Context(), "t heavy lens", texts("nothing here", "far away\nheavy lens\nmore", "heavy glass"), encodeTime)
	if len(cosines) != 3 || cosines["p1"] < 0.99 || cosines["p2"] >= cosines["p1"] || cosines["p0"] >= cosines["p2"] {
		t.Errorf("decided: %v", cosines)
	}
}

func TestWhatIsCachedIsNotEncodedAgain(t *testing.T) {
	e, s := &letters{}, &shelf{}
	first := newReranker(t, e, s, on)
	first.Wake()
	first.Cosines(t.Context(), "a question", texts("one", "two"), encodeTime)
	until(t, "stored", func() bool { return s.stored() == 2 })
	if made := e.made(); len(made) != 2 {
		t.Fatalf("encoded %q", made)
	}
	first.Cosines(t.Context(), "another", texts("one", "two"), encodeTime)
	second := newReranker(t, e, s, on) // after a restart
	if cosines := second.Cosines(t.Context(), "t one", texts("one", "two"), encodeTime); len(cosines) != 2 || cosines["p0"] < 0.99 {
		t.Errorf("decided: %v", cosines)
	}
	if made := e.made(); len(made) != 2 {
		t.Errorf("encoded %q", made)
	}
	renamed := texts("one", "two")
	renamed[0].Title = "new"
	second.Cosines(t.Context(), "a question", renamed, encodeTime)
	if made := e.made(); len(made) != 3 || made[2] != "new one" {
		t.Errorf("encoded %q", made)
	}
}

func TestWhatIsNotDoneInTimeDecidesNothing(t *testing.T) {
	e := &letters{allow: make(chan struct{}, 9)}
	e.allow <- struct{}{}
	j := newReranker(t, e, &shelf{}, Options{On: true, Top: 20, Wait: true})
	j.recall.put("p0", &encoded{key: keyOf(texts("one")[0]), vectors: []embed.Vector{vectorOf("t one")}})
	if cosines := j.Cosines(t.Context(), "t one", texts("one", "two", "three", "four", "five", "six"), 50*time.Millisecond); len(cosines) != 0 {
		t.Errorf("decided: %v", cosines)
	}
	if cosines := j.Cosines(t.Context(), "t one", texts("one"), encodeTime); len(cosines) != 1 || cosines["p0"] < 0.99 {
		t.Errorf("decided of what is at hand: %v", cosines)
	}
}

func TestTheBestAreEncodedAtOnceAndTheRestLater(t *testing.T) {
	e, s := &letters{}, &shelf{}
	j := newReranker(t, e, s, Options{On: true, Top: 3, Wait: true})
	var bodies []string
	for i := range 60 {
		bodies = append(bodies, fmt.Sprint("word", i))
	}
	if cosines := j.Cosines(t.Context(), "a question", texts(bodies...), encodeTime); len(cosines) != 3 {
		t.Errorf("%d decided", len(cosines))
	}
	j.Wake()
	until(t, "fifty stored", func() bool { return s.stored() == 50 })
	if cosines := j.Cosines(t.Context(), "a question", texts(bodies...), encodeTime); len(cosines) != 50 {
		t.Errorf("%d decided when cached", len(cosines))
	}
}

func TestWhatIsKnownOfTheOthersIsToldBesideTheBest(t *testing.T) {
	j := newReranker(t, &letters{}, &shelf{}, Options{On: true, Top: 2, Wait: true})
	all := texts("one", "two", "three", "four", "five")
	j.recall.put("p4", &encoded{key: keyOf(all[4]), vectors: []embed.Vector{vectorOf("t five")}})
	cosines := j.Cosines(t.Context(), "t five", all, encodeTime)
	if len(cosines) != 3 || cosines["p4"] < 0.99 || cosines["p0"] >= cosines["p4"] {
		t.Errorf("told %v", cosines)
	}
}

func TestWhatCannotBeReadHasNoVector(t *testing.T) {
	e := &letters{}
	j := newReranker(t, e, &shelf{}, on)
	cosines := j.Cosines(t.Context(), "question", texts("", "plain words"), encodeTime)
	if _, has := cosines["p1"]; len(cosines) != 1 || !has {
		t.Errorf("decided: %v", cosines)
	}
	if len(e.made()) != 1 {
		t.Errorf("encoded %q", e.made())
	}
}

func TestNearnessIsToldOfEveryText(t *testing.T) {
	j := newReranker(t, &letters{}, &shelf{}, on)
	near, ok := j.Near(t.Context(), "a red boat", []string{"a red boat", "a blue boat", "other words"})
	if !ok || near[0] < 0.99 || near[1] >= near[0] || near[2] >= near[1] {
		t.Errorf("%v, %v", near, ok)
	}
	if _, ok := newReranker(t, &letters{fail: errors.New("damaged")}, &shelf{}, Options{}).Near(t.Context(), "a", []string{"a"}); ok {
		t.Error("told while it is off")
	}
}

func TestNothingIsDecidedWithoutTheEncoder(t *testing.T) {
	for name, c := range map[string]struct {
		e        *letters
		opt      Options
		question string
	}{
		"off":                    {&letters{}, Options{Top: 20, Wait: true}, "question"},
		"question without words": {&letters{}, on, ""},
		"encoder fails":          {&letters{fail: errors.New("broken")}, on, "question"},
	} {
		j := newReranker(t, c.e, &shelf{fail: errors.New("damaged")}, c.opt)
		if cosines := j.Cosines(t.Context(), c.question, texts("one"), encodeTime); len(cosines) != 0 {
			t.Errorf("%s: decided %v", name, cosines)
		}
	}
}

func TestTheMemoryIsBoundedAndKeepsWhatIsUsed(t *testing.T) {
	var r recall
	size := (&recall{least: 200}).size(&encoded{vectors: make([]embed.Vector, 2)})
	r.init(3 * size)
	put := func(id evidence.PassageID) { r.put(id, &encoded{vectors: make([]embed.Vector, 2)}) }
	for _, id := range []evidence.PassageID{"a", "b", "c", "c"} {
		put(id)
	}
	if r.get("a", [32]byte{}) == nil {
		t.Error("a was dropped although there is room")
	}
	put("d")
	if r.get("b", [32]byte{}) != nil || r.get("a", [32]byte{}) == nil || len(r.by) != 3 || r.room != 0 {
		t.Errorf("kept %d, room %d", len(r.by), r.room)
	}
	r.drop([]evidence.PassageID{"a", "c", "d", "x"})
	if len(r.by) != 0 || r.room != 3*size {
		t.Errorf("%d left, room %d", len(r.by), r.room)
	}
}

func TestPackedVectorsComeBack(t *testing.T) {
	e := &encoded{key: [32]byte{1, 2}, vectors: []embed.Vector{vectorOf("a b"), vectorOf("c")}}
	for _, want := range []*encoded{e, {key: e.key}} {
		got, err := unpack(want.pack())
		if err != nil || got.key != want.key || !slices.Equal(got.vectors, want.vectors) {
			t.Errorf("got %v, %v", got, err)
		}
	}
	damaged := e.pack()
	copy(damaged[32+embed.Dim:], []byte{0xff, 0xff, 0xff, 0xff})
	for _, bad := range [][]byte{nil, {1}, e.pack()[1:], damaged} {
		if _, err := unpack(bad); err == nil {
			t.Errorf("%d damaged bytes were read", len(bad))
		}
	}
}

func FuzzUnpack(f *testing.F) {
	f.Add([]byte{})
	f.Add((&encoded{vectors: []embed.Vector{vectorOf("a")}}).pack())
	f.Fuzz(func(t *testing.T, data []byte) {
		if e, err := unpack(data); err == nil && !slices.Equal(e.pack(), data) {
			t.Error("what was read does not pack to the same bytes")
		}
	})
}

func TestABatteryThatDischargesIsNoticed(t *testing.T) {
	dir := t.TempDir()
	now := time.Unix(1000, 0)
	set := func(state string) {
		if err := os.MkdirAll(filepath.Join(dir, "BAT0"), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "BAT0", "status"), []byte(state+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	battery := Battery(dir, func() time.Time { return now })
	for _, c := range []struct {
		state string
		want  bool
	}{{"", false}, {"Charging", false}, {"Discharging", true}, {"Full", false}} {
		if c.state != "" {
			set(c.state)
		}
		now = now.Add(2 * lookAgain)
		if battery() != c.want {
			t.Errorf("%q: %v", c.state, !c.want)
		}
	}
	set("Discharging")
	if battery() {
		t.Error("looked again at once")
	}
}

func TestEachTokenOfTheQuestionCountsByItsWord(t *testing.T) {
	encoder, err := embed.NewEncoder()
	if errors.Is(err, embed.ErrNoKernel) {
		t.Skip("this processor has no kernel for the encoder")
	}
	if err != nil {
		t.Fatal(err)
	}
	j := New(Config{Tokens: encoder, Store: &shelf{}, Options: func() Options { return on }, Log: slog.New(slog.DiscardHandler)})
	t.Cleanup(func() { j.Close() })
	lens := func(word string) float64 {
		return map[string]float64{"heavy": 6, "lens": 7}[word]
	}
	sentences := []string{"Lamp. The lens weighs 3.2 tonnes.", "Lamp. The lens is clean.", "Bread rests overnight.", "How heavy is the lens?", ""}
	match, ok := j.Matches(t.Context(), "How heavy is the lens?", lens, sentences)
	if !ok || match[3] < 0.99 || match[0] <= match[1] || match[1] <= match[2] || match[4] != 0 {
		t.Errorf("%v, %v", match, ok)
	}
	alike, ok := j.Matches(t.Context(), "How heavy is the lens?", func(string) float64 { return 0 }, sentences)
	if !ok || alike[3] < 0.99 || alike[0] == match[0] {
		t.Errorf("without weights %v, %v", alike, ok)
	}
	if _, ok := j.Matches(t.Context(), "?!", lens, sentences); ok {
		t.Error("a question without words matches")
	}
	if _, ok := newReranker(t, &letters{}, &shelf{}, on).Matches(t.Context(), "question", lens, sentences); ok {
		t.Error("an encoder without tokens matches")
	}
}
