package quote

import (
	"cmp"
	"context"
	_ "embed" // the weights
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// AnswerScorer is the cross-encoder: it reads a question with each text and
// says, as log-odds, how well the text answers it. ok is false when it cannot
// tell in time.
type AnswerScorer interface {
	Answers(ctx context.Context, question string, texts []string) (logOdds []float64, ok bool)
}

// Nearness is the sentence encoder: it tells how near in meaning each text is to a
// question, in any language. ok is false when it cannot tell in time.
type Nearness interface {
	Near(ctx context.Context, question string, texts []string) (near []float64, ok bool)
}

const (
	scoredMost = 16 // candidates that the encoders read
	considered = 32 // that a trace keeps
)

// Considered is a candidate with what decided about it.
type Considered struct {
	Passage  evidence.PassageID `json:"passage"`
	Text     string             `json:"text"`
	Row      bool               `json:"row"`
	LogOdds  float64            `json:"log_odds"` // by the cross-encoder; 0 where it did not read
	Near     float64            `json:"near"`     // in meaning, by the sentence encoder; 0 where it did not read
	Right    float64            `json:"right"`    // how likely it is the answer
	Features []float64          `json:"features"` // in the order of FeatureNames
}

// logistic is a logistic regression over standardised features.
type logistic struct {
	Mean   []float64 `json:"mean"`
	Scale  []float64 `json:"scale"`
	Weight []float64 `json:"weight"`
	Bias   float64   `json:"bias"`
}

func (l logistic) logOdds(x []float64) float64 {
	sum := l.Bias
	for i, v := range x {
		sum += l.Weight[i] * (v - l.Mean[i]) / l.Scale[i]
	}
	return sum
}

func probability(logOdds float64) float64 { return 1 / (1 + math.Exp(-logOdds)) }

// calibrated are regressions: which candidate is right, and whether the best one is, a
// sentence or a row of a table.
type calibrated struct {
	Right    logistic `json:"right"`
	Answered logistic `json:"answered"`
	Listed   logistic `json:"listed"`
}

// certainty is the regression that tells whether a best candidate is right.
func (c *calibrated) certainty(best judged) logistic {
	if best.Row {
		return c.Listed
	}
	return c.Answered
}

// The regressions for what both encoders read, for what the cross-encoder did not, as
// it knows English alone, and for what neither did, as they were late or off.
type regressions struct {
	Read  calibrated `json:"read"`
	Meant calibrated `json:"meant"`
	Alone calibrated `json:"alone"`
	// Answers and Closest are the confidences from which an answer is one, and
	// from which it is close.
	Answers float64 `json:"answers"`
	Closest float64 `json:"closest"`
}

//go:embed scorer.json
var scorerWeights []byte

// scorer is trained by build/train/grade.py.
var scorer = sync.OnceValue(func() *regressions {
	r := &regressions{}
	if err := json.Unmarshal(scorerWeights, r); err != nil {
		panic("scorer.json: " + err.Error()) // part of the binary, held by a test
	}
	return r
})

// graded is the candidates of a question, likeliest first, with what they are
// worth together.
type graded struct {
	all        []judged
	confidence float64
	state      State
	late       bool // an encoder that was to read them did not
}

type judged struct {
	candidate
	features []float64
	logOdds  float64 // of the cross-encoder
	likely   float64 // log-odds that it is the answer
}

// grade scores the candidates of a question and says whether they answer it. pool
// is best first by rules.
func (q Query) grade(ctx context.Context, pool, rows []Sentence, passages []Passage, rules float64, d Deps) (g graded) {
	q = q.located(passages)
	candidates, rare := q.shortlisted(pool, rows, passages, scoredMost)
	if len(candidates) == 0 {
		return graded{state: None}
	}
	for i := range candidates {
		candidates[i].Told = cmp.Or(candidates[i].Told, headed(candidates[i].Sentence, passages, d.Rows))
	}
	g.all = q.features(candidates, rare, passages)
	model := scorer()
	meant, read := q.setModels(ctx, g.all, q.asRead(candidates, passages), d)
	g.late = d.Near != nil && !meant || d.Scorer != nil && !read && q.inEnglish()
	regression := model.of(meant, read)
	for i := range g.all {
		g.all[i].likely = regression.Right.logOdds(g.all[i].features)
	}
	slices.SortStableFunc(g.all, func(a, b judged) int { return cmp.Compare(b.likely, a.likely) })
	g.confidence = probability(regression.certainty(g.all[0]).logOdds(append(slices.Clone(g.all[0].features), q.overall(g.all, rules)...)))
	switch {
	case g.confidence >= model.Answers:
		g.state = Answer
	case g.confidence >= model.Closest:
		g.state = Closest
	default:
		g.state = None
	}
	return g
}

// of is the regression for what the models read of the candidates.
func (r *regressions) of(meant, read bool) *calibrated {
	switch {
	case read:
		return &r.Read
	case meant:
		return &r.Meant
	}
	return &r.Alone
}

// setModels sets the features that the encoders tell of texts, and whether they did.
// What the sentence encoder does not tell of is not read by the other either.
func (q Query) setModels(ctx context.Context, all []judged, texts []string, d Deps) (meant, read bool) {
	near := q.near(ctx, texts, d.Near)
	for i := range all {
		if near == nil {
			all[i].features[cosineFeature] = 0
		} else {
			all[i].features[meantFeature] = near[i]
		}
	}
	if near == nil {
		return false, false
	}
	logOdds := q.read(ctx, texts, d.Scorer)
	if logOdds != nil {
		q.setRead(all, logOdds)
	}
	return true, logOdds != nil
}

// near is how near texts are to the question; nil where the encoder is off or late.
func (q Query) near(ctx context.Context, texts []string, encoder Nearness) []float64 {
	if encoder == nil {
		return nil
	}
	near, ok := encoder.Near(ctx, q.text, texts)
	if !ok || len(near) != len(texts) {
		return nil
	}
	return near
}

// setRead sets the features that the cross-encoder's log-odds are.
func (q Query) setRead(all []judged, logOdds []float64) {
	places := make([]int, len(all))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(a, b int) int { return cmp.Compare(logOdds[b], logOdds[a]) })
	for place, i := range places {
		all[i].logOdds, all[i].features[englishFeature] = logOdds[i], logOdds[i]
		all[i].features[readFeature] = probability(logOdds[i])
		all[i].features[doubtfulFeature] = all[i].features[readFeature] * all[i].features[lacksFeature]
		all[i].features[soughtFeature] = all[i].features[readFeature] * all[i].features[opensFeature]
		all[i].features[foremostFeature] = 1 / float64(1+place)
	}
}

// read gives the log-odds of the cross-encoder, nil when it is late and for a question
// in another language than English: of others it tells nothing that the sentence encoder
// does not (ADR 93).
func (q Query) read(ctx context.Context, texts []string, reader AnswerScorer) []float64 {
	if reader == nil || !q.inEnglish() {
		return nil
	}
	logOdds, ok := reader.Answers(ctx, q.text, texts)
	if !ok || len(logOdds) != len(texts) {
		return nil
	}
	return logOdds
}

// inEnglish reports whether the cross-encoder knows the language of the question.
func (q Query) inEnglish() bool { return lang.Spoken(q.text) == lang.English }

// asRead are candidates as the encoders read them: each in the context of its title
// and heading.
func (q Query) asRead(candidates []candidate, passages []Passage) []string {
	texts := make([]string, len(candidates))
	for i, c := range candidates {
		texts[i] = titled(passages[c.Passage].Title, titled(c.Heading, c.weighed()))
		if c.Row { // it says neither whose figures these are nor of when
			texts[i] = strings.TrimSpace(strings.Join(namingFile(q.text, passages[c.Passage].Of), " ") + " " + texts[i])
		}
	}
	return texts
}

// otherAlphabet reports whether most letters of a text are not Latin.
func otherAlphabet(text string) bool {
	latin, other := 0, 0
	for _, r := range text {
		switch {
		case !unicode.IsLetter(r):
		case unicode.Is(unicode.Latin, r):
			latin++
		default:
			other++
		}
	}
	return other > latin
}

// Trace is what decided about a quoted answer.
type Trace struct {
	Question   string       `json:"question"`
	State      State        `json:"state"`
	Confidence float64      `json:"confidence"`
	Rules      float64      `json:"rules"`   // evidence by rules
	Content    float64      `json:"content"` // logarithm of the content words of the question
	Considered []Considered `json:"considered"`
}

func (q Query) trace(g graded, rules float64, passages []Passage) *Trace {
	t := &Trace{Question: q.text, State: g.state, Confidence: g.confidence, Rules: rules, Content: math.Log1p(float64(len(q.terms))), Considered: []Considered{}}
	for _, c := range g.all[:min(len(g.all), considered)] {
		one := Considered{Passage: passages[c.Passage].ID, Text: cmp.Or(c.Told, c.Text), Row: c.Row, LogOdds: c.logOdds, Near: c.features[meantFeature], Right: probability(c.likely), Features: c.features}
		t.Considered = append(t.Considered, one)
	}
	return t
}
