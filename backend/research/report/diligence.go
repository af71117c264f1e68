package report

import (
	"footnote/backend/plain"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/research/headings"
	"footnote/backend/research/sides"
)

// diligent are the sections of due diligence where findings are told apart by cues,
// or a model writes.
func (w *reporter) diligent(words func(float64) int, detail []section) []section {
	places := func(of ...int) (about []int) {
		for _, at := range of {
			about = append(about, placesOf(w.Explored, w.say(sides.Diligence[at]))...)
		}
		return about
	}
	all := []section{w.headed(summaryKind, section{words: words(summaryShare), quoted: true, task: "Two to three paragraphs: what was examined, what stands out, and a clear recommendation."})}
	all = append(all, detail...)
	return append(all,
		w.headed("strengths", section{about: places(0, 2, 4), words: words(findingsShare), cue: sides.Strengths, everywhere: true, none: "no-strength", task: "A list of strengths that the passages show, each with what it rests on."}),
		w.headed("risks", section{about: places(1, 0, 2), words: words(findingsShare), cue: sides.Risks, everywhere: true, none: "no-risk", task: "A list of risks and concerns that the passages show, the gravest first, each with what it rests on."}),
		w.headed("alternatives", section{about: places(3), words: words(findingsShare), cue: sides.Cue(sides.Diligence[3]), none: "no-alternative", task: "The alternatives that the passages name, and how they compare."}),
		w.headed(recommendationKind, section{words: words(summaryShare), task: "The recommendation, how confident it can be (high, medium or low) and why, and the caveats. Say what was not found."}))
}

// headedSections are the headings of due diligence by its findings, in order: what speaks
// against the subject first. Each is the kind of a section too.
var headedSections = []string{headings.Risks, headings.Security, headings.Licence, headings.Weaknesses, headings.Strengths, headings.Opportunities, headings.Figures, headings.Timeline, headings.People, headings.Competitors}

// sections are the parts of this report, in order.
func (w *reporter) sections() []section {
	all := w.allSections()
	if len(w.found) == 0 {
		return all
	}
	if w.Pipeline.Task.Question.SubMode == contract.DueDiligence && w.Pipeline.Models.Chat.Model == nil {
		all = []section{w.headed(summaryKind, section{write: (*reporter).diligentSummary})}
		for _, heading := range headedSections {
			if len(w.under(heading)) > 0 {
				all = append(all, w.headed(heading, section{write: func(w *reporter) (string, string) { return w.underHeading(heading), "" }}))
			}
		}
		all = append(all, w.headed(recommendationKind, section{write: func(w *reporter) (string, string) { return "", w.recommended() }}))
	}
	var compared []section
	if text := w.contradictions(); text != "" {
		compared = append(compared, w.headed("contradictions", section{write: func(*reporter) (string, string) { return text, "" }}))
	}
	if text := w.changes(); text != "" {
		compared = append(compared, w.headed("what-changed", section{write: func(*reporter) (string, string) { return text, "" }}))
	}
	return slices.Insert(all, len(all)-1, compared...)
}

// mostOfHeading are the findings of a heading that a report has; what speaks against
// the subject is never left out.
const mostOfHeading = 10

// underHeading quotes the findings of a heading.
func (w *reporter) underHeading(heading string) string {
	var lines []string
	for _, f := range w.under(heading) {
		if heading == headings.Risks || len(lines) < mostOfHeading {
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
	}{{headings.Risks, 3}, {headings.Strengths, 2}, {headings.Figures, 1}} {
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
		return "", w.say("no-answer")
	}
	return strings.Join(parts, "\n\n"), w.verdict()
}

// verdict is how much speaks for the subject and against it, in one sentence.
func (w *reporter) verdict() string {
	return w.say("undecided", w.say("against", len(w.under(headings.Risks)), plain.EscapeMarkdown(w.Study.Topic)), w.say("for", len(w.under(headings.Strengths))))
}

// recommended is what follows without a judge: how much speaks for and against, and
// what nothing was found on.
func (w *reporter) recommended() string {
	against, favour := w.under(headings.Risks), w.under(headings.Strengths)
	text := w.say("unweighed", w.say("speak-for", len(favour), plain.EscapeMarkdown(w.Study.Topic)), w.say("speak-against", len(against)))
	switch {
	case len(against) > 0:
		text = w.say("settle-first", len(against), w.say(headings.Risks), text)
	case len(favour) > 0:
		text = w.say("nothing-against", text)
	default:
		text = w.say("not-enough", text)
	}
	if once := w.restingOnOne(); once > 0 {
		text += " " + w.say("single-source", once)
	}
	var open, also []string
	for _, heading := range headedSections {
		switch {
		case len(w.under(heading)) > 0:
		case slices.ContainsFunc(w.found, func(f *finding) bool { return f.bears(heading) }):
			also = append(also, w.sayWithin(heading))
		default:
			open = append(open, w.sayWithin(heading))
		}
	}
	if len(also) > 0 {
		text += "\n\n" + w.say("also-under", w.say(headings.Risks), listed(also))
	}
	if len(open) > 0 {
		text += "\n\n" + w.say("nothing-found", listed(open))
	}
	return text
}

// restingOnOne counts the findings that the report shows and one source alone says.
func (w *reporter) restingOnOne() (n int) {
	for _, heading := range headedSections {
		for _, f := range w.under(heading) {
			if len(f.also) == 0 {
				n++
			}
		}
	}
	return n
}
