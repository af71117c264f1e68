package cite

import (
	"strings"
	"unicode/utf8"
)

// Bound is a citation that was bound to a passage.
type Bound struct {
	N       int // the marker
	Verdict string
}

// Quality is the report on what an answer cites.
type Quality struct {
	HasCitations bool
	Count        int            // unique numbers cited
	AllValid     bool           // every number names a source
	Coverage     float64        // cited sentences among those of more than 20 characters, 0 to 1
	Verdicts     map[string]int // how many citations got each verdict
	Warnings     []string
}

// The warnings of a report, literally.
const (
	WarnCoverage = "Low citation coverage"
	WarnInvalid  = "Invalid citation references found"
	WarnSingle   = "Answer relies on single source"
)

// shortSentence is the length in characters up to which a sentence needs no citation.
const shortSentence = 20

// Report measures a canonical text that may cite sources 1 to sources.
func Report(canonical string, citations []Bound, sources int) Quality {
	q := Quality{AllValid: true, Verdicts: map[string]int{Supported: 0, Partly: 0, NotFound: 0, Contradicted: 0}, Warnings: []string{}}
	marks := Markers(canonical, 0)
	seen := map[int]bool{}
	for _, m := range marks {
		seen[m.N] = true
		q.AllValid = q.AllValid && 1 <= m.N && m.N <= sources
	}
	q.Count, q.HasCitations = len(seen), len(seen) > 0
	q.Coverage = coverage(canonical, marks)
	for _, c := range citations {
		q.Verdicts[c.Verdict]++
	}
	if q.Coverage < 0.3 {
		q.Warnings = append(q.Warnings, WarnCoverage)
	}
	if !q.AllValid {
		q.Warnings = append(q.Warnings, WarnInvalid)
	}
	if q.Count < 2 {
		q.Warnings = append(q.Warnings, WarnSingle)
	}
	return q
}

// coverage is the share of longer sentences that carry a marker. A text of short
// sentences only is covered when it cites anything.
func coverage(canonical string, marks []MarkerAt) float64 {
	long, cited := 0, 0
	for _, u := range units(canonical, marks) {
		text := strings.TrimRight(canonical[u.span.Start:u.span.End], ".!?。！？ ")
		if utf8.RuneCountInString(text) <= shortSentence {
			continue
		}
		long++
		if len(u.marks) > 0 {
			cited++
		}
	}
	switch {
	case long > 0:
		return float64(cited) / float64(long)
	case len(marks) > 0:
		return 1
	}
	return 0
}
