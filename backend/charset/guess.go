package charset

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

const (
	sampled = 6 << 10 // bytes of words that a guess is made of
	clearly = 6.0     // nats that the best set is ahead of another text by, to be no doubt
	sounds  = -7.0    // nats a byte beyond ASCII has at least in a language that fits
)

// guess tells the set by the letters around what is not ASCII.
func guess(data []byte) Reading {
	ranked := judge(sample(data))
	for i, c := range ranked {
		if out, ok := c.set.read(data); ok {
			return Reading{Text: out, Charset: c.set.name, Doubtful: i > 0 || !c.sure(ranked)}
		}
	}
	out, _ := charmap.Windows1252.NewDecoder().Bytes(data) // every byte has a character in it, if only U+FFFD
	return Reading{Text: string(out), Charset: "windows-1252", Doubtful: true}
}

// candidate is a set with what the sample says to it.
type candidate struct {
	set    set
	text   string
	score  float64 // logarithm of how likely the sample is
	beyond float64 // nats a byte beyond ASCII
}

// sure reports whether a candidate is far ahead of all that would give another text.
func (c candidate) sure(ranked []candidate) bool {
	if c.beyond < sounds {
		return false
	}
	for _, other := range ranked {
		if other.text != c.text && c.score-other.score < clearly {
			return false
		}
	}
	return true
}

// read decodes a text; ok where next to nothing has no character in the set.
func (s set) read(data []byte) (text string, ok bool) {
	text, ok = decodesCleanly(s.enc, data)
	if s.enc == charmap.Windows1258 { // it writes the tones of vowels behind them
		text = norm.NFC.String(text)
	}
	return text, ok
}

// sample gives the words that have bytes beyond ASCII, each with a neighbour on
// both sides, which tell the language.
func sample(data []byte) []byte {
	words := bytes.FieldsFunc(data[:min(len(data), 4<<20)], func(r rune) bool { return r == ' ' || r == '\n' || r == '\r' || r == '\t' })
	var out []byte
	last := -1
	for i, w := range words {
		if !bytes.ContainsFunc(w, func(r rune) bool { return r >= utf8.RuneSelf }) {
			continue
		}
		for j := max(last+1, i-1); j <= min(i+1, len(words)-1); j++ {
			if w := words[j]; len(w) > 40 && j != i {
				continue // no word
			}
			out = append(append(out, words[j]...), ' ')
			last = j
		}
		if len(out) > sampled {
			break
		}
	}
	return out[:min(len(out), sampled)]
}

// judge weighs each set by how likely the sample is in it, in the language that
// fits best, the best first.
func judge(sample []byte) []candidate {
	m := trained()
	high := 0
	for _, b := range sample {
		if b >= utf8.RuneSelf {
			high++
		}
	}
	all := make([]candidate, 0, len(sets))
	for _, s := range sets {
		text, _ := s.read(sample)
		p := m.best([]rune(text), s.langs)
		all = append(all, candidate{s, text, p.sum - s.rare, p.beyond / float64(max(1, high))})
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return all
}

// best is how likely a text is in the language of these that fits best.
func (m *model) best(text []rune, codes []string) likelihood {
	best := likelihood{sum: math.Inf(-1)}
	for _, code := range codes {
		if p := m.likely(text, m.languages[code]); p.sum > best.sum {
			best = p
		}
	}
	return best
}
