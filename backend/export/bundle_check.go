package export

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/evidence"
)

var (
	idForm     = regexp.MustCompile(`^[a-z]{3}_[0-9a-z]{10,64}$`)
	digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// sound holds a thread to what is true of every thread: ids of their form, ids
// that are made of what they name, passages that stand in their texts, events
// without gaps, quotes that stand in their passages.
func sound(ctx context.Context, k trace.KeptThread) error {
	if !named(string(k.ID), "thr_") || k.Type != "chat" && k.Type != "deep-research" {
		return refused(nil, "its conversation has no proper name")
	}
	if len(k.Runs) == 0 {
		return refused(nil, "it holds no question")
	}
	passages, texts := map[evidence.PassageID]string{}, map[evidence.SourceID]string{}
	for _, doc := range k.Documents {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := soundDocument(doc); err != nil {
			return err
		}
		texts[doc.Source.ID] = doc.Text
		for _, p := range doc.Passages {
			passages[p.ID] = p.Text
		}
	}
	seen := map[contract.RunID]bool{}
	for _, run := range k.Runs {
		if seen[run.Run.ID] {
			return refused(nil, "the run %s stands in it twice", run.Run.ID)
		}
		seen[run.Run.ID] = true
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := soundRun(k.ID, run); err != nil {
			return err
		}
		if err := soundAnswer(run.Run, passages, texts); err != nil {
			return err
		}
		if at := slices.IndexFunc(run.Sources, func(id evidence.SourceID) bool { return !idForm.MatchString(string(id)) }); at >= 0 {
			return refused(nil, "a source of %s has no proper name", run.Run.ID)
		}
	}
	return nil
}

func named(id, prefix string) bool { return strings.HasPrefix(id, prefix) && idForm.MatchString(id) }

var kinds = []evidence.Kind{evidence.Web, evidence.File, evidence.Video, evidence.Discussion, evidence.Paper, evidence.Computed, evidence.Pasted}

func soundDocument(d trace.KeptDocument) error {
	s := d.Source
	switch {
	case !digestForm.MatchString(s.Digest) || s.ID != evidence.NewSourceID(s.Kind, s.Address, s.Digest):
		return refused(nil, "the source %s is not what its name says", shortened(string(s.ID)))
	case !slices.Contains(kinds, s.Kind):
		return refused(nil, "the source %s is of no known kind", s.ID)
	}
	end := 0
	for _, b := range d.Blocks {
		if b.Start < end || b.End < b.Start || b.End > len(d.Text) {
			return refused(nil, "the text of %s has places outside of it", s.ID)
		}
		end = b.End
	}
	text := newRuneIndex(d)
	for _, p := range d.Passages {
		at := p.At
		switch {
		case !text.holds(at.Start, at.End, p.Text):
			return refused(nil, "a passage of %s does not stand in its text", s.ID)
		case p.ID != evidence.NewPassageID(s.Digest, at.Start, at.End):
			return refused(nil, "the passage %s is not what its name says", shortened(string(p.ID)))
		}
	}
	return nil
}

func soundRun(thread contract.ThreadID, k trace.KeptRun) error {
	run := k.Run
	if !named(string(run.ID), "run_") || run.Thread != thread || run.Question.Private {
		return refused(nil, "a run of it has no proper name")
	}
	switch run.Status {
	case contract.Finished, contract.Failed, contract.Stopped:
	default:
		return refused(nil, "the run %s has not ended", run.ID)
	}
	if (run.Answer != nil) != (run.Status == contract.Finished) || run.Answer != nil && (run.Answer.Run != run.ID || run.Answer.Thread != thread) {
		return refused(nil, "the answer of %s is that of another run", run.ID)
	}
	for i, e := range k.Events {
		if e.Run != run.ID || e.Seq != i+1 || e.Kind.Terminal() && i < len(k.Events)-1 {
			return refused(nil, "the events of %s are not in order", run.ID)
		}
	}
	return nil
}

// soundAnswer holds quotes to what was read, as far as it came along: to the
// passage, or where a row or two passages are quoted, to the text.
func soundAnswer(run contract.Run, passages map[evidence.PassageID]string, texts map[evidence.SourceID]string) error {
	if run.Answer == nil {
		return nil
	}
	for _, c := range run.Answer.Citations {
		text, ok := passages[c.Passage]
		if ok && !strings.Contains(text, c.Quote.Text) && !strings.Contains(texts[c.Source], c.Quote.Text) {
			return refused(nil, "a quote of %s does not stand in its source", run.ID)
		}
		if c.Marker < 1 || c.Marker > len(run.Answer.Sources) {
			return refused(nil, "a citation of %s names no source", run.ID)
		}
	}
	return nil
}

// runeIndex finds places, which count code points, in a text without taking it
// apart: it knows the byte of each 1,024th.
type runeIndex struct {
	text string
	step []int
}

const runeStep = 1024

// newRuneIndex looks through the text where a passage needs it.
func newRuneIndex(d trace.KeptDocument) runeIndex {
	x := runeIndex{text: d.Text}
	if len(d.Passages) == 0 {
		return x
	}
	n := 0
	for at := range d.Text {
		if n%runeStep == 0 {
			x.step = append(x.step, at)
		}
		n++
	}
	return x
}

// holds reports whether a passage stands at a place of the text.
func (x runeIndex) holds(start, end int, passage string) bool {
	if start < 0 || end < start || end-start != utf8.RuneCountInString(passage) {
		return false
	}
	at := 0
	if start/runeStep < len(x.step) {
		at = x.step[start/runeStep]
	} else if start > 0 && (start%runeStep != 0 || start/runeStep > len(x.step)) {
		return false
	} else if start > 0 {
		at = len(x.text)
	}
	for range start % runeStep {
		if at >= len(x.text) {
			return false
		}
		_, size := utf8.DecodeRuneInString(x.text[at:])
		at += size
	}
	return strings.HasPrefix(x.text[at:], passage)
}
