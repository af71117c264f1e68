package app

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"footnote/backend/answer"
	"footnote/backend/answer/gather"
	vectors "footnote/backend/embed"
	"footnote/backend/embed/meaning"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/lang"
	"footnote/backend/library"
	"footnote/backend/llm"
	"footnote/backend/privacy"
	"footnote/backend/research/headings"
	"footnote/backend/settings"
)

// embedding is what makes vectors: an embedder for the index, and the sentence
// encoder, which orders what was found. All may be nil.
type embedding struct {
	index     llm.Embedder
	sentences headings.Encoder // the encoder itself
	shelf     library.Meaning
	answer    gather.Meaning
	reranker  func() *meaning.Reranker // the one for libraries of others; nil without an encoder
}

// builtIn reports whether a value of models.embedding means the built-in one.
func builtIn(chosen string) bool { return chosen == "" || chosen == "auto" || chosen == "builtin" }

// embedding builds the embedders that the settings name. Another choice counts
// from the next start on.
func (b *builder) embedding(ctx context.Context, providers func() []llm.Provider) (e embedding, err error) {
	chosen := b.settings.Now().Models.Embedding
	if chosen == "none" {
		return e, nil
	}
	if e.index, err = vectors.NewStatic(); err != nil {
		return e, err
	}
	if !builtIn(chosen) {
		e.index = &servedEmbedder{name: chosen, providers: providers, gates: b.gates, privacy: func() settings.PrivacySettings { return b.settings.Now().Privacy }, consents: b.db}
	}
	encoder, err := vectors.NewMultilingual()
	if errors.Is(err, vectors.ErrNoKernel) {
		b.log.Info("the sentence encoder is off", "reason", err)
		return e, nil
	}
	if err != nil {
		return e, err
	}
	if err := b.db.DropEncoded(ctx, encoder.ID()); err != nil {
		return e, err
	}
	tokens, err := vectors.NewEncoder()
	if err != nil {
		return e, err
	}
	cross, err := vectors.NewCrossEncoder()
	if err != nil {
		return e, err
	}
	joint, err := encoder.Joint()
	if err != nil {
		return e, err
	}
	over := func(kept meaning.Store) *meaning.Reranker {
		reranker := meaning.New(meaning.Config{
			Encoder: encoder, Tokens: tokens, Cross: cross, Joint: joint, Store: kept, Options: func() meaning.Options { return b.encoderOptions(chosen) },
			OnBattery: meaning.Battery("/sys/class/power_supply", b.now), Log: b.log,
		})
		b.defer_(func(context.Context) error { return reranker.Close() })
		return reranker
	}
	reranker := over(b.db)
	e.reranker = sync.OnceValue(func() *meaning.Reranker { return over(nothingEncoded{}) })
	e.shelf, e.answer, e.sentences = reranker, reranker, encoder
	return e, nil
}

// likelihood is what the vocabularies of the encoders know of a word; 1 piece, as of one
// that is known, in a damaged build.
func (b *builder) likelihood(code lang.Code, word string) (pieces int, logarithm float64) {
	pieces, logarithm, err := vectors.Likelihood(word)
	if err == nil && code == lang.English {
		var english int
		english, err = vectors.EnglishPieces(word)
		pieces = min(pieces, english)
	}
	if err != nil {
		b.log.Warn("cut a word into pieces", "err", err)
		return 1, 0
	}
	return pieces, logarithm
}

// encoderOptions are the settings as they stand. With auto the encoder leaves the
// order to an embedding model that the reader chose.
func (b *builder) encoderOptions(embedder string) meaning.Options {
	r := b.settings.Now().Rank
	on := r.Encoder == "on" || r.Encoder == "auto" && builtIn(embedder)
	return meaning.Options{On: on, Top: r.EncoderTop, Wait: r.EncoderWaitMs > 0}
}

// gates keeps one gate a model server: embedding waits while an answer streams
// from the same server.
type gates struct {
	mu sync.Mutex
	by map[string]*llm.Gate
}

func newGates() *gates { return &gates{by: map[string]*llm.Gate{}} }

func (g *gates) of(provider string) *llm.Gate {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.by[provider] == nil {
		g.by[provider] = llm.NewGate()
	}
	return g.by[provider]
}

// servedEmbedder is an embedding model of a provider, named provider/model. It is
// looked up with each use: a server may be set up later. One beyond this computer
// is sent nothing before the reader has allowed that.
type servedEmbedder struct {
	name      string
	providers func() []llm.Provider
	gates     *gates
	privacy   func() settings.PrivacySettings
	consents  answer.Consents

	mu     sync.Mutex
	server any
	made   llm.Embedder // of server
}

// ID implements llm.Embedder.
func (s *servedEmbedder) ID() string { return s.name }

// Embed implements llm.Embedder.
func (s *servedEmbedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	e, p, err := s.find()
	if err != nil {
		return nil, err
	}
	if set := s.privacy(); beyond(p, set) {
		if err := s.allowed(ctx, p, set); err != nil {
			return nil, err
		}
		if set.Redact {
			texts = slices.Clone(texts)
			for i := range texts {
				texts[i] = redact(texts[i])
			}
		}
	}
	ctx = privacy.WithPurpose(ctx, "embed")
	if taint := privacy.TaintOf(ctx); taint != nil {
		ctx = privacy.Carrying(ctx, taint.Carried(texts...)...)
	}
	return e.Embed(ctx, texts)
}

// allowed is confirm-needed while the reader has not let file text go to a
// provider.
func (s *servedEmbedder) allowed(ctx context.Context, p llm.Provider, privacy settings.PrivacySettings) error {
	if !privacy.PreviewBeforeCloud {
		return nil
	}
	may, err := s.consents.MaySend(ctx, p.ID)
	if err != nil || may {
		return err
	}
	return fault.New(fault.ConfirmNeeded, fmt.Sprintf("The embedding model %s works beyond this computer and would be sent the text of all files; nothing was sent.", s.name),
		"Search by words goes on. Allow it once: footnote models allow "+p.ID+". Or set models.embedding to auto.")
}

func (s *servedEmbedder) find() (llm.Embedder, llm.Provider, error) {
	provider, model, _ := strings.Cut(s.name, "/")
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.providers() {
		maker, able := p.Server.(interface {
			Embedder(model string) llm.Embedder
		})
		if p.ID != provider || !able || !p.Usable() {
			continue
		}
		if s.server != p.Server {
			s.server, s.made = p.Server, s.gates.of(p.ID).Embedder(maker.Embedder(model))
		}
		return s.made, p, nil
	}
	return nil, llm.Provider{}, fault.New(fault.ModelMissing, fmt.Sprintf("The embedding model %s cannot be used.", s.name), "Search by words goes on. Set up its provider, or set models.embedding to auto.")
}

// nothingEncoded keeps no vectors of the encoder: it makes those of the best passages
// with every question.
type nothingEncoded struct{}

// Encoded implements meaning.Store.
func (nothingEncoded) Encoded(context.Context, string, []evidence.PassageID) (map[evidence.PassageID][]byte, error) {
	return nil, nil
}

// PutEncoded implements meaning.Store.
func (nothingEncoded) PutEncoded(context.Context, string, []evidence.PassageID, [][]byte) error {
	return nil
}

// Unencoded implements meaning.Store.
func (nothingEncoded) Unencoded(context.Context, string, int) ([]library.Placed, int, int, error) {
	return nil, 0, 0, nil
}

// EachEncoded implements meaning.Store.
func (nothingEncoded) EachEncoded(context.Context, string, func([]evidence.PassageID, []string, [][]byte) error) error {
	return nil
}
