package pack

import (
	"bytes"
	"compress/flate"
	"errors"
	"slices"
	"strings"
	"testing"

	"footnote/backend/evidence"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestPackedTextsComeBackAsTheyWere(t *testing.T) {
	for _, text := range []string{"", "short", strings.Repeat("long text ", 1000), "\x00\xff\xfe"} {
		packed, err := new(Packer).Pack([]byte(text))
		must(t, err)
		got, err := Unpack(packed)
		must(t, err)
		if string(got) != text {
			t.Errorf("%d bytes came back as %d", len(text), len(got))
		}
	}
	for _, bad := range [][]byte{nil, {9, 1}, {deflate, 1, 2, 3}} {
		if _, err := Unpack(bad); err == nil {
			t.Errorf("%v was unpacked", bad)
		}
	}
}

// bomb is a value that unpacks to so many bytes.
func bomb(t *testing.T, size int) []byte {
	t.Helper()
	out := bytes.NewBuffer([]byte{deflate})
	w, err := flate.NewWriter(out, flate.BestSpeed)
	must(t, err)
	for piece := make([]byte, 1<<20); size > 0; size -= len(piece) {
		_, err = w.Write(piece)
		must(t, err)
	}
	must(t, w.Close())
	return sum(out.Bytes())
}

func TestAValueThatUnpacksWithoutEndIsRefused(t *testing.T) {
	packed := bomb(t, 2*mostUnpacked)
	if data, err := Unpack(packed); !errors.Is(err, errLarge) || data != nil {
		t.Errorf("%d bytes of %d: %v", len(data), len(packed), err)
	}
	if text, err := new(Packer).UnpackText(packed); !errors.Is(err, errLarge) || text != "" {
		t.Errorf("%d bytes of %d as text: %v", len(text), len(packed), err)
	}
}

func FuzzUnpack(f *testing.F) {
	good, err := new(Packer).Pack([]byte(strings.Repeat("text ", 200)))
	must(f, err)
	f.Add(good)
	f.Add([]byte{plain, 1, 2})
	f.Add([]byte{deflate})
	f.Fuzz(func(t *testing.T, data []byte) {
		text, err := Unpack(data)
		if err != nil || len(data) == 0 {
			return
		}
		again, err := new(Packer).Pack(text)
		must(t, err)
		if back, err := Unpack(again); err != nil || string(back) != string(text) {
			t.Errorf("%v: %v", data, err)
		}
	})
}

func TestNoFlippedBitOfAPackedValueIsPassedOver(t *testing.T) {
	for _, text := range []string{"", "The dose is 15 mg.", strings.Repeat("The dose is 15 mg. ", 100)} {
		packed, err := new(Packer).Pack([]byte(text))
		must(t, err)
		for at := range 8 * len(packed) {
			harmed := bytes.Clone(packed)
			harmed[at/8] ^= 1 << (at % 8)
			if got, err := Unpack(harmed); err == nil {
				t.Fatalf("bit %d of %d bytes: %q", at, len(packed), got)
			}
			if got, err := new(Packer).UnpackText(harmed); err == nil {
				t.Fatalf("bit %d of %d bytes: %q", at, len(packed), got)
			}
		}
	}
}

func TestValuesOfOlderVersionsAreRead(t *testing.T) {
	for _, packed := range [][]byte{{plain, 'o', 'l', 'd'}, append([]byte{deflate}, "\xca\xcfI\x01\x04\x00\x00\xff\xff"...)} {
		got, err := Unpack(packed)
		must(t, err)
		if again, err := new(Packer).UnpackText(packed); err != nil || again != string(got) || string(got) != "old" {
			t.Errorf("%q, %q, %v", got, again, err)
		}
	}
}

func TestBlocksComeBackAsTheyWere(t *testing.T) {
	blocks := []evidence.Block{
		{Start: 0, End: 9, Kind: evidence.Heading, Level: 2, Page: 1, Line: 3},
		{Start: 10, End: 400, Kind: evidence.TableRow, Page: 2, Line: 1, Unit: "sheet", Cells: "B2:D2"},
		{Start: 400, End: 401, Kind: evidence.Code, Page: 1},
	}
	for _, list := range [][]evidence.Block{nil, blocks, slices.Repeat(blocks, 500)} {
		packed, err := new(Packer).PackBlocks(list)
		must(t, err)
		got, err := UnpackBlocks(packed)
		must(t, err)
		if !slices.Equal(got, list) {
			t.Errorf("%d blocks came back as %d", len(list), len(got))
		}
	}
	if got, err := UnpackBlocks([]byte("\x00[{\"s\":1,\"e\":2,\"k\":\"list\"}]")); err != nil || len(got) != 1 || got[0].End != 2 {
		t.Errorf("of an older version: %v %v", got, err)
	}
	if _, err := new(Packer).PackBlocks([]evidence.Block{{Kind: "unheard of"}}); err == nil {
		t.Error("an unknown kind was packed")
	}
}

func FuzzUnpackBlocks(f *testing.F) {
	good, err := new(Packer).PackBlocks([]evidence.Block{{End: 4, Kind: evidence.Code, Unit: "slide", Cells: "A1"}})
	must(f, err)
	f.Add(good)
	f.Add([]byte{stepped, 200, 200, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		blocks, err := UnpackBlocks(data)
		if err != nil || data[0]&stepped == 0 {
			return
		}
		packed, err := new(Packer).PackBlocks(blocks)
		must(t, err)
		if back, err := UnpackBlocks(packed); err != nil || !slices.Equal(back, blocks) {
			t.Errorf("%v became %v: %v", blocks, back, err)
		}
	})
}

func TestPartsAtHandAreBoundedAndTheOldestGo(t *testing.T) {
	var r Recent
	if r.Get(1) != nil {
		t.Error("something is there at the start")
	}
	text := strings.Repeat("x", recentBytes/4)
	for key := range int64(4) {
		r.Put(key, *NewRuler(text))
	}
	r.Get(0)
	r.Put(4, *NewRuler(text))
	r.Put(4, *NewRuler(text))
	for key, want := range map[int64]bool{0: true, 1: false, 2: true, 4: true} {
		if got := r.Get(key); (got != nil) != want || want && got.text != text {
			t.Errorf("part %d: %v, want %v", key, got != nil, want)
		}
	}
	if r.bytes != recentBytes || r.used.Len() != 4 {
		t.Errorf("%d bytes in %d parts", r.bytes, r.used.Len())
	}
}

func TestAReaderMovesInItsOwnCopyOfAPart(t *testing.T) {
	var r Recent
	r.Put(1, *NewRuler("äöü äöü"))
	one, other := r.Get(1), r.Get(1)
	if one.byteAt(5) != 9 || other.cp != 0 {
		t.Errorf("one stands at %d, the other at %d", one.cp, other.cp)
	}
}

func BenchmarkUnpackingAPart(b *testing.B) {
	text := strings.Repeat("The keeper of the light wrote down each ship that passed, and the weather. ", 60)
	packed, err := new(Packer).Pack([]byte(text[:PartChars]))
	if err != nil {
		b.Fatal(err)
	}
	var p Packer
	for b.Loop() {
		if _, err := p.UnpackText(packed); err != nil {
			b.Fatal(err)
		}
	}
}
