package meaning

import (
	"context"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/library"
	"footnote/backend/llm"
	"footnote/backend/rank"
)

// Encoder makes vectors of pieces of text; *embed.Encoder is one. Encode returns
// the vectors that stand when ctx ends, and works on one goroutine a call. Nearness is
// what a cosine of its vectors says, about 0 for what is unlike. Distinct is a question's
// vector for a search, NearnessOf what its product with that of a passage says.
type Encoder interface {
	Nearness(cos float64) float64
	Distinct(question embed.Vector) embed.Vector
	NearnessOf(dot float64) float64
	ID() string
	Cut(title, body string) []embed.Piece
	Ends(body string, pieces int) []int
	Query(text string) embed.Piece
	Sentence(text string) embed.Piece
	Encode(ctx context.Context, pieces []embed.Piece) ([]embed.Vector, error)
}

// Store keeps packed vectors by passage, as long as the passage stands in the
// library. PutEncoded passes over passages that it does not have. Unencoded gives
// passages without vectors and counts those that have some.
type Store interface {
	Encoded(ctx context.Context, model string, ids []evidence.PassageID) (map[evidence.PassageID][]byte, error)
	PutEncoded(ctx context.Context, model string, ids []evidence.PassageID, packed [][]byte) error
	Unencoded(ctx context.Context, model string, n int) (due []library.Placed, have, all int, err error)
	EachEncoded(ctx context.Context, model string, each func(ids []evidence.PassageID, digests []string, packed [][]byte) error) error
}

// Options may change while the reranker works.
type Options struct {
	On   bool
	Top  int  // passages that may be encoded while a question waits
	Wait bool // a question may wait for the encoder
}

// Config is what a reranker works with. Memory is the most bytes of vectors that are
// kept at hand; 0 means 32 MB. OnBattery may be nil.
type Config struct {
	Encoder   Encoder
	Tokens    Tokens       // nil: Matches and Read cannot tell
	Cross     CrossEncoder // nil: Answers cannot tell
	Joint     CrossEncoder // nil: Joined cannot tell
	Store     Store
	Options   func() Options
	Memory    int
	OnBattery func() bool
	Log       *slog.Logger
}

const defaultMemory = 32 << 20

// Reranker is the sentence encoder as searches use it. Make it with New, close it
// once. Safe for concurrent use.
type Reranker struct {
	Config
	recall recall
	once   once
	asked  questions
	gate   *llm.Gate // closed while the processor is wanted for something that is waited for
	work   work
	flat   flat
	opened chan struct{} // closed when the vectors that were stored before are at hand
}

// New makes a reranker.
func New(c Config) *Reranker {
	if c.Memory <= 0 {
		c.Memory = defaultMemory
	}
	r := &Reranker{Config: c, gate: llm.NewGate(), opened: make(chan struct{})}
	r.recall.init(c.Memory)
	r.work.init()
	return r
}

// Close ends the work in the background and waits for it. What was made is
// stored; the rest is taken up by the next reranker.
func (r *Reranker) Close() error {
	r.work.close()
	return nil
}

// On tells whether the settings let the encoder take part.
func (r *Reranker) On() bool { return r.Options().On }

// Cosines tells how near texts, which come best first, are to a question: of a
// passage with several pieces the nearest counts. All that have vectors are told of,
// and the best Options.Top, whose vectors are made at once; what the first
// rank.ReorderFirst lack is made in the background for the next time. When the best
// are not done within wait nothing is told: an order depends on what is
// known, never on how fast this computer is just now.
func (r *Reranker) Cosines(ctx context.Context, question string, texts []rank.Text, wait time.Duration) map[evidence.PassageID]float64 {
	opt := r.Options()
	if !opt.On || len(texts) == 0 {
		return nil
	}
	defer r.Hold()()
	asked, ok := r.question(ctx, question)
	if !ok {
		return nil
	}
	asked = r.Encoder.Distinct(asked)
	found := r.known(ctx, texts)
	if missing := lacking(texts[:min(len(texts), rank.ReorderFirst)], found); len(missing) > 0 {
		if !opt.Wait {
			wait = 0
		}
		top := min(opt.Top, len(texts))
		r.encodeMissing(ctx, texts[:top], found[:top], wait)
		r.later(missing)
		if slices.Contains(found[:top], nil) {
			return nil
		}
	}
	cosines := map[evidence.PassageID]float64{}
	for i, f := range found {
		if f == nil {
			continue
		}
		if cos, has := f.nearest(asked); has {
			cosines[texts[i].ID] = r.Encoder.NearnessOf(cos)
		}
	}
	return cosines
}

func lacking(texts []rank.Text, found []*encoded) (missing []rank.Text) {
	for i, t := range texts {
		if found[i] == nil {
			missing = append(missing, t)
		}
	}
	return missing
}

func (r *Reranker) question(ctx context.Context, question string) (embed.Vector, bool) {
	if v, known := r.asked.get(question); known {
		return v, true
	}
	piece := r.Encoder.Query(question)
	if len(piece.IDs) == 0 {
		return embed.Vector{}, false
	}
	v, err := r.Encoder.Encode(ctx, []embed.Piece{piece})
	if err != nil || len(v) != 1 {
		r.complain(ctx, "encode question", err)
		return embed.Vector{}, false
	}
	r.asked.put(question, v[0])
	return v[0], true
}

func (r *Reranker) complain(ctx context.Context, what string, err error) {
	if err != nil && ctx.Err() == nil {
		r.Log.Warn(what, "err", err)
	}
}

// encodeMissing makes missing vectors on all cores, best first, and puts what is
// done in time into found.
func (r *Reranker) encodeMissing(ctx context.Context, texts []rank.Text, found []*encoded, wait time.Duration) {
	var due []int
	for i, f := range found {
		if f == nil {
			due = append(due, i)
		}
	}
	if len(due) == 0 || wait <= 0 {
		return
	}
	limited, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(due)) {
		workers.Go(func() {
			encode := func(i int) {
				if e, err := r.encodeOnce(limited, texts[i]); err == nil {
					found[i] = e
				} else if limited.Err() == nil {
					r.complain(ctx, "encode passage", err)
				}
			}
			var others []int // that somebody else makes just now
			for k := int(next.Add(1)) - 1; k < len(due) && limited.Err() == nil; k = int(next.Add(1)) - 1 {
				if i := due[k]; r.once.busy(flightOf(texts[i])) {
					others = append(others, i)
				} else {
					encode(i)
				}
			}
			for _, i := range others {
				encode(i)
			}
		})
	}
	workers.Wait()
}

// encode makes the vectors of one passage and keeps them at hand. What the
// encoder cannot read has none.
func (r *Reranker) encode(ctx context.Context, text rank.Text) (*encoded, error) {
	e := &encoded{key: keyOf(text)}
	vectors, err := r.Encoder.Encode(ctx, r.Encoder.Cut(text.Title, text.Body))
	if err != nil {
		return nil, err
	}
	e.vectors = vectors
	r.recall.put(text.ID, e)
	return e, nil
}
