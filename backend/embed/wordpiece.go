package embed

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync/atomic"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Ids of the vocabulary that are no text.
const (
	idPad     = 0
	idUnknown = 100
	idStart   = 101
	idEnd     = 102
	idMask    = 103
)

const longestWord = 100 // runes; a longer word is unknown

// wordPiece is the uncased BERT tokenizer. Its maps hold views of the
// vocabulary.
type wordPiece struct {
	heads   map[string]int32 // whole words and their beginnings
	tails   map[string]int32 // continuations, without their "##"
	longest int              // bytes of the longest entry
	seed    maphash.Seed
	recent  [recentWords]atomic.Pointer[pieced] // by the word's hash
}

// recentWords is how many words in pieces are remembered at most, some 100 bytes
// each. A text has most of its words from a few thousand.
const recentWords = 1 << 14

// pieced is a word with its pieces.
type pieced struct {
	word string
	ids  []int32
}

// newWordPiece reads a vocabulary: one piece a line, the line number is its id.
func newWordPiece(vocab string) *wordPiece {
	w := &wordPiece{heads: make(map[string]int32, 25_000), tails: make(map[string]int32, 6_000), seed: maphash.MakeSeed()}
	id := int32(0)
	for line := range strings.Lines(vocab) {
		piece := strings.TrimSuffix(line, "\n")
		w.longest = max(w.longest, len(piece))
		if tail, ok := strings.CutPrefix(piece, "##"); ok && tail != "" {
			w.tails[tail] = id
		} else {
			w.heads[piece] = id
		}
		id++
	}
	return w
}

func (w *wordPiece) marks() (start, end int32) { return idStart, idEnd }

// splitter cuts one text into words and appends their pieces to ids.
type splitter struct {
	*wordPiece
	ids  []int32
	word []byte // the word being read, lower case, without accents
}

// pieces appends the ids of text to dst. Marks such as "[CLS]" are ordinary text.
func (w *wordPiece) pieces(dst []int32, text string) []int32 {
	var space [64]byte
	s := splitter{wordPiece: w, ids: dst, word: space[:0]}
	for i := 0; i < len(text); {
		c := text[i]
		if low := lower[c]; low != 0 {
			s.word = append(s.word, low)
			i++
			continue
		}
		if c < utf8.RuneSelf {
			s.ascii(c)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		s.rune(r, text[i:i+n])
		i += n
	}
	s.end()
	return s.ids
}

// lower has the ASCII letters, in lower case, and the digits; 0 for all else.
var lower = func() (table [256]byte) {
	for c := byte('0'); c <= '9'; c++ {
		table[c] = c
	}
	for c := byte('a'); c <= 'z'; c++ {
		table[c], table[c+'A'-'a'] = c, c
	}
	return table
}()

func (s *splitter) ascii(c byte) {
	switch {
	case lower[c] != 0:
		s.word = append(s.word, lower[c])
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		s.end()
	case c < ' ' || c == 0x7f: // control characters vanish
	default:
		s.end()
		s.word = append(s.word, c)
		s.end()
	}
}

// rune takes one character beyond ASCII, which stands in the text as seg. An
// accent may be dropped rune by rune: all of them go, so their order is nothing.
func (s *splitter) rune(r rune, seg string) {
	switch {
	case r == utf8.RuneError:
	case unicode.In(r, unicode.Zs, unicode.Zl, unicode.Zp):
		s.end()
	case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co) || !assigned(r):
	case isIdeograph(r): // before decomposition: the compatibility ideographs decompose
		s.end()
		s.word = norm.NFD.AppendString(s.word, seg)
		s.end()
	default:
		var buf [64]byte
		for _, x := range string(norm.NFD.AppendString(buf[:0], seg)) {
			s.decomposed(x)
		}
	}
}

func (s *splitter) decomposed(r rune) {
	switch {
	case r < utf8.RuneSelf:
		s.ascii(byte(r))
	case unicode.Is(unicode.Mn, r):
	case unicode.Is(unicode.P, r):
		s.end()
		s.word = utf8.AppendRune(s.word, r)
		s.end()
	default:
		s.word = utf8.AppendRune(s.word, unicode.ToLower(r))
	}
}

// assigned reports whether Unicode has given the code point a meaning.
func assigned(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.C)
}

func isIdeograph(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0xF900 && r <= 0xFAFF ||
		r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2B81F || r >= 0x2B820 && r <= 0x2CEAF ||
		r >= 0x2F800 && r <= 0x2FA1F
}

// end appends the pieces of the word read so far.
func (s *splitter) end() {
	word := s.word
	s.word = s.word[:0]
	if len(word) == 0 {
		return
	}
	slot := &s.recent[maphash.Bytes(s.seed, word)%recentWords]
	if known := slot.Load(); known != nil && known.word == string(word) {
		s.ids = append(s.ids, known.ids...)
		return
	}
	start := len(s.ids)
	s.ids = s.appendPieces(s.ids, word)
	if len(word) <= longestWord {
		slot.Store(&pieced{string(word), slices.Clone(s.ids[start:])})
	}
}

// appendPieces appends the pieces of a word: longest match first, and one unknown when a
// rest matches nothing.
func (w *wordPiece) appendPieces(ids []int32, word []byte) []int32 {
	if len(word) > longestWord && utf8.RuneCount(word) > longestWord {
		return append(ids, idUnknown)
	}
	start, table := len(ids), w.heads
	for len(word) > 0 {
		id, n := w.longestPiece(table, word)
		if n == 0 {
			return append(ids[:start], idUnknown)
		}
		ids = append(ids, id)
		word, table = word[n:], w.tails
	}
	return ids
}

// longestPiece finds the longest entry that word begins with; n is 0 when there
// is none.
func (w *wordPiece) longestPiece(table map[string]int32, word []byte) (id int32, n int) {
	for n = min(len(word), w.longest); n > 0; n-- {
		if n < len(word) && !utf8.RuneStart(word[n]) {
			continue
		}
		if id, ok := table[string(word[:n])]; ok { // no copy is made for the look-up
			return id, n
		}
	}
	return 0, 0
}
