package research

import (
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/quote"
	"footnote/backend/plain"
)

// diligent are the sections of due diligence where findings are told apart by cues,
// or a model writes.
func (r *research) diligent(explored []contract.Explored, words func(float64) int, detail []section) []section {
	sides := func(places ...int) (about []int) {
		for _, at := range places {
			about = append(about, placesOf(explored, diligence[at])...)
		}
		return about
	}
	all := []section{{title: summaryHeading, words: words(summaryShare), quoted: true, task: "Two to three paragraphs: what was examined, what stands out, and a clear recommendation."}}
	all = append(all, detail...)
	return append(all,
		section{title: "Strengths", about: sides(0, 2, 4), words: words(findingsShare), cue: strengthCues, everywhere: true, none: "No sentence that was found names a strength.", task: "A list of strengths that the passages show, each with what it rests on."},
		section{title: "Risks & Concerns", about: sides(1, 0, 2), words: words(findingsShare), cue: riskCues, everywhere: true, none: "No sentence that was found names a risk.", task: "A list of risks and concerns that the passages show, the gravest first, each with what it rests on."},
		section{title: "Alternatives Considered", about: sides(3), words: words(findingsShare), cue: sideCues[diligence[3]], none: "No sentence that was found names an alternative.", task: "The alternatives that the passages name, and how they compare."},
		section{title: recommendation, words: words(summaryShare), task: "The recommendation, how confident it can be (high, medium or low) and why, and the caveats. Say what was not found."})
}

const summaryHeading, recommendation = "Executive Summary", "Recommendation"

// headedSections are those of due diligence by the headings of its findings: what
// speaks against the subject first.
var headedSections = []struct{ title, heading string }{
	{"Risks & Concerns", Risks}, {"Security", Security}, {"Licence", Licence}, {"Weaknesses", Weaknesses}, {"Strengths", Strengths},
	{"Opportunities", Opportunities}, {"Figures", Figures}, {"Timeline", Timeline}, {"People", People}, {"Competitors", Competitors},
}

// sections are the parts of this report, in order.
func (w *reporter) sections() []section {
	all := w.r.sections(w.explored)
	if len(w.found) == 0 {
		return all
	}
	if w.r.p.Task.Question.SubMode == contract.DueDiligence && w.r.p.Models.Chat.Model == nil {
		all = []section{{title: summaryHeading, write: (*reporter).diligentSummary}}
		for _, h := range headedSections {
			all = append(all, section{title: h.title, write: func(w *reporter) (string, string) { return w.headed(h.heading), "" }})
		}
		all = append(all, section{title: recommendation, write: func(w *reporter) (string, string) { return "", w.recommended() }})
	}
	last := len(all) - 1
	return slices.Insert(all, last, section{title: "Contradictions", write: func(w *reporter) (string, string) { return w.contradictions(), "" }},
		section{title: "What Changed", write: func(w *reporter) (string, string) { return w.changes(), "" }})
}

// mostOfHeading are the findings of a heading that a report has; what speaks against
// the subject is never left out.
const mostOfHeading = 10

// headed quotes the findings of a heading.
func (w *reporter) headed(heading string) string {
	var lines []string
	for _, f := range w.under(heading) {
		if heading == Risks || len(lines) < mostOfHeading {
			lines = append(lines, "- "+f.quoted())
		}
	}
	return strings.Join(lines, "\n")
}

// diligentSummary says how far the sources answer, then quotes what speaks against the
// subject, what speaks for it, and its figures. All of it stands again below.
func (w *reporter) diligentSummary() (quoted, said string) {
	var parts []string
	for _, wanted := range []struct {
		heading string
		most    int
	}{{Risks, 3}, {Strengths, 2}, {Figures, 1}} {
		all := w.under(wanted.heading)
		var group []string
		for _, f := range all[:min(len(all), wanted.most)] {
			group = append(group, f.quoted())
		}
		if len(group) > 0 {
			parts = append(parts, strings.Join(group, " "))
		}
	}
	if len(parts) == 0 {
		return "", noAnswer
	}
	return strings.Join(parts, "\n\n"), w.verdict()
}

// verdict is how much speaks for the subject and against it, in one sentence.
func (w *reporter) verdict() string {
	against, favour := len(w.under(Risks)), len(w.under(Strengths))
	return "The sources do not decide this question: " + plain.Plural(against, "finding speaks", "findings speak") + " against " + quote.EscapeMarkdown(w.r.study.Topic) + " and " + plain.Plural(favour, "finding", "findings") + " for it."
}

// recommended is what follows without a judge: how much speaks for and against, and
// what nothing was found on.
func (w *reporter) recommended() string {
	against, favour := w.under(Risks), w.under(Strengths)
	text := "Not enough for a recommendation: "
	switch {
	case len(against) > 0:
		text = "No recommendation before the " + plain.Plural(len(against), "point", "points") + " under “Risks & Concerns” " + areIs(len(against)) + " settled: "
	case len(favour) > 0:
		text = "Nothing that was found speaks against it, which is not yet a recommendation: "
	}
	text += plain.Plural(len(favour), "finding speaks", "findings speak") + " for " + quote.EscapeMarkdown(w.r.study.Topic) + " and " + plain.Plural(len(against), "finding", "findings") + " against it. No model weighed them."
	if once := w.restingOnOne(); once > 0 {
		text += " " + plain.Plural(once, "finding rests", "findings rest") + " on a single source."
	}
	var open []string
	for _, h := range headedSections {
		if len(w.under(h.heading)) == 0 {
			open = append(open, strings.ToLower(h.title))
		}
	}
	if len(open) > 0 {
		text += "\n\nNothing was found on: " + strings.Join(open, "; ") + "."
	}
	return text
}

func areIs(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// restingOnOne counts the findings that the report shows and one source alone says.
func (w *reporter) restingOnOne() (n int) {
	for _, h := range headedSections {
		for _, f := range w.under(h.heading) {
			if len(f.also) == 0 {
				n++
			}
		}
	}
	return n
}
