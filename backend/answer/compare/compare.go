// Package compare holds two sentences of different sources against each other: which
// words they share in the same order, and where one has another word than the other.
package compare

import (
	"strings"
	"unicode"

	"footnote/backend/lang"
	"footnote/backend/rank"
)

// Sentence is a text cut into words, to be compared.
type Sentence struct {
	Text  string
	words []word
}

type word struct {
	key        string // equal for forms of one word
	start, end int    // bytes of the text
	content    bool   // it is more than a function word
	number     bool
}

// Place is a part of both sentences, between words that they share, in which they
// differ.
type Place struct {
	A, B string // what each says there; empty when it says nothing more
	Edge bool   // before the first shared word, or behind the last
}

// Frame is what two sentences share.
type Frame struct {
	Shared  float64  // of the words of the shorter one, in the same order
	Content []string // words among them that are more than function words, in lower case as the first sentence has them
	Swapped []Place  // both have words of content there, and one of them a word that the other sentence lacks
	Extra   []Place  // only one of them has words of content, and the other sentence lacks one of those
}

// Read cuts a text into words. Those that ignored names are left out; nil leaves out
// none. Words of function are those of the text's language, of English where it is
// not known.
func Read(text string, ignored func(word string) bool) Sentence {
	s := Sentence{Text: text}
	language := lang.Detect(text)
	if language == lang.Unknown {
		language = lang.English
	}
	at := 0
	for _, field := range strings.Fields(text) {
		at += strings.Index(text[at:], field)
		from, to := bare(field)
		w := word{start: at + from, end: at + to}
		at += len(field)
		if from >= to {
			continue
		}
		said := text[w.start:w.end]
		lower := strings.ToLower(said)
		if ignored != nil && ignored(lower) {
			continue
		}
		first := []rune(said)[0]
		w.number = unicode.IsDigit(first)
		w.content = w.number || !lang.IsFunctionWord(language, said)
		w.key = strings.Join(rank.Terms(said), " ")
		if w.number {
			w.key = strings.ReplaceAll(lower, ",", "")
		}
		if w.key == "" || !w.content {
			w.key = lower
		}
		s.words = append(s.words, w)
	}
	return s
}

// Words is how many words a sentence has.
func (s Sentence) Words() int { return len(s.words) }

// bare is where a word stands without the punctuation around it and without an
// English genitive.
func bare(field string) (from, to int) {
	isPart := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '%' }
	if from = strings.IndexFunc(field, isPart); from < 0 {
		return 0, 0
	}
	last := strings.LastIndexFunc(field, isPart)
	to = last + len(string([]rune(field[last:])[0]))
	for _, genitive := range []string{"'s", "’s"} {
		if strings.HasSuffix(field[from:to], genitive) {
			to -= len(genitive)
		}
	}
	return from, to
}

// Align finds what two sentences share and where they differ. same tells which words
// count as one besides equal ones, by what stands there; nil for none.
func Align(a, b Sentence, same func(a, b string) bool) (f Frame) {
	pairs := longest(a, b, same)
	if len(pairs) > 0 {
		f.Shared = float64(len(pairs)) / float64(min(len(a.words), len(b.words)))
	}
	i, j := 0, 0
	for k, p := range append(pairs, [2]int{len(a.words), len(b.words)}) {
		mine, new := a.part(i, p[0], b)
		theirs, newer := b.part(j, p[1], a)
		place := Place{mine, theirs, k == 0 || k == len(pairs)}
		switch {
		case !new && !newer:
		case mine != "" && theirs != "":
			f.Swapped = append(f.Swapped, place)
		default:
			f.Extra = append(f.Extra, place)
		}
		if p[0] < len(a.words) && a.words[p[0]].content {
			f.Content = append(f.Content, strings.ToLower(a.Text[a.words[p[0]].start:a.words[p[0]].end]))
		}
		i, j = p[0]+1, p[1]+1
	}
	return f
}

// part is what stands between two words, empty where that is words of function only.
// lacking reports whether the other sentence lacks one of its words of content.
func (s Sentence) part(from, to int, other Sentence) (text string, lacking bool) {
	said := false
	for _, w := range s.words[from:to] {
		said = said || w.content
		lacking = lacking || w.content && !other.has(w.key)
	}
	if !said {
		return "", false
	}
	return s.Text[s.words[from].start:s.words[to-1].end], lacking
}

func (s Sentence) has(key string) bool {
	for _, w := range s.words {
		if w.key == key {
			return true
		}
	}
	return false
}

// longest is the longest run of words, by place in both, that two sentences have in
// the same order.
func longest(a, b Sentence, same func(a, b string) bool) (pairs [][2]int) {
	n, m := len(a.words), len(b.words)
	alike := func(i, j int) bool {
		x, y := a.words[i], b.words[j]
		return x.key == y.key || same != nil && same(a.Text[x.start:x.end], b.Text[y.start:y.end])
	}
	best := make([][]int, n+1)
	for i := range best {
		best[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if best[i][j] = max(best[i+1][j], best[i][j+1]); alike(i, j) {
				best[i][j] = best[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case alike(i, j):
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case best[i+1][j] >= best[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}
