// Package keys holds answers against what a person wrote before a question was asked.
package keys

import (
	"slices"
	"strings"
	"unicode"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
)

// Key is what a person wrote of a question before it was asked: the statements of the
// files that answer it, word for word, and what an answer has to say: of each list one.
// A question with a key of neither has no answer in the files.
type Key struct {
	Kind  string     `json:"kind"`
	Right []string   `json:"right"`
	Must  [][]string `json:"must"`
}

// Counts counts by their keys what became of questions.
type Counts struct {
	Answerable   int `json:"answerable"`
	ClaimedRight int `json:"claimed_right"`
	ClaimedWrong int `json:"claimed_wrong"`
	CloseRight   int `json:"close_right"` // shown as close, and the first statement is right
	CloseAmong   int `json:"close_among"` // another of those shown is
	Absent       int `json:"absent"`      // nothing in the files answers
	Invented     int `json:"absent_claimed"`
}

// Judgement is what became of a question by its key.
type Judgement string

const (
	claimedRight   Judgement = "claimed right"
	claimedWrong   Judgement = "claimed wrong"
	closeRight     Judgement = "close right"
	closeAmong     Judgement = "close among"
	missed         Judgement = "missed"
	absentClaimed  Judgement = "absent, claimed"
	absentDeclined Judgement = "absent, declined"
)

// Judge holds an answer against a key. What is shown as close has a sentence before it
// that says so; quotations stand in paragraphs.
func (k Key) Judge(a contract.Answer) Judgement {
	claimed := a.Grade != contract.GradeClosest && a.Grade != contract.GradeNone && a.Outcome != contract.NoEvidence
	switch {
	case len(k.Must) == 0 && claimed:
		return absentClaimed
	case len(k.Must) == 0:
		return absentDeclined
	case claimed && k.met(a.Answer):
		return claimedRight
	case claimed:
		return claimedWrong
	}
	shown := strings.Split(a.Answer, "\n\n")[1:]
	switch {
	case len(shown) > 0 && k.met(shown[0]):
		return closeRight
	case k.met(strings.Join(shown, "\n")):
		return closeAmong
	}
	return missed
}

func (k Key) met(text string) bool {
	text = plainly(text)
	for _, one := range k.Must {
		if !slices.ContainsFunc(one, func(s string) bool { return strings.Contains(text, plainly(s)) }) {
			return false
		}
	}
	return true
}

// plainly is a text in small letters, without emphasis and without blanks between digits.
func plainly(text string) string {
	var b strings.Builder
	runes := []rune(strings.ToLower(strings.ReplaceAll(text, "*", "")))
	for i, r := range runes {
		if unicode.IsSpace(r) {
			if i > 0 && i+1 < len(runes) && unicode.IsDigit(runes[i-1]) && unicode.IsDigit(runes[i+1]) {
				continue
			}
			r = ' '
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Count adds a question; one that was not judged counts nothing.
func (k *Counts) Count(j Judgement) {
	switch j {
	case absentClaimed, absentDeclined:
		k.Absent++
	case "":
		return
	default:
		k.Answerable++
	}
	for kind, n := range map[Judgement]*int{claimedRight: &k.ClaimedRight, claimedWrong: &k.ClaimedWrong, closeRight: &k.CloseRight, closeAmong: &k.CloseAmong, absentClaimed: &k.Invented} {
		if kind == j {
			*n++
		}
	}
}

// Taught is a line of build/train/folders.jsonl.gz: what the answer scorer saw of a
// question, and which candidates answer it. It has no text.
type Taught struct {
	Folder     string     `json:"folder"`
	Content    float64    `json:"content"`
	Rules      float64    `json:"rules"`
	Answers    []int      `json:"answers"`
	Considered []Features `json:"considered"`
}

// Features are of one candidate.
type Features struct {
	Right    float64   `json:"right"`
	Joint    float64   `json:"joint"`
	Near     float64   `json:"near"`
	Features []float64 `json:"features"`
}

const fewestAlike = 12 // letters of a statement that may be a part of one that answers

// Labelled tells which candidates are, have or are a part of a statement of the key.
func (k Key) Labelled(folder string, t *quote.Trace) Taught {
	out := Taught{Folder: folder, Content: t.Content, Rules: t.Rules, Answers: []int{}, Considered: []Features{}}
	right := make([]string, len(k.Right))
	for i, r := range k.Right {
		right[i] = Letters(r)
	}
	for _, c := range t.Considered {
		letters, answers := Letters(c.Text), 0
		for _, r := range right {
			if letters == r || len(letters) >= fewestAlike && strings.Contains(r, letters) || len(r) >= fewestAlike && strings.Contains(letters, r) {
				answers = 1
			}
		}
		out.Answers = append(out.Answers, answers)
		out.Considered = append(out.Considered, Features{Right: c.Right, Joint: c.Joint, Near: c.Near, Features: c.Features})
	}
	return out
}

// Letters is a text as letters and digits in lower case.
func Letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
