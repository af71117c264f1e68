package evidence

import (
	"strings"
	"testing"
)

func TestAnIDOfAPassageIsItsKeyInLetters(t *testing.T) {
	for i := range 200 {
		id := NewPassageID("digest", i, i+7)
		key, ok := id.Key()
		if !ok || PassageOf(key) != id || "psg_"+base32Lower.EncodeToString(key[:]) != string(id) {
			t.Fatalf("%s has the key %x (%v), which writes %s", id, key, ok, PassageOf(key))
		}
	}
	whole := string(NewPassageID("digest", 0, 7))
	for _, other := range []string{"", "psg_", "psg_odd one", whole + "a", whole[:len(whole)-1], strings.ToUpper(whole), "src_" + whole[4:], whole[:9] + "\n" + whole[10:], whole[:9] + "1" + whole[10:], whole[:len(whole)-1] + "b"} {
		if key, ok := PassageID(other).Key(); ok || key != [passageBytes]byte{} {
			t.Errorf("%q has the key %x", other, key)
		}
	}
}

func BenchmarkPassageKeys(b *testing.B) {
	id := NewPassageID("digest", 0, 7)
	b.ReportAllocs()
	for b.Loop() {
		key, _ := id.Key()
		id = PassageOf(key)
	}
}
