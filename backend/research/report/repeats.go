package report

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/pattern"
	"footnote/backend/plain"
	"footnote/backend/rank"
	"footnote/backend/research/sentences"
)

// leftOut is what a report leaves out.
type leftOut struct {
	bare    []string // subquestions that nothing else could be quoted on
	unborne int      // sentences of models that their passages do not bear
}

var blankLines = pattern.New(`\n{3,}`)

// withoutRepeats takes lines out of a section that an earlier one has word for
// word; summary and key findings may be said again in full. Empty when nothing else is left.
func (w *reporter) withoutRepeats(text string) string {
	var kept []string
	for _, line := range strings.Split(text, "\n") {
		if keys := keysOf(line); len(keys) == 0 || slices.ContainsFunc(keys, func(key string) bool { return !w.repeated[key] }) {
			kept = append(kept, line)
		}
	}
	clean := strings.TrimSpace(blankLines.ReplaceAllString(strings.Join(kept, "\n"), "\n\n"))
	if len(keysOf(clean)) == 0 {
		return ""
	}
	return clean
}

// keysOf are the sentences of a text by key, without their footnotes.
func keysOf(text string) (keys []string) {
	for _, line := range strings.Split(answer.Markers.ReplaceAllString(text, ""), "\n") {
		for _, s := range evidence.Sentences(line) {
			if key := sentences.Key(line[s.Start:s.End]); key != "" {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// noteRepeats remembers what a section says, so that no later one says it again.
func (w *reporter) noteRepeats(s section, text string) {
	if w.repeated == nil {
		w.repeated = map[string]bool{}
	}
	if s.kind == summaryKind || s.kind == keyFindings {
		return
	}
	for _, key := range keysOf(text) {
		if rank.CountWords(key) >= sentences.FewestWords {
			w.repeated[key] = true
		}
	}
}

// cutHere stands where a sentence was taken out.
const cutHere = "\x00"

// borne is a text of a model without the sentences that the passages they cite do not bear.
func (w *reporter) borne(ctx context.Context, text string) string {
	if text == "" {
		return ""
	}
	cuts := w.Pipeline.Unborne(ctx, text)
	if len(cuts) == 0 {
		return text
	}
	w.left.unborne += len(cuts)
	var kept strings.Builder
	at := 0
	for _, cut := range cuts {
		kept.WriteString(text[at:cut.Start] + cutHere)
		at = cut.End
	}
	kept.WriteString(text[at:])
	lines := strings.Split(kept.String(), "\n")
	lines = slices.DeleteFunc(lines, func(line string) bool { // of a list item its sign would be left
		return strings.Contains(line, cutHere) && !strings.ContainsFunc(line, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
	})
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], cutHere, "")
	}
	clean := strings.TrimSpace(blankLines.ReplaceAllString(strings.Join(lines, "\n"), "\n\n"))
	if len(keysOf(clean)) == 0 {
		return ""
	}
	return clean
}

// tellUnborne says how much of what the model wrote was left out.
func (w *reporter) tellUnborne() {
	if w.left.unborne > 0 {
		w.Pipeline.Tell.Notice(contract.Notice{Code: "unsupported-left-out", Level: "info", Message: plain.Plural(w.left.unborne, "sentence", "sentences") + " of the model left out: the passages cited do not bear them."})
	}
}

// fresh is what a section that a model wrote says beyond the earlier ones, however
// short that is: of what is borne, in the place of what was published. Of one that only
// repeats them the first paragraph stays, or nothing where it is a further one below its heading.
func (w *reporter) fresh(s section, published, body string, at int, first bool) string {
	clean := w.withoutRepeats(body)
	if clean == published {
		return published
	}
	w.Pipeline.Tell.UnsayTo(at)
	if clean == "" {
		if s.parent != "" && !first {
			return ""
		}
		clean, _, _ = strings.Cut(body, "\n\n")
	}
	w.Pipeline.Publish(clean)
	return clean
}
