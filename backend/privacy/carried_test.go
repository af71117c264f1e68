package privacy

import (
	"slices"
	"testing"

	"footnote/backend/evidence"
)

func TestATextIsCarriedByEightWordsInARowOrAsAWhole(t *testing.T) {
	taint := NewTaint()
	taint.Tells("long", "The toll was four pence for a cart until the county took it over in 1951.")
	taint.Tells("short", "Code 4711-AB")
	taint.Tells("japanese", "橋の通行料は四ペンスでした")
	taint.Tells("empty", " … ")
	for text, want := range map[string][]evidence.PassageID{
		"":                                     nil,
		"A question about the toll for a cart": nil,
		"“Four  Pence for a\ncart, until the COUNTY took":                   {"long"},
		"four pence for a cart until a county took it":                      nil,
		"the code 4711 ab, and: was four pence for a cart until the county": {"long", "short"},
		"code 4711": nil,
		"… 橋の通行料は四ペンスでした。": {"japanese"},
	} {
		if got := taint.Carried(text); !slices.Equal(got, want) {
			t.Errorf("%q carries %v, want %v", text, got, want)
		}
	}
	if got := taint.Carried("four pence for a cart", "until the county took it over"); got != nil {
		t.Errorf("two messages carry %v", got)
	}
}

func BenchmarkCarried(b *testing.B) {
	taint := NewTaint()
	var message string
	for i := range 200 {
		text := ""
		for k := range 200 {
			text += string(rune('a'+(i*k)%26)) + string(rune('a'+(i+k)%26)) + "word "
		}
		taint.Tells(evidence.PassageID(rune(i)), text)
		if i%4 == 0 {
			message += text
		}
	}
	for b.Loop() {
		taint.Carried(message)
	}
}
