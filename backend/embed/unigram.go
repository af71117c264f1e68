package embed

import (
	"encoding/binary"
	"hash/maphash"
	"math"
	"slices"
	"sort"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Ids of a unigram vocabulary that are no text; the others are in the order of their
// bytes.
const (
	unigramStart   = 0
	unigramEnd     = 1
	unigramUnknown = 2
	unigramFirst   = 3
)

// wordMark stands before a word in its first piece: the space, in SentencePiece.
const wordMark = '\u2581'

// unigram cuts text into the likeliest pieces of its vocabulary: Kudo, Subword
// Regularization (2018), over NFKC as SentencePiece does it.
type unigram struct {
	vocab   string   // pieces in the order of their bytes, one a line
	offsets []uint32 // of a piece in vocab, and the end
	scores  string   // logarithms of their probabilities: float32, little-endian
	byByte  [257]int // the first piece that begins with a byte
	unknown float32  // the score of a character that is in no piece
	seed    maphash.Seed
	recent  [recentWords]atomic.Pointer[pieced]
}

// unlikely is how far below all pieces a character stands that is in none.
const unlikely = 10

// newUnigram reads a vocabulary and its scores, one for each line.
func newUnigram(vocab, scores string) *unigram {
	u := &unigram{vocab: vocab, scores: scores, seed: maphash.MakeSeed()}
	at := uint32(0)
	for line := range strings.Lines(vocab) {
		id := len(u.offsets)
		u.offsets = append(u.offsets, at)
		at += uint32(len(line))
		if id >= unigramFirst {
			u.unknown = min(u.unknown, u.score(id)-unlikely)
		}
	}
	pieces := u.offsets[min(unigramFirst, len(u.offsets)):]
	for b := range u.byByte {
		u.byByte[b] = unigramFirst + sort.Search(len(pieces), func(i int) bool { return int(vocab[pieces[i]]) >= b })
	}
	u.offsets = append(u.offsets, at+1) // as if the last line ended
	return u
}

func (u *unigram) score(id int) float32 {
	return math.Float32frombits(binary.LittleEndian.Uint32([]byte(u.scores[4*id : 4*id+4])))
}

func (u *unigram) piece(id int) string { return u.vocab[u.offsets[id] : u.offsets[id+1]-1] }

func (u *unigram) marks() (start, end int32) { return unigramStart, unigramEnd }

// pieces appends the ids of text to dst. Marks such as "<s>" are ordinary text.
func (u *unigram) pieces(dst []int32, text string) []int32 {
	for word := range strings.FieldsFuncSeq(norm.NFKC.String(text), separates) {
		dst = u.word(dst, word)
	}
	return dst
}

// separates reports whether a character stands between words, as controls do.
func separates(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) || r == wordMark }

// word appends the pieces of a word.
func (u *unigram) word(dst []int32, word string) []int32 {
	slot := &u.recent[maphash.String(u.seed, word)%recentWords]
	if known := slot.Load(); known != nil && known.word == word {
		return append(dst, known.ids...)
	}
	from := len(dst)
	for long := word; len(long) > 0; { // what has no spaces is cut into spans that are looked at as a whole
		span := long
		if len(span) > longestSpan {
			span = span[:longestSpan]
			for len(span) > 1 && !utf8.RuneStart(long[len(span)]) {
				span = span[:len(span)-1]
			}
		}
		long = long[len(span):]
		if len(dst) == from {
			span = string(wordMark) + span
		}
		dst = u.likeliest(dst, span)
	}
	if len(word) <= longestWord {
		slot.Store(&pieced{strings.Clone(word), slices.Clone(dst[from:])})
	}
	return dst
}

const longestSpan = 512 // bytes

// likeliest appends the pieces whose scores add up to the most (Viterbi).
func (u *unigram) likeliest(dst []int32, text string) []int32 {
	var space [128]step
	best := append(space[:0], make([]step, len(text)+1)...)
	for i := range best[1:] {
		best[i+1].score = float32(math.Inf(-1))
	}
	reach := func(from, to int, id int32, score float32) {
		if score += best[from].score; score > best[to].score {
			best[to] = step{score, id, from}
		}
	}
	for at := 0; at < len(text); {
		u.begin(text[at:], func(id, length int) { reach(at, at+length, int32(id), u.score(id)) })
		_, width := utf8.DecodeRuneInString(text[at:])
		reach(at, at+width, unigramUnknown, u.unknown)
		at += width
	}
	from := len(dst)
	for at := len(text); at > 0; at = best[at].from {
		dst = append(dst, best[at].id)
	}
	slices.Reverse(dst[from:])
	return dst
}

// step is the best way to a place in a text: its score, and its last piece with where
// that begins.
type step struct {
	score float32
	id    int32
	from  int
}

// begin calls found for each piece that text begins with, shortest first. The pieces
// with a common beginning stand together, so that each byte narrows the range.
func (u *unigram) begin(text string, found func(id, length int)) {
	lo, hi := u.byByte[text[0]], u.byByte[int(text[0])+1]
	for n := 1; lo < hi; n++ {
		if p := u.piece(lo); len(p) == n {
			found(lo, n)
			lo++
		}
		if n == len(text) {
			return
		}
		lo, hi = u.narrow(lo, hi, n, text[n])
	}
}

// narrow finds among pieces of a common beginning of n bytes those that have c next.
func (u *unigram) narrow(lo, hi, n int, c byte) (from, to int) {
	first := func(lo, hi int, c int) int {
		for lo < hi {
			if mid := (lo + hi) / 2; int(u.vocab[int(u.offsets[mid])+n]) < c {
				lo = mid + 1
			} else {
				hi = mid
			}
		}
		return lo
	}
	from = first(lo, hi, int(c))
	return from, first(from, hi, int(c)+1)
}
