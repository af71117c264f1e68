package research

import (
	"slices"
	"strings"

	"footnote/backend/answer"
	"footnote/backend/evidence"
	"footnote/backend/pattern"
	"footnote/backend/rank"
)

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
			if key := sentenceKey(line[s.Start:s.End]); key != "" {
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
		if rank.CountWords(key) >= fewestWords {
			w.repeated[key] = true
		}
	}
}

// fresh is what a section that a model wrote says beyond the earlier ones, however
// short that is. Of one that only repeats them the first paragraph stays, or nothing where it is a further one below its heading.
func (w *reporter) fresh(s section, body string, at int, first bool) string {
	clean := w.withoutRepeats(body)
	if clean == body {
		return body
	}
	w.r.p.Tell.UnsayTo(at)
	if clean == "" {
		if s.parent != "" && !first {
			return ""
		}
		clean, _, _ = strings.Cut(body, "\n\n")
	}
	w.r.p.Publish(clean)
	return clean
}

// onePerText leaves out passages that nearly repeat an earlier one: copies of a
// page under another address.
func (r *research) onePerText(all []rank.Candidate) []rank.Candidate {
	return rank.DedupAbove(all, r.p.Task.Settings.Rank.Jaccard)
}
