package embed

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"hash/crc32"
	"strings"
	"testing"

	"footnote/backend/embed/simd"
)

// file makes a weights file with this header and payload.
func file(header, payload string) string {
	b := []byte(fnwMagic)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(header)))
	b = binary.LittleEndian.AppendUint32(b, crc32.ChecksumIEEE([]byte(header)))
	return string(b) + header + payload
}

const small = `{"format":1,"model":"m","revision":"r","dim":8,"vocab":2,"tensors":[
	{"name":"tok.q","type":"i8","shape":[2,8],"offset":0},{"name":"tok.s","type":"f32","shape":[2],"offset":64}]}`

func twoWords() chunker { return chunker{tokenizer: newWordPiece("a\nb\n")} }

func TestWeightsThatAreDamagedAreRefused(t *testing.T) {
	payload := strings.Repeat("\x01", 72)
	good := file(small, payload)
	if _, err := newStatic(good, twoWords); err != nil {
		t.Fatalf("a small whole file is refused: %v", err)
	}
	replaced := func(old, new string) string { return file(strings.Replace(small, old, new, 1), payload) }
	bad := map[string]string{
		"empty":           "",
		"other magic":     "FNEMB\x00\x00\x02" + good[8:],
		"cut header":      good[:40],
		"cut payload":     good[:len(good)-1],
		"flipped header":  strings.Replace(good, "vocab", "vocaB", 1),
		"no JSON":         file("{", payload),
		"negative offset": replaced(`"offset":64`, `"offset":-64`),
		"odd offset":      replaced(`"offset":64`, `"offset":63`),
		"far offset":      replaced(`"offset":64`, `"offset":6400`),
		"huge shape":      replaced(`[2,8]`, `[2147483647,2147483647]`),
		"zero shape":      replaced(`[2,8]`, `[0,8]`),
		"other type":      replaced(`"i8"`, `"f64"`),
		"other shape":     replaced(`[2,8]`, `[8,2]`),
		"missing tensor":  replaced(`tok.q`, `tok.x`),
		"no scales":       replaced(`tok.s`, `tok.x`),
	}
	for name, data := range bad {
		if _, err := newStatic(data, twoWords); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}

func TestVerifyFindsAFlippedByte(t *testing.T) {
	w, err := parseWeights(file(strings.Replace(small, `"dim"`, `"payload_sha256":"00","dim"`, 1), strings.Repeat("\x01", 72)))
	if err != nil {
		t.Fatal(err)
	}
	if w.verify() == nil {
		t.Error("a wrong checksum is accepted")
	}
}

func FuzzWeights(f *testing.F) {
	f.Add(file(small, strings.Repeat("\x01", 72)))
	f.Add(file(`{}`, ""))
	f.Add("")
	f.Add(file(`{"format":1,"dim":384,"heads":12,"layers":9,"ffn":64,"max_tokens":256,"vocab":1,"tensors":[{"name":"vocab","type":"u8","shape":[4],"offset":0}]}`, "a\nb\n"))
	f.Fuzz(func(t *testing.T, data string) {
		if m, err := openModel(data); err == nil {
			m.words()
			if kernels := simd.Kernels(); len(kernels) > 0 {
				e := newEncoder(m, kernels[0])
				if _, err := e.network(); err == nil {
					e.Query("a b")
				}
			}
		}
		if s, err := newStatic(data, twoWords); err == nil {
			s.vector([]int32{0, 1, 1})
		}
	})
}

func FuzzPieces(f *testing.F) {
	s, err := NewStatic()
	if err != nil {
		f.Fatal(err)
	}
	for _, text := range []string{"", "Café 東京 x\u200by", "##ing [CLS]", strings.Repeat("a", 120), "\xff\xfe"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, id := range s.words().pieces(nil, text) {
			if id < 0 || int(id) >= len(s.scales) {
				t.Fatalf("id %d of %q is outside the table", id, text)
			}
		}
	})
}

// verify compares the payload with the checksum in the header. It reads the
// whole file, which is not done at every start.
func (w *weights) verify() error {
	sum := sha256.Sum256([]byte(w.payload))
	if hex.EncodeToString(sum[:]) != w.SHA256 {
		return errors.New("verify weights: payload is damaged")
	}
	return nil
}
