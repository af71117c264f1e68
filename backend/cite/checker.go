package cite

import (
	"math"
	"slices"
	"strings"
	"sync"

	"footnote/backend/evidence"
)

// Verdicts of a check. Nothing is ever called verified.
const (
	Supported    = "supported"
	Partly       = "partly"
	NotFound     = "not-found"
	Contradicted = "contradicted"
)

// Finding says how a passage bears on a claim.
type Finding struct {
	Verdict   string
	Score     float64         // calibrated chance of support, 0 to 1
	Quote     evidence.Span   // bytes of the passage: one run that covers the proof
	Highlight []evidence.Span // bytes of the passage: the one or two sentences that carry the claim
	Best      evidence.Span   // of the highlight: the sentence that carries most
	Why       string          // what is missing or differs, for people; empty when supported
	InClaim   []string        // numbers and names of the claim that the passage lacks, as they stand
	Table     string          // that judged: WordTable or EncoderTable
	Held      bool            // a number, name or negation keeps the claim from being called supported
	Verbatim  bool            // the passage says the claim word for word
}

// Tables of a Checker.
const (
	WordTable    = "words"
	EncoderTable = "encoder"
)

// Checker compares claims with passages by words, numbers, names and negation,
// and by the vectors of a sentence encoder where there are any. It needs no
// model and no network, and is safe for concurrent use.
type Checker struct {
	lex     lexicon
	idf     map[string]float64
	maxIDF  float64
	byWords model
	byBoth  model
	cuts    conflictCuts
	words   vocabulary
}

// NewChecker is a checker over the built-in tables. An error means a damaged build.
func NewChecker() (*Checker, error) {
	t, err := tables()
	if err != nil {
		return nil, err
	}
	c := &Checker{lex: t.lex, idf: t.idf, maxIDF: t.maxIDF, byWords: t.models.Words, byBoth: t.models.Encoder, cuts: t.models.Contradicted}
	c.words.known = make(map[string]entry, 1024)
	return c, nil
}

// checkerTables are the built-in tables. Nothing writes to them.
type checkerTables struct {
	models struct {
		Words        model        `json:"words"`
		Encoder      model        `json:"encoder"`
		Contradicted conflictCuts `json:"contradicted"`
	}
	lex    lexicon
	idf    map[string]float64
	maxIDF float64
}

// tables reads them once: all checkers share what was parsed.
var tables = sync.OnceValues(func() (*checkerTables, error) {
	var t checkerTables
	var idf struct {
		Max float64            `json:"max"`
		IDF map[string]float64 `json:"idf"`
	}
	var words lexiconFile
	for name, into := range map[string]any{"model.json": &t.models, "idf.json": &idf, "lexicon.json": &words} {
		if err := readData(name, into); err != nil {
			return nil, err
		}
	}
	t.lex, t.idf, t.maxIDF = newLexicon(words), idf.IDF, idf.Max
	t.lex.abroad = wordsAbroad(t.idf)
	return &t, nil
})

// IDF is the weight of a stem: how rare it is, between 0.3 and the weight of an
// unknown stem.
func (c *Checker) IDF(stem string) float64 {
	if w, ok := c.idf[stem]; ok {
		return max(w, 0.3)
	}
	return c.maxIDF
}

// Knows reports whether the table of weights has a word: a word of English, in some
// form.
func (c *Checker) Knows(word string) bool {
	_, ok := c.idf[stem(strings.ToLower(word))]
	return ok
}

func logistic(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// Passage is a passage read for checking: cut into sentences and tokenised once
// for all the claims that cite it. It never changes.
type Passage struct {
	text      string
	spans     []evidence.Span
	sentences []sentence
	cells     []cell // of its tables
}

// Read prepares a passage.
func (c *Checker) Read(text string) *Passage {
	p := &Passage{text: text, spans: slices.DeleteFunc(evidence.Sentences(text), func(at evidence.Span) bool { return drawsTable(text[at.Start:at.End]) })}
	p.sentences = make([]sentence, len(p.spans))
	for i, at := range p.spans {
		p.sentences[i] = c.read(normalise(text[at.Start:at.End]))
	}
	c.readTables(p)
	return p
}

// Check compares one claim with a passage. question may be empty; it tells which
// words of the claim only repeat what was asked.
func (c *Checker) Check(claim, question, passage string) Finding {
	return c.CheckRead(claim, question, c.Read(passage))
}

// CheckRead is Check for a passage that was read before.
func (c *Checker) CheckRead(claim, question string, passage *Passage) Finding {
	return c.CheckEncoded(claim, question, passage, nil)
}

// CheckEncoded is CheckRead with what a sentence encoder read of the texts that
// Wants names. When one of them is missing the words judge alone.
func (c *Checker) CheckEncoded(claim, question string, passage *Passage, readings Readings) Finding {
	p := c.pair(claim, question, passage.sentences)
	p.cells = passage.cells
	f := p.measure()
	table, name := &c.byWords, WordTable
	e := c.encoded(p, readings)
	if e != nil {
		e.measure(&f)
		table, name = &c.byBoth, EncoderTable
	}
	found := Finding{Score: logistic(table.sum(&f)), InClaim: p.uncovered(), Table: name, Held: capped(&f), Verbatim: f.verb == 1}
	found.Verdict, found.Why = c.judge(p, &f, table, found.Score, found.InClaim)
	shown, best := p.highlight(e.rank(p))
	for _, j := range shown {
		found.Highlight = append(found.Highlight, passage.spans[j])
		if j == best {
			found.Best = passage.spans[j]
		}
	}
	if n := len(found.Highlight); n > 0 {
		found.Quote = evidence.Span{Start: found.Highlight[0].Start, End: found.Highlight[n-1].End}
	}
	return found
}
