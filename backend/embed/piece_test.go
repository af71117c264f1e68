package embed

import (
	"slices"
	"strings"
	"testing"
)

// vocabulary is that of both tiers.
func vocabulary(t testing.TB) chunker {
	t.Helper()
	m, err := english()
	if err != nil {
		t.Fatal(err)
	}
	return m.words()
}

func TestPiecesRepeatTheTitleAndCutTheBodyEvenly(t *testing.T) {
	w := vocabulary(t)
	title := w.pieces(nil, "Tides and harbours")
	for _, words := range []int{0, 1, 122, 123, 124, 246, 247, 1000} {
		body := strings.Repeat("water ", words)
		var joined []int32
		shortest, longest := 1000, 0
		pieces := w.cut("Tides and harbours", body)
		for _, p := range pieces {
			if len(p.IDs) > longestPiece || p.IDs[0] != idStart || p.IDs[len(p.IDs)-1] != idEnd || !slices.Equal(p.IDs[1:1+len(title)], title) {
				t.Fatalf("%d words: piece %v", words, p.IDs)
			}
			window := p.IDs[1+len(title) : len(p.IDs)-1]
			joined = append(joined, window...)
			shortest, longest = min(shortest, len(window)), max(longest, len(window))
		}
		room := 126 - len(title)
		if want := max(1, (words+room-1)/room); len(pieces) != want {
			t.Errorf("%d words make %d pieces, want %d", words, len(pieces), want)
		}
		if !slices.Equal(joined, w.pieces(nil, body)) || longest-shortest > 1 {
			t.Errorf("%d words: windows of %d to %d tokens hold %d of them", words, shortest, longest, len(joined))
		}
	}
}

func TestPiecesEndWhereTheirWindowsDo(t *testing.T) {
	w := vocabulary(t)
	for _, body := range []string{strings.Repeat("water ", 1000), strings.Repeat("Hafenmeisterin und Wasserstand. ", 90), strings.Repeat("水", 400), "water", ""} {
		pieces := w.cut("Tides", body)
		all, before := len(w.pieces(nil, body)), 0
		for i, end := range w.ends(body, len(pieces)) {
			if end < before || end > len(body) {
				t.Fatalf("%.20q: piece %d ends at %d behind %d", body, i, end, before)
			}
			before = end
			if got, want := len(w.pieces(nil, body[:end])), (i+1)*all/len(pieces); got < want-8 || got > want+8 {
				t.Errorf("%.20q: piece %d of %d ends at byte %d, behind %d tokens, not %d", body, i, len(pieces), end, got, want)
			}
		}
		if before != len(body) {
			t.Errorf("%.20q: the last piece ends at %d of %d", body, before, len(body))
		}
	}
}

func TestALongTitleLeavesRoomForTheBody(t *testing.T) {
	w := vocabulary(t)
	pieces := w.cut(strings.Repeat("harbour ", 300), strings.Repeat("water ", 86))
	if len(pieces) != 1 || len(pieces[0].IDs) != longestPiece {
		t.Fatalf("%d pieces, the first of %d tokens", len(pieces), len(pieces[0].IDs))
	}
	if pieces[0].IDs[40] == pieces[0].IDs[41] || pieces[0].IDs[1] != pieces[0].IDs[40] {
		t.Error("the title has not 40 tokens")
	}
}

func TestTextsThatSayNothingHaveNoPieces(t *testing.T) {
	w := vocabulary(t)
	for _, text := range []string{"", " \n\t", "!? --- …", "\x00"} {
		if got := w.cut(text, text); got != nil {
			t.Errorf("%q has %d pieces", text, len(got))
		}
		if got := w.question(text); got.IDs != nil || got.Key != [32]byte{} {
			t.Errorf("%q is the piece %v", text, got)
		}
	}
	if len(w.cut("", "7")) != 1 || len(w.cut("Notes", "…")) != 1 {
		t.Error("a digit or a title is something to say")
	}
}

func TestAQuestionIsCutAtWhatTheEncoderReads(t *testing.T) {
	p := vocabulary(t).question(strings.Repeat("water ", 400))
	if len(p.IDs) != longestText || p.IDs[0] != idStart || p.IDs[longestText-1] != idEnd {
		t.Errorf("%d tokens", len(p.IDs))
	}
}

func TestKeysFollowTheTokens(t *testing.T) {
	w := vocabulary(t)
	a, b, c := w.question("The Tide"), w.question("the  tide"), w.question("the tides")
	if a.Key != b.Key {
		t.Error("equal tokens have different keys")
	}
	if a.Key == c.Key {
		t.Error("different tokens have one key")
	}
	if w.cut("", "the tide")[0].Key != a.Key {
		t.Error("a question and a passage of equal tokens have different keys")
	}
}

func TestAWordHasTheSamePiecesWhenItIsRemembered(t *testing.T) {
	w := vocabulary(t)
	text := strings.Repeat("Unbelievably tokenised Häuser "+strings.Repeat("x", 120)+" 灯台 ", 3)
	first := w.pieces(nil, text)
	if again := w.pieces(nil, text); !slices.Equal(again, first) || len(first)%3 != 0 || !slices.Equal(first[:len(first)/3], first[len(first)/3*2:]) {
		t.Errorf("%v, then %v", first, again)
	}
}
