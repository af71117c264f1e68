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

	"footnote/backend/answer/answertype"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/rank"
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
	scoredMost = 16 // candidates that the cross-encoder reads
	considered = 32 // that a trace keeps
)

// Considered is a candidate with what decided about it.
type Considered struct {
	Passage  evidence.PassageID `json:"passage"`
	Text     string             `json:"text"`
	Row      bool               `json:"row"`
	LogOdds  float64            `json:"log_odds"` // by the cross-encoder
	Right    float64            `json:"right"`    // how likely it is the answer
	Features []float64          `json:"features"` // in the order of FeatureNames
}

// FeatureNames name what the scorer sees of a candidate. Shares are of the
// question's weight, 0 to 1.
var FeatureNames = []string{
	"english",  // log-odds of the cross-encoder for an English question, 0 without
	"latin",    // for one in another language of the Latin alphabet
	"other",    // for one in another alphabet
	"own",      // share in the sentence itself
	"titled",   // and with its title and heading
	"passage",  // in its whole passage
	"missing",  // the heaviest word that sentence, heading and title lack
	"absent",   // and that the passage lacks
	"bm25",     // of its passage, by the best one's
	"cosine",   // of its passage
	"behind",   // how far its score by rules is behind the best one's
	"place",    // 1 for the first by rules, 1/2 for the second
	"fits",     // 1 when it has the kind of thing that is asked for, -1 when not, 0 when any will do
	"row",      // of a table
	"aside",    // a row that is about another thing
	"words",    // logarithm of its content words
	"names",    // share of the question's names that its passage lacks
	"numbers",  // and of its numbers
	"asks",     // a question stands right before it
	"rare",     // share in the sentence itself, words weighed by how few candidates have them
	"beside",   // what title and heading add to that
	"near",     // what the sentences around it add
	"lacks",    // the heaviest word, so weighed, that sentence, heading and title lack
	"first",    // 1 for the first by rare words, 1/2 for the second
	"offers",   // 1 when it has what the question words of its language ask for, -1 when not
	"listed",   // a row that its label found
	"read",     // the probability that log-odds of the cross-encoder give, 0 without
	"foremost", // 1 for the first by it of an English question, 1/2 for the second
	"defines",  // 1 when it says what the term is whose meaning is asked for
	"unnamed",  // share of the question's names that sentence, heading and title lack
	"undated",  // and of its numbers; a year within a period of the sentence is had
	"another",  // 1 when it has another year or version in the place of one
	"whole",    // 1 when it ends as a sentence does
	"foreign",  // 1 when it is in another language than the question
	"doubtful", // the probability of "read" by the share of the words that it lacks
	"opens",    // share of the question that its heading has, the less the further it stands behind
	"sought",   // the probability of "read" by that
	"meant",    // how near in meaning it is with title and heading
}

// Features that are known by their place.
const (
	cosineFeature   = 9
	readFeature     = 26
	foremostFeature = 27
	lacksFeature    = 22
	wholeFeature    = 32
	foreignFeature  = 33
	doubtfulFeature = 34
	opensFeature    = 35
	soughtFeature   = 36
	meantFeature    = 37
)

// questionNames name what is seen besides of a question with its best candidate.
var questionNames = []string{
	"gap",     // log-odds ahead of the next best
	"likely",  // of the best candidate, as log-odds
	"rivals",  // share of the candidates nearly as likely
	"content", // logarithm of the content words of the question
	"rules",   // evidence by rules
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

// calibrated is a pair of regressions: which candidate is right, and whether the
// best one is.
type calibrated struct {
	Right    logistic `json:"right"`
	Answered logistic `json:"answered"`
}

// The regressions for what both encoders read, for what the cross-encoder did not, as
// it knows no other alphabet, and for what neither did, as they were late or off.
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
	regression := model.of(q.setModels(ctx, g.all, q.asRead(candidates, passages), d))
	for i := range g.all {
		g.all[i].likely = regression.Right.logOdds(g.all[i].features)
	}
	slices.SortStableFunc(g.all, func(a, b judged) int { return cmp.Compare(b.likely, a.likely) })
	g.confidence = probability(regression.Answered.logOdds(append(slices.Clone(g.all[0].features), q.overall(g.all, rules)...)))
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
		all[i].logOdds, all[i].features[alphabetOf(q.gate)] = logOdds[i], logOdds[i]
		all[i].features[readFeature] = probability(logOdds[i])
		all[i].features[doubtfulFeature] = all[i].features[readFeature] * all[i].features[lacksFeature]
		all[i].features[soughtFeature] = all[i].features[readFeature] * all[i].features[opensFeature]
		if q.gate == rank.English {
			all[i].features[foremostFeature] = 1 / float64(1+place)
		}
	}
}

// read gives the log-odds of the cross-encoder, nil for a language that it does
// not know or when it is late.
func (q Query) read(ctx context.Context, texts []string, reader AnswerScorer) []float64 {
	if reader == nil || otherAlphabet(q.text) {
		return nil
	}
	logOdds, ok := reader.Answers(ctx, q.text, texts)
	if !ok || len(logOdds) != len(texts) {
		return nil
	}
	return logOdds
}

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

// alphabetOf is the feature that the log-odds of a question's language are.
func alphabetOf(g rank.Gate) int {
	switch g {
	case rank.English:
		return 0
	case rank.Latin:
		return 1
	}
	return 2
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

// features describes candidates.
func (q Query) features(candidates []candidate, rare rarity, passages []Passage) []judged {
	kind, asked := answertype.Of(q.checker, q.text), lang.AsksFor(q.text)
	named, language := anchorsOf(q.text), lang.Detect(q.text)
	best := math.Inf(-1)
	for _, c := range candidates {
		if !c.row {
			best = max(best, c.Score)
		}
	}
	whole := map[int]reach{}
	out := make([]judged, len(candidates))
	for i, c := range candidates {
		p := passages[c.Passage]
		in, ok := whole[c.Passage]
		if !ok {
			in = q.reached(q.checker.Terms(p.Title+" "+p.Text), q.fileOf(c.Passage))
			whole[c.Passage] = in
		}
		text := c.weighed()
		itself := q.reached(q.checker.Terms(text+" "+q.abbreviated(c.label)), q.fileOf(c.Passage))
		with := itself.or(q.reached(q.checker.Terms(titled(p.Title, c.Heading)), reach{}))
		behind, place := 0.0, 0.0
		if !c.row {
			behind, place = best-c.Score, 1/float64(1+c.byRules)
		}
		read := strings.ToLower(p.Title + " " + p.Of + " " + p.Text)
		above := titled(p.Title, c.Heading) + " " + strings.Join(namingFile(q.text, p.Of), " ")
		undated, another := named.missingNumbers(above + " " + text)
		out[i] = judged{candidate: c, features: []float64{
			0, 0, 0, q.share(itself.forms), q.share(with.forms), q.share(in.forms), q.heaviest(with.forms), q.heaviest(in.forms), p.BM, p.Cosine,
			behind, place, fits(kind, text), number(c.Row), number(c.aside), math.Log1p(float64(wordCount(text))),
			lacking(namesIn(q.text), read), lacking(numberText.FindAllString(q.text, -1), read), number(c.asked != ""),
			c.rare, c.rareWith - c.rare, c.near, rare.heaviest(with.forms), 1 / float64(1+c.byRare), offers(asked, q.text, text), number(c.row && !c.overlap), 0, 0, number(q.defines(text)),
			named.missingNames(above + " " + text), undated, number(another), number(c.Row || endsAsSentence(c.Text)), number(!c.Row && lang.Detect(p.Text) != language), 0,
			rare.share(q.found(q.checker.Terms(cmp.Or(c.Heading, p.Title)), nil)) / float64(1+c.Under), 0, 0,
		}}
	}
	return out
}

// overall describes a question with its candidates, likeliest first.
func (q Query) overall(all []judged, rules float64) []float64 {
	gap, rivals := 0.0, 0
	for i, c := range all[1:] {
		if i == 0 {
			gap = all[0].logOdds - c.logOdds
		}
		if c.likely > all[0].likely-1 {
			rivals++
		}
	}
	return []float64{gap, all[0].likely, float64(rivals) / float64(len(all)), math.Log1p(float64(len(q.terms))), rules}
}

// heaviest is the weight of the heaviest word that was not found, by the
// heaviest of all.
func (q Query) heaviest(found []float64) float64 {
	missing, most := 0.0, 0.0
	for i, t := range q.terms {
		if q.asking[t.Stem] {
			continue
		}
		most = max(most, t.Weight)
		missing = max(missing, t.Weight*(1-found[i]))
	}
	if most == 0 {
		return 0
	}
	return missing / most
}

func fits(kind answertype.Type, text string) float64 {
	switch {
	case kind.Fulfilled(text):
		return 1
	case kind.Particular():
		return -1
	}
	return 0
}

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

var numberText = pattern.New(`\d+(?:[.,]\d+)*`)

// codeName is a word that names something by code: "--keep", "SEC-2",
// "rank.floor", "max_pages", "thread::spawn".
var codeName = pattern.New(`^--?\pL[\pL\pN-]*$|^[\pL\pN]+(?:[._/]|::|-\pN)[\pL\pN._/:-]*[\pL\pN]$`)

// namesIn are the words of a question with a capital, but for the first, and those
// that name something by code.
func namesIn(question string) (names []string) {
	for i, written := range strings.Fields(question) {
		w := strings.TrimFunc(written, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
		if c := strings.Trim(written, "?!,;:.\"'`()«»„“”"); codeName.MatchString(c) && strings.ContainsFunc(c, unicode.IsLetter) {
			names = append(names, c)
		} else if i > 0 && answertype.Capitalised(w) {
			names = append(names, w)
		}
	}
	return names
}

// lacking is the share of parts that a text in lower case does not have.
func lacking(parts []string, text string) float64 {
	if len(parts) == 0 {
		return 0
	}
	n := 0
	for _, p := range parts {
		if !strings.Contains(text, strings.ToLower(p)) {
			n++
		}
	}
	return float64(n) / float64(len(parts))
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
		one := Considered{Passage: passages[c.Passage].ID, Text: cmp.Or(c.Told, c.Text), Row: c.Row, LogOdds: c.logOdds, Right: probability(c.likely), Features: c.features}
		t.Considered = append(t.Considered, one)
	}
	return t
}
