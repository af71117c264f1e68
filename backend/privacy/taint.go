package privacy

import (
	"context"
	"hash/maphash"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"footnote/backend/lang"
	"footnote/backend/rank"
)

// Taint knows of one conversation what the reader wrote, what was read from files
// and which addresses a search or the reader brought. Every query and every
// address that leaves for the conversation is asked of it. Safe for concurrent
// use.
type Taint struct {
	mu     sync.Mutex
	wrote  text              // by the reader: may leave
	read   text              // from files: stays
	exact  map[string]bool   // addresses as they were brought
	stored map[string]string // and by their normal form
	held   bool              // words of a query were
	files  carriable         // what requests carry of files
}

// NewTaint makes a Taint that has read nothing: every query may leave, and no
// address is known.
func NewTaint() *Taint {
	return &Taint{wrote: newText(), read: newText(), exact: map[string]bool{}, stored: map[string]string{}, files: newCarriable()}
}

// Wrote notes what the reader wrote: its words may leave wherever they stand.
func (t *Taint) Wrote(texts ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range texts {
		t.wrote.add(s)
	}
}

// Read notes text of files, and what was said of it.
func (t *Taint) Read(texts ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, s := range texts {
		t.read.add(s)
	}
}

// HasRead reports whether text of files is in the conversation.
func (t *Taint) HasRead() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return len(t.read.words) > 0
}

// Query is a query as it may leave, as Kept has it, and notes that words were held.
func (t *Taint) Query(query string) (kept string, held []string) {
	kept, held = t.Kept(query)
	t.mu.Lock()
	t.held = t.held || len(held) > 0
	t.mu.Unlock()
	return kept, held
}

// HasHeld reports whether words of any query were held.
func (t *Taint) HasHeld() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.held
}

// Kept is a query as it may leave: without the words that stand only in what was
// read from files. It is empty when nothing is left that could be searched for.
// held are the words that stay.
func (t *Taint) Kept(query string) (kept string, held []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.read.words) == 0 {
		return query, nil
	}
	code := lang.Detect(query)
	for {
		words := tokens(query)
		drop := t.judge(code, words)
		if !slices.Contains(drop, true) {
			break
		}
		var gone []string
		query, gone = without(query, words, drop)
		held = append(held, gone...)
	}
	if len(held) > 0 && !slices.ContainsFunc(tokens(query), func(w token) bool { return !filler(code, w.word) }) {
		query = ""
	}
	return query, held
}

// Brought notes addresses that a search found or the reader gave.
func (t *Taint) Brought(addresses ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, a := range addresses {
		t.exact[a] = true
		if key := rank.NormalizeURL(a); t.stored[key] == "" {
			t.stored[key] = a
		}
	}
}

// Address is the spelling in which an address was brought; known is false for one
// that nobody brought, which may not be fetched.
func (t *Taint) Address(address string) (stored string, known bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.exact[address] {
		return address, true
	}
	stored, known = t.stored[rank.NormalizeURL(address)]
	return stored, known
}

type taintKey struct{}

// WithTaint has what leaves under ctx judged by t.
func WithTaint(ctx context.Context, t *Taint) context.Context {
	return context.WithValue(ctx, taintKey{}, t)
}

// TaintOf is the Taint that judges what leaves under ctx; nil where there is none,
// and then nothing may leave.
func TaintOf(ctx context.Context) *Taint {
	t, _ := ctx.Value(taintKey{}).(*Taint)
	return t
}

// text is a text as its words: each, and in their order by twos and threes.
type text struct {
	seed   maphash.Seed
	seen   map[uint64]bool // whole texts
	words  map[string]bool
	runs   map[uint64]bool // two and three words in a row
	joined []string        // letters and digits alone
}

func newText() text {
	return text{seed: maphash.MakeSeed(), seen: map[uint64]bool{}, words: map[string]bool{}, runs: map[uint64]bool{}}
}

func (t *text) add(s string) {
	key := maphash.String(t.seed, s)
	if s == "" || t.seen[key] {
		return
	}
	t.seen[key] = true
	words := tokens(s)
	for i, w := range words {
		t.words[w.word] = true
		for n := 2; n <= 3 && i+n <= len(words); n++ {
			t.runs[t.run(words[i:i+n])] = true
		}
	}
	if all := squeezed(words); all != "" {
		t.joined = append(t.joined, all)
	}
}

func (t *text) run(words []token) uint64 {
	var h maphash.Hash
	h.SetSeed(t.seed)
	for _, w := range words {
		_, _ = h.WriteString(w.word) // never fails
		_ = h.WriteByte(' ')
	}
	return h.Sum64()
}

// holds reports whether letters and digits stand together anywhere in the text,
// with or without gaps between them.
func (t *text) holds(letters string) bool {
	return slices.ContainsFunc(t.joined, func(all string) bool { return strings.Contains(all, letters) })
}

// has reports whether the text has a word, or one that differs from it only in its
// last letters.
func (t *text) has(word string) bool {
	return t.words[word] || utf8.RuneCountInString(word) >= leastInflected && !allDigits(word) && slices.ContainsFunc(endings(word), func(s string) bool { return t.words[s] })
}
