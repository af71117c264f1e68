package eval

import (
	"fmt"
	"slices"
	"strings"

	"footnote/backend/cite"
)

// citationPair is a line of a file: a claim, what it is said to rest on, and
// what people say of it.
type citationPair struct {
	ID       string   `json:"id"`
	Claim    string   `json:"claim"`
	Question string   `json:"question"` // may be empty
	Passage  string   `json:"passage"`
	Passages []string `json:"passages"` // instead of Passage
	Label    string   `json:"label"`    // supported, not_supported, contradicted, not_enough_info

	// As sets were published.
	References []string `json:"references"`    // of one passage
	Sentences  []string `json:"sentences"`     // of one passage
	Rationales [][]int  `json:"rationales"`    // sentences that prove or refute it
	Gold       []int    `json:"gold_sentence"` // the same, of a question with its answer
	Answers    []string `json:"answers"`
	Knowledge  string   `json:"knowledge"`
	Message    string   `json:"message"`
	Response   string   `json:"response"`

	texts  []string
	proofs map[int]bool // sentences that prove it, by number; nil when nobody marked them
}

// answered is the label of a question with its answer: no claim to judge, but a
// sentence to find.
const answered = "answered"

var citationLabels = []string{cite.Supported, "not_supported", "contradicted", "not_enough_info", answered}

// readPairs reads a file of labelled pairs, one JSON object a line.
func readPairs(file string) ([]citationPair, error) {
	pairs, err := decodeLines[citationPair](file)
	for i := range pairs {
		p := &pairs[i]
		p.settle()
		if p.Claim == "" || !slices.Contains(citationLabels, p.Label) {
			return nil, fmt.Errorf("read line %d of %s: a pair needs a claim and a label of %s", i+1, file, strings.Join(citationLabels, ", "))
		}
	}
	return pairs, err
}

// settle brings the forms in which sets were published to one.
func (p *citationPair) settle() {
	switch {
	case p.Knowledge != "":
		p.Claim, p.Question, p.texts = p.Response, p.Message, []string{p.Knowledge}
	case len(p.Sentences) > 0:
		p.texts = []string{oneALine(p.Sentences)}
	case len(p.References) > 0:
		p.texts = []string{strings.Join(p.References, "\n")}
	default:
		p.texts = append([]string{p.Passage}, p.Passages...)
	}
	switch p.Label {
	case "Fully attributable":
		p.Label = cite.Supported
	case "Not fully attributable", "Generic":
		p.Label = "not_supported"
	}
	if p.Claim == "" && len(p.Answers) > 0 { // a question with the answer that a sentence gives
		p.Claim, p.Question, p.Label = p.Question+" "+p.Answers[0], "", answered
	}
	for _, at := range slices.Concat(append(p.Rationales, p.Gold)...) {
		if p.proofs == nil {
			p.proofs = map[int]bool{}
		}
		p.proofs[at] = true
	}
}

// oneALine joins sentences so that the line tells their number.
func oneALine(sentences []string) string {
	var b strings.Builder
	for _, s := range sentences {
		b.WriteString(strings.ReplaceAll(s, "\n", " ") + "\n")
	}
	return b.String()
}
