package export

import (
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/cite"
	"footnote/backend/evidence"
)

// Replayed says what became of an answer that was made again from its bundle:
// what the model had said was read again, and each of its claims was held against
// its passage again, without network and without a model.
type Replayed struct {
	Run       contract.RunID `json:"run"`
	Text      string         `json:"text"`      // the answer, as it comes out
	Same      bool           `json:"same"`      // it is the answer that is there
	Citations int            `json:"citations"` // of the answer that is there
	Agreed    int            `json:"agreed"`    // of those: found again, with the verdict they have
}

// Replay makes the answers of a thread again that a model wrote. Answers that
// were quoted, computed or not finished have nothing to be replayed.
func Replay(k trace.KeptThread, checker *cite.Checker) []Replayed {
	passages := map[evidence.PassageID]string{}
	for _, doc := range k.Documents {
		for _, p := range doc.Passages {
			passages[p.ID] = p.Text
		}
	}
	replayed := []Replayed{}
	for _, run := range k.Runs {
		if said := spoken(run); said != "" {
			replayed = append(replayed, replay(run.Run, said, passages, checker))
		}
	}
	return replayed
}

// spoken is what the model said that the answer was made of; empty when none
// wrote it.
func spoken(k trace.KeptRun) string {
	if k.Run.Answer == nil || k.Run.Answer.Outcome != contract.Answered || k.Tape == nil {
		return ""
	}
	for _, call := range slices.Backward(k.Tape.Calls) {
		if (call.Purpose == "chat" || call.Purpose == "agent") && call.Said != "" && call.Failed == "" && len(call.Tools) == 0 {
			return call.Said
		}
	}
	return ""
}

func replay(run contract.Run, said string, passages map[evidence.PassageID]string, checker *cite.Checker) Replayed {
	a := run.Answer
	p := cite.NewParser(len(a.Sources))
	var text strings.Builder
	for _, piece := range append(p.Feed(said), p.Close()...) {
		text.WriteString(piece.Text)
	}
	r := Replayed{Run: run.ID, Text: strings.TrimSpace(text.String()), Citations: len(a.Citations)}
	r.Same = r.Text == strings.TrimSpace(a.Answer)
	claims := cite.Claims(r.Text)
	for _, c := range a.Citations {
		at := slices.IndexFunc(claims, func(claim cite.Claim) bool {
			return slices.Contains(claim.Markers, c.Marker) && r.Text[claim.Sentence.Start:claim.Sentence.End] == c.Claim.Text
		})
		body, ok := passages[c.Passage]
		if at < 0 || !ok {
			continue
		}
		f := checker.CheckRead(claims[at].Text, run.Question.Text, checker.Read(body))
		if contract.Verdict(f.Verdict) == c.Verdict || a.Report.Table == cite.EncoderTable { // which words alone do not give
			r.Agreed++
		}
	}
	return r
}
