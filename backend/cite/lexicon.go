package cite

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"

	"footnote/backend/lang"
	"footnote/backend/plain"
)

//go:embed data/model.json data/idf.json data/lexicon.json
var data embed.FS

// set is a set of words or stems.
type set map[string]bool

// model is a fitted logistic table with its cuts.
type model struct {
	Bias      float64            `json:"bias"`
	Weights   map[string]float64 `json:"weights"`
	Supported float64            `json:"supported"`
	Partly    float64            `json:"partly"`
}

// conflictCuts are the strengths from which a conflict is a contradiction.
type conflictCuts struct {
	Number    float64 `json:"x_num"`
	Negation  float64 `json:"x_neg"`
	Antonym   float64 `json:"x_ant"`
	Direction float64 `json:"x_dir"`
}

// lexicon holds the word lists of the checker; lists marked stems hold stems.
type lexicon struct {
	antonyms             map[string]set // stem → stems
	vague                set            // stems that x_ant leaves alone
	up, down             set            // stems of direction words
	upVerbs, downVerbs   set            // stems
	negators, negFeature set            // words
	negStems, hedge      set            // stems
	labels, dims         set            // words; stems of units
	firstPerson, stop    set            // words
	abroad               set            // words without a meaning of their own in another language, that are none of English
}

type lexiconFile struct {
	Antonyms    []string `json:"antonyms"`
	Vague       []string `json:"vague"`
	UpWords     []string `json:"up_words"`
	DownWords   []string `json:"down_words"`
	UpVerbs     []string `json:"up_verbs"`
	DownVerbs   []string `json:"down_verbs"`
	Negators    []string `json:"negators"`
	NegFeature  []string `json:"neg_feature"`
	NegStems    []string `json:"neg_stems"`
	Hedge       []string `json:"hedge"`
	Labels      []string `json:"labels"`
	DimUnits    []string `json:"dim_units"`
	FirstPerson []string `json:"first_person"`
	Stop        []string `json:"stop"`
}

func readData(name string, into any) error {
	b, err := data.ReadFile("data/" + name)
	if err != nil {
		return fmt.Errorf("read checker table %s: %w", name, err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		return fmt.Errorf("parse checker table %s: %w", name, err)
	}
	return nil
}

func newLexicon(f lexiconFile) lexicon {
	return lexicon{
		antonyms: antonymsOf(f.Antonyms), vague: setOf(f.Vague, nil),
		up: setOf(f.UpWords, stem), down: setOf(f.DownWords, stem),
		upVerbs: setOf(f.UpVerbs, nil), downVerbs: setOf(f.DownVerbs, nil),
		negators: setOf(f.Negators, nil), negFeature: setOf(f.NegFeature, nil), negStems: setOf(f.NegStems, nil),
		hedge: setOf(f.Hedge, nil), labels: setOf(f.Labels, nil), dims: setOf(f.DimUnits, nil),
		firstPerson: setOf(f.FirstPerson, nil), stop: setOf(f.Stop, nil),
	}
}

func setOf(words []string, change func(string) string) set {
	s := make(set, len(words))
	for _, w := range words {
		if change != nil {
			w = change(w)
		}
		s[w] = true
	}
	return s
}

func antonymsOf(pairs []string) map[string]set {
	all := map[string]set{}
	add := func(a, b string) {
		if all[a] == nil {
			all[a] = set{}
		}
		all[a][b] = true
	}
	for _, pair := range pairs {
		a, b, _ := strings.Cut(pair, " ")
		a, b = stem(a), stem(b)
		add(a, b)
		add(b, a)
	}
	return all
}

// entry is what the tables say about a word.
type entry struct {
	base, stem string  // without clitic; its stem
	weight     float64 // idf, at least 0.3
	listed     bool    // a stop word
	negates    bool    // no, not, n't … as the features count them
	denies     bool    // negates, or means a negation: fail, lack
	negator    bool    // may turn a whole statement
	course     int8    // 1 for direction words that go up, -1 for down
	verb       int8    // the same for the verbs that conflicts are read from
}

// look says what the tables know of a lower-case word.
func (c *Checker) look(lower string) entry {
	e := entry{base: lower}
	if strings.Contains(lower, "'") {
		for _, clitic := range clitics {
			if cut, ok := strings.CutSuffix(lower, clitic); ok && cut != "" {
				e.base = cut
				break
			}
		}
	}
	e.stem = stem(e.base)
	e.weight = c.IDF(e.stem)
	e.listed = c.lex.stop[e.base]
	not := strings.HasSuffix(lower, "n't") && len(lower) > 3
	e.negates = c.lex.negFeature[lower] || not
	e.denies = e.negates || c.lex.negStems[e.stem]
	e.negator = c.lex.negators[lower] || not
	e.course, e.verb = sign(e.stem, c.lex.up, c.lex.down), sign(e.stem, c.lex.upVerbs, c.lex.downVerbs)
	return e
}

func sign(stem string, up, down set) int8 {
	switch {
	case up[stem]:
		return 1
	case down[stem]:
		return -1
	}
	return 0
}

func wordsAbroad(known map[string]float64) set {
	all := set{}
	for _, code := range lang.Codes() {
		for _, w := range lang.FunctionWords(code) {
			if _, english := known[stem(w)]; !english && code != lang.English {
				all[w] = true
			}
		}
	}
	return all
}

// stem is the English stem of a word without its accents, which people leave out; words of other
// languages mostly stay whole.
func stem(word string) string {
	if strings.ContainsFunc(word, func(r rune) bool { return r >= utf8.RuneSelf }) {
		word = plain.Unaccented(word)
	}
	if s := english.Stem(word, true); s != "" {
		return s
	}
	return word
}

// vocabulary remembers entries: a passage repeats its words, and so do the
// claims that cite it. It forgets everything when it is full. Safe for
// concurrent use.
type vocabulary struct {
	mu    sync.RWMutex
	known map[string]entry
}

const maxKnown = 1 << 15

// entry looks a lower-case word up.
func (c *Checker) entry(lower string) entry {
	v := &c.words
	v.mu.RLock()
	e, ok := v.known[lower]
	v.mu.RUnlock()
	if ok {
		return e
	}
	lower = strings.Clone(lower)
	e = c.look(lower)
	v.mu.Lock()
	if len(v.known) >= maxKnown {
		clear(v.known)
	}
	v.known[lower] = e
	v.mu.Unlock()
	return e
}
