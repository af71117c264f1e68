package embed

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"strings"
	"testing"
)

func manyLanguages(t testing.TB) *Encoder {
	t.Helper()
	e, err := NewMultilingual()
	if errors.Is(err, ErrNoKernel) {
		t.Skip("this processor cannot run the encoder")
	}
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func scored(t testing.TB) *unigram {
	t.Helper()
	m, err := multilingual()
	if err != nil {
		t.Fatal(err)
	}
	return m.words().tokenizer.(*unigram)
}

// piecesOf joins the pieces of a text.
func piecesOf(u *unigram, text string) string {
	var all []string
	for _, id := range u.pieces(nil, text) {
		all = append(all, u.piece(int(id)))
	}
	return strings.Join(all, " ")
}

func TestTextIsCutIntoTheLikeliestPieces(t *testing.T) {
	u := scored(t)
	for text, want := range map[string]string{
		"The library closes at four.": "▁The ▁libra ry ▁close s ▁at ▁four .",
		"  two\t\nwords ":             "▁two ▁words",
		"Bücherei":                    "▁Bücher ei",
		"図書館は日曜日":                     "▁ 図書館 は 日曜日",
		"ﬁne ½":                       "▁fine ▁1⁄2", // NFKC
		"<s> </s>":                    "▁< s > ▁ </ s >",
		"":                            "",
		"\x00":                        "",
	} {
		if got := piecesOf(u, text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

func TestEveryByteOfATextEndsInAPiece(t *testing.T) {
	u := scored(t)
	for _, text := range []string{"\xff\xfe", "a\xc3", "ፊደል", "🙂 \U0001F9D1\u200d\U0001F4BB", strings.Repeat("図", 4000), strings.Repeat("é", 5000)} {
		ids := u.pieces(nil, text)
		if len(ids) == 0 {
			t.Errorf("%.20q has no pieces", text)
		}
		for _, id := range ids {
			if id < 0 || int(id) >= len(u.offsets)-1 {
				t.Fatalf("%.20q has the piece %d", text, id)
			}
		}
	}
}

func FuzzUnigram(f *testing.F) {
	for _, text := range []string{"The library", "図書館は", "\xff", "a\u0301 ½"} {
		f.Add(text)
	}
	u := scored(f)
	f.Fuzz(func(t *testing.T, text string) {
		first := u.pieces(nil, text)
		again := u.pieces(nil, text) // remembered words
		if len(first) != len(again) {
			t.Errorf("%q has %d pieces, then %d", text, len(first), len(again))
		}
	})
}

// The cosines were made by another implementation of the release in 4 bits.
func TestOtherImplementationsOfTheReleaseFindTheSameNearness(t *testing.T) {
	e := manyLanguages(t)
	var want struct {
		Questions, Passages []string
		Cosines             [][]float64
	}
	file, err := os.ReadFile("testdata/multilingual.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(file, &want); err != nil {
		t.Fatal(err)
	}
	var pieces []Piece
	for _, q := range want.Questions {
		pieces = append(pieces, e.Query(q))
	}
	for _, p := range want.Passages {
		pieces = append(pieces, e.Sentence(p))
	}
	v, err := e.Encode(context.Background(), pieces)
	if err != nil {
		t.Fatal(err)
	}
	for i, q := range want.Questions {
		for k, p := range want.Passages {
			if got := Dot(v[i], v[len(want.Questions)+k]); math.Abs(got-want.Cosines[i][k]) > 0.02 {
				t.Errorf("%q and %q are %.3f near, want %.3f", q, p, got, want.Cosines[i][k])
			}
		}
	}
}

func TestAnswersInOtherLanguagesAreNearerThanOtherMatters(t *testing.T) {
	e := manyLanguages(t)
	texts := []string{"Sonntags ist der Lesesaal von zehn bis sechzehn Uhr geöffnet.", "Der Kuchen wird bei 180 Grad vierzig Minuten gebacken."}
	v, err := e.Encode(context.Background(), []Piece{e.Query("When does the library close on Sundays?"), e.Sentence(texts[0]), e.Sentence(texts[1])})
	if err != nil {
		t.Fatal(err)
	}
	if near, far := e.Nearness(Dot(v[0], v[1])), e.Nearness(Dot(v[0], v[2])); near < 0.4 || far > 0.25 {
		t.Errorf("nearness is %.2f and %.2f", near, far)
	}
}
