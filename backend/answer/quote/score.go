package quote

import (
	"cmp"
	"context"
	"footnote/backend/answer/quote/anchors"
	"footnote/backend/answer/quote/offers"
	"math"
	"slices"
	"strings"

	"footnote/backend/answer/quote/regression"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

// Ports to the encoders; ok is false where one cannot tell in time.
type (
	// AnswerScorer is the cross-encoder: it reads a question with each text and says, as
	// log-odds, how well the text answers it.
	AnswerScorer interface {
		Answers(ctx context.Context, question string, texts []string) (logOdds []float64, ok bool)
	}
	// Nearness is the sentence encoder: it tells how near in meaning each text is to a
	// question, in any language.
	Nearness interface {
		Near(ctx context.Context, question string, texts []string) (near []float64, ok bool)
	}
	// JointReader is the joint encoder: as AnswerScorer, in any language.
	JointReader interface {
		Joined(ctx context.Context, question string, texts []string) (logOdds []float64, ok bool)
	}
	// Windows tells how near in meaning stretches of texts are to a question, in any
	// language; none of a text that has no vectors.
	Windows interface {
		Windows(ctx context.Context, question string, texts []rank.Text) [][]rank.Window
	}
)

const (
	scoredMost = 24 // candidates that the encoders read
	considered = 32 // that a trace keeps

	// abroadTrust is what a confidence over texts in other languages is worth: it was
	// learnt of questions to encyclopedias, and of manuals half as many are right (ADR 98).
	abroadTrust = 0.45
)

// Considered is a candidate with what decided about it.
type Considered struct {
	Passage  evidence.PassageID `json:"passage"`
	Text     string             `json:"text"`
	Row      bool               `json:"row"`
	LogOdds  float64            `json:"log_odds"` // by the cross-encoder; 0 where it did not read
	Near     float64            `json:"near"`     // in meaning, by the sentence encoder; 0 where it did not read
	Joint    float64            `json:"joint"`    // log-odds by the joint encoder; 0 where it did not read
	Right    float64            `json:"right"`    // how likely it is the answer
	Features []float64          `json:"features"` // in the order of regression.FeatureNames
}

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
	joint    float64 // log-odds of the joint encoder
	alone    float64 // log-odds by the features, where the joint encoder has read it
	likely   float64 // log-odds that it is the answer
}

// grade scores the candidates of a question and says whether they answer it. pool
// is best first by rules.
func (q Query) grade(ctx context.Context, pool, rows []Sentence, passages []Passage, rules float64, d Deps) (g graded) {
	q = q.located(passages)
	candidates, rare := q.shortlisted(pool, rows, passages, q.windows(ctx, passages, d.Windows), scoredMost)
	if len(candidates) == 0 {
		return graded{state: None}
	}
	for i := range candidates {
		candidates[i].Told = cmp.Or(candidates[i].Told, headed(candidates[i].Sentence, passages, d.Rows))
	}
	g.all = q.features(candidates, rare, passages)
	model := regression.Trained()
	abroad := q.abroad(passages)
	if abroad {
		d.Scorer = nil // it reads English alone, and would be asked of another language
	}
	texts := q.asRead(candidates, passages)
	meant, read := q.setModels(ctx, g.all, texts, d)
	g.late = d.Near != nil && !meant || d.Scorer != nil && !read && q.inEnglish()
	chosen := model.Of(meant, read)
	if abroad && meant {
		chosen = &model.Abroad
	}
	for i := range g.all {
		g.all[i].likely = chosen.Right.LogOdds(g.all[i].features)
	}
	joined := meant && !abroad && q.join(ctx, g.all, texts, chosen, d.Joint)
	for i, c := range g.all {
		g.all[i].likely, g.all[i].joint = c.likely-q.costs[c.Passage], c.joint-q.costs[c.Passage]
	}
	slices.SortStableFunc(g.all, func(a, b judged) int { return cmp.Compare(b.likely, a.likely) })
	answers, closest := model.Answers, model.Closest
	if joined {
		g.confidence = regression.Probability(chosen.Sure.LogOdds(sureOf(g.all)))
		answers, closest = model.AnswersJoined, model.ClosestJoined
	} else {
		g.confidence = regression.Probability(chosen.Certainty(g.all[0].Row).LogOdds(append(slices.Clone(g.all[0].features), q.overall(g.all, rules)...)))
	}
	if abroad && meant {
		g.confidence *= abroadTrust
	}
	q.newestFirst(g.all, passages)
	q.correctedFirst(g.all, passages)
	switch {
	case g.confidence >= answers && (!joined || g.all[0].features[regression.Offers] >= 0 && !offers.Lacks(q.text, g.all[0].weighed())): // a day is asked for, and it tells none
		g.state = Answer
	case g.confidence >= closest:
		g.state = Closest
	default:
		g.state = None
	}
	return g
}

// setModels sets the features that the encoders tell of texts, and whether they did.
// What the sentence encoder does not tell of is not read by the other either.
func (q Query) setModels(ctx context.Context, all []judged, texts []string, d Deps) (meant, read bool) {
	near := q.near(ctx, texts, d.Near)
	for i := range all {
		if near == nil {
			all[i].features[regression.Cosine] = 0
		} else {
			all[i].features[regression.Meant] = near[i]
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
		all[i].logOdds, all[i].features[regression.English] = logOdds[i], logOdds[i]
		all[i].features[regression.Read] = regression.Probability(logOdds[i])
		all[i].features[regression.Doubtful] = all[i].features[regression.Read] * all[i].features[regression.Lacks]
		all[i].features[regression.Sought] = all[i].features[regression.Read] * all[i].features[regression.Opens]
		all[i].features[regression.Foremost] = 1 / float64(1+place)
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
			texts[i] = strings.TrimSpace(strings.Join(anchors.NamingFile(q.text, passages[c.Passage].Of), " ") + " " + texts[i])
		}
	}
	return texts
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
	t := &Trace{Question: q.said, State: g.state, Confidence: g.confidence, Rules: rules, Content: math.Log1p(float64(len(q.terms))), Considered: []Considered{}}
	for _, c := range g.all[:min(len(g.all), considered)] {
		one := Considered{Passage: passages[c.Passage].ID, Text: cmp.Or(c.Told, c.Text), Row: c.Row, LogOdds: c.logOdds, Near: c.features[regression.Meant], Joint: c.joint, Right: regression.Probability(c.likely), Features: c.features}
		t.Considered = append(t.Considered, one)
	}
	return t
}
