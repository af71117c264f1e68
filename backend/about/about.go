package about

import (
	"cmp"
	"context"
	"slices"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote/gist"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/rank"
	"footnote/backend/table"
)

const (
	// Most is how many questions are offered.
	Most      = 3
	mostTried = 14
	mostRead  = 400 // passages of a file; of a longer one its beginning
)

// Sentence is one of those that say most of a file, with its place.
type Sentence struct {
	Text    string             `json:"text"`
	Source  evidence.SourceID  `json:"source"`
	Passage evidence.PassageID `json:"passage"`
	At      evidence.Locator   `json:"locator"` // of the sentence, in the text of its source
	File    string             `json:"file"`    // id

	score float64
}

// Suggestion is a question that a file answers.
type Suggestion struct {
	Text       string             `json:"question"`
	File       string             `json:"file"`   // id of the file that answers it
	Answer     string             `json:"answer"` // as the file says it
	Confidence float64            `json:"confidence"`
	Source     evidence.SourceID  `json:"source"`
	Passage    evidence.PassageID `json:"passage"`
	At         evidence.Locator   `json:"locator"` // of its passage
}

// Sentences gives those that say most of a document, in its order; of a long one
// its beginning is read, and whole is false.
func Sentences(c *cite.Checker, file string, doc evidence.Document) (said []Sentence, whole bool) {
	var all []rank.Candidate
	for _, p := range evidence.Split(doc, evidence.SplitOptions{}) {
		all = append(all, rank.Candidate{Source: doc.Source, Passage: p})
	}
	read := all[:min(len(all), mostRead)]
	if len(read) == 0 {
		return nil, true
	}
	for _, s := range gist.Of(c, read) {
		p := read[s.Passage].Passage
		at := p.At
		at.Start += points(p.Text[:s.Span.Start])
		at.End = at.Start + points(s.Text)
		said = append(said, Sentence{Text: s.Text, Source: doc.Source.ID, Passage: p.ID, At: at, File: file, score: s.Score})
	}
	return said, len(read) == len(all)
}

func points(text string) int { return len([]rune(text)) }

// Best is the sentence that says most.
func Best(said []Sentence) (Sentence, bool) {
	if len(said) == 0 {
		return Sentence{}, false
	}
	return slices.MaxFunc(said, func(a, b Sentence) int { return cmp.Compare(a.score, b.score) }), true
}

// Answered asks a file the questions that are made of its text, each like a cell of
// an evidence table, until most of them are answered from different passages.
func Answered(ctx context.Context, asker table.Asker, base contract.Question, file table.File, questions []string, most int) []Suggestion {
	questions = questions[:min(len(questions), mostTried)]
	var found []Suggestion
	t := table.Table{Files: []table.File{file}, Questions: questions}
	for cell := range t.Fill(ctx, asker, base) {
		if cell.State != table.Found || slices.ContainsFunc(found, func(q Suggestion) bool {
			return q.Passage == cell.Passage && overlap(q.At, cell.At) && q.Answer == cell.Text
		}) {
			continue
		}
		found = append(found, Suggestion{questions[cell.Column], file.ID, cell.Text, *cell.Confidence, cell.Source, cell.Passage, cell.At})
		if len(found) >= most {
			break
		}
	}
	slices.SortStableFunc(found, func(a, b Suggestion) int { return cmp.Compare(b.Confidence, a.Confidence) })
	return found
}

func overlap(a, b evidence.Locator) bool { return a.Start < b.End && b.Start < a.End }
