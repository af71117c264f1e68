package rank

import (
	"slices"
	"strings"
	"testing"
)

func TestAPhraseIsExactWords(t *testing.T) {
	for _, c := range []struct {
		phrase, text string
		want         int
	}{
		{"net income", "Net income rose. The NET-INCOME fell; net\nincome", 3},
		{"net income", "net incomes, internet income, income net", 0},
		{"tax", "Taxes, taxi, syntax; the tax's end. Tax!", 2},
		{"cafe", "Café, CAFÉ, cafe\u0301, cafes", 3},
		{"Café", "cafe", 1},
		{"to be or not to be", "To be, or not to be: to be or not to be", 2},
		{"don't", "Don’t. DON'T don t", 3},
		{"12,000", "12,000 and 12000", 1},
		{"straße", "Straße STRASSE", 1},
		{"столица", "Столица, столицы", 1},
		{"ёлка", "Елка ёлка", 2},
		{"京", "東京都の京", 2},
		{"東京", "東京都 京東", 1},
		{"مدينة", "مدينه المدينة مَدِينَة", 2},
		{"na na", "na na na", 2},
		{"", "anything", 0},
		{"?!", "?!", 0},
	} {
		p := NewPhrase(c.phrase)
		if got := p.Places(c.text); len(got) != c.want || p.In(c.text) != (c.want > 0) {
			t.Errorf("%q stands %d times in %q, want %d", c.phrase, len(got), c.text, c.want)
		}
	}
	text := "The Café’s net  INCOME."
	if at := NewPhrase("net income").Places(text)[0]; text[at.Start:at.End] != "net  INCOME" {
		t.Errorf("placed at %q", text[at.Start:at.End])
	}
}

func TestTellingWordsFindEveryTextWithThePhrase(t *testing.T) {
	for phrase, want := range map[string]string{
		"the net incomes": "net incomes", "to be or not to be": "", "京": "", "東京": "東京", "2024年": "2024", "Running, running": "running",
	} {
		if got := strings.Join(NewPhrase(phrase).Telling(), " "); got != want {
			t.Errorf("%q is told by %q, want %q", phrase, got, want)
		}
	}
}

func FuzzPhrase(f *testing.F) {
	for _, s := range [][2]string{{"net income", "Net income"}, {"東京", "東京都"}, {"é", "e\u0301x é"}, {"\xff", "a\xffb"}, {"ﬁ", "fi ﬁ"}, {"İ", "i İ"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, phrase, text string) {
		p := NewPhrase(phrase)
		for _, at := range p.Places(text) {
			if at.Start < 0 || at.End > len(text) || at.Start >= at.End {
				t.Fatalf("%q is placed at %v of %q", phrase, at, text)
			}
			if again := NewPhrase(text[at.Start:at.End]); !slices.Equal(again.words, p.words) {
				t.Fatalf("%q is found as %q", p.words, again.words)
			}
		}
		if !p.Empty() && !p.In("x "+phrase+" x") {
			t.Fatalf("%q is not found in itself", phrase)
		}
	})
}
