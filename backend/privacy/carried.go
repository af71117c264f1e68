package privacy

import (
	"context"
	"hash/maphash"
	"slices"
	"sync"

	"footnote/backend/evidence"
)

// runLength is how many words in a row a request must share with a text to carry
// it; of a shorter text it must have all.
const runLength = 8

// carriable are texts of passages of files, as the words that a request has when
// it carries them. Safe for concurrent use.
type carriable struct {
	mu    sync.Mutex
	seed  maphash.Seed
	seen  map[uint64]bool // passages with a text
	texts []carriedText
}

type carriedText struct {
	passage evidence.PassageID
	words   []uint64
}

func newCarriable() carriable {
	return carriable{seed: maphash.MakeSeed(), seen: map[uint64]bool{}}
}

// Tells notes a text of a passage of a file, or what was said of it: a request
// that carries it sends the passage.
func (t *Taint) Tells(passage evidence.PassageID, text string) {
	c := &t.files
	c.mu.Lock()
	defer c.mu.Unlock()
	key := maphash.String(c.seed, string(passage)+"\x00"+text)
	words := c.words(text)
	if c.seen[key] || len(words) == 0 {
		return
	}
	c.seen[key] = true
	c.texts = append(c.texts, carriedText{passage, words})
}

// Carried are the passages of files of which texts carry words, in the order in
// which they became known.
func (t *Taint) Carried(texts ...string) (passages []evidence.PassageID) {
	c := &t.files
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.texts) == 0 {
		return nil
	}
	var all []uint64
	for _, text := range texts {
		all = append(append(all, c.words(text)...), 0) // no run goes over the end of a text
	}
	runs := map[int]map[uint64]bool{} // by their length
	for _, known := range c.texts {
		n := min(runLength, len(known.words))
		if runs[n] == nil {
			runs[n] = map[uint64]bool{}
			for at := range len(all) - n + 1 {
				runs[n][runOf(all[at:at+n])] = true
			}
		}
		if !slices.Contains(passages, known.passage) && known.standsIn(runs[n], n) {
			passages = append(passages, known.passage)
		}
	}
	return passages
}

func (k carriedText) standsIn(runs map[uint64]bool, n int) bool {
	for at := range len(k.words) - n + 1 {
		if runs[runOf(k.words[at:at+n])] {
			return true
		}
	}
	return false
}

func (c *carriable) words(text string) []uint64 {
	tokens := tokens(text)
	words := make([]uint64, len(tokens))
	for i, w := range tokens {
		words[i] = maphash.String(c.seed, w.word)
	}
	return words
}

func runOf(words []uint64) (run uint64) {
	for _, w := range words {
		run = (run ^ w) * 0x100000001b3
	}
	return run
}

type carriedKey struct{}

// Carrying has the ledger say of every request under ctx that it sends passages,
// beside those that ctx carries already.
func Carrying(ctx context.Context, passages ...evidence.PassageID) context.Context {
	if len(passages) == 0 {
		return ctx
	}
	return context.WithValue(ctx, carriedKey{}, slices.Concat(carriedBy(ctx), passages))
}

func carriedBy(ctx context.Context) []evidence.PassageID {
	passages, _ := ctx.Value(carriedKey{}).([]evidence.PassageID)
	return passages
}
