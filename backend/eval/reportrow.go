package eval

import (
	"fmt"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/eval/world"
)

// share is how many of how many.
type share struct {
	Of  int `json:"of"`
	Has int `json:"has"`
}

func (s *share) count(yes bool) {
	s.Of++
	if yes {
		s.Has++
	}
}

// String is the share with what it is of.
func (s share) String() string {
	if s.Of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f of %d", float64(s.Has)/float64(s.Of), s.Of)
}

// ReportRow is how reports over a world do.
type ReportRow struct {
	World        string `json:"world"`
	Reports      int    `json:"reports"`
	Failed       int    `json:"failed"`
	OnSubject    share  `json:"on_subject"`    // sentences
	Negatives    share  `json:"negatives"`     // planted ones, in reports of due diligence
	Headings     share  `json:"headings"`      // sentences below a heading that belong there
	Answers      share  `json:"answers"`       // the first sentence of the summary does
	SaysNothing  share  `json:"says_nothing"`  // where nothing answers, it says so
	Conflicts    share  `json:"conflicts"`     // planted ones, both sides in the report
	Told         share  `json:"told"`          // disagreements that are said are planted
	Outdated     int    `json:"outdated"`      // facts, stated as current
	MirrorsTwice int    `json:"mirrors_twice"` // counted as sources of their own
	FooledByOne  share  `json:"fooled_by_one"`
	FooledBy3    share  `json:"fooled_by_three"`
	WallMs       int64  `json:"wall_ms"`
}

// String is one line for people.
func (r ReportRow) String() string {
	return fmt.Sprintf("%s: %d reports, %d failed  on the subject %s  negatives %s  headings %s  first sentence answers %s, says that nothing does %s  contradictions %s, precision %s  outdated %d  mirrors twice %d  fooled by one %s, by three %s  %.1f s",
		r.World, r.Reports, r.Failed, r.OnSubject, r.Negatives, r.Headings, r.Answers, r.SaysNothing, r.Conflicts, r.Told, r.Outdated, r.MirrorsTwice, r.FooledByOne, r.FooledBy3, float64(r.WallMs)/1000)
}

// add counts one report.
func (r *ReportRow) add(x *reported, all []known) {
	r.Reports++
	r.WallMs += x.answer.LatencyMs
	if x.Error != "" {
		r.Failed++
		return
	}
	sentences := sentencesOf(x.Report, all)
	if x.Mode == "poll" {
		r.poll(x, sentences)
		return
	}
	for _, s := range sentences {
		r.sentence(x, s)
	}
	r.summary(x, sentences)
	r.disagreements(x, sentences)
	r.mirrors(x)
	if x.Mode != "due" {
		return
	}
	for _, p := range x.subject.Pages {
		for _, planted := range p.Sentences {
			if planted.Negative {
				in := hasText(sentences, planted.Text)
				r.Negatives.count(in)
				x.note(in, "misses: "+planted.Text)
			}
		}
	}
}

func (x *reported) note(right bool, wrong string) {
	if !right {
		x.Wrong = append(x.Wrong, wrong)
	}
}

func hasText(all []said, text string) bool {
	return slices.ContainsFunc(all, func(s said) bool { return s.known != nil && s.known.Text == text })
}

// sentence judges one sentence: its subject, its heading, its age.
func (r *ReportRow) sentence(x *reported, s said) {
	on := s.known != nil && s.known.subject == x.subject.Name && !s.known.Is(world.Boilerplate) && !s.known.Is(world.Unrelated) &&
		(!s.known.Is(world.OfRival) || compares(s.heading))
	r.OnSubject.count(on)
	x.note(on, "off the subject, "+s.heading+": "+s.text)
	if s.known == nil {
		return
	}
	if accepted := headingsOf[s.heading]; accepted != nil {
		right := slices.ContainsFunc(accepted, s.known.Is) || s.known.Negative && s.heading == "Risks"
		r.Headings.count(right)
		x.note(right, "under "+s.heading+": "+s.text)
	}
	if s.known.Is(world.Outdated) && !strings.Contains(s.line, s.known.page.Date[:4]) {
		r.Outdated++
		x.note(false, "outdated: "+s.text)
	}
}

// summary judges the first sentence.
func (r *ReportRow) summary(x *reported, sentences []said) {
	body := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(x.Report), "## Executive Summary"))
	first, rest, _ := strings.Cut(body, "\n")
	if x.Mode == "due" && !markerIn.MatchString(first) { // words of the program: how much speaks for and against
		first, _, _ = strings.Cut(strings.TrimSpace(rest), "\n")
	}
	saysSo := strings.Contains(first, "do not answer") || x.answer.Outcome == contract.NoEvidence
	if x.Mode == "none" {
		r.SaysNothing.count(saysSo)
		x.note(saysSo, "does not say that nothing answers: "+first)
		return
	}
	answers := false
	if len(sentences) > 0 && strings.Contains(first, sentences[0].text) {
		k := sentences[0].known
		answers = k != nil && k.subject == x.subject.Name && (k.Answers || x.Mode == "due" && !k.Is(world.OfRival) && !k.Is(world.Outdated) && !k.Is(world.Unrelated) && !k.Is(world.Boilerplate))
	}
	r.Answers.count(answers)
	x.note(answers, "does not answer first: "+first)
}

// disagreements judges what is said to disagree, and whether the report has both
// sides of each planted pair.
func (r *ReportRow) disagreements(x *reported, sentences []said) {
	pairs := map[string][]string{}
	for _, p := range x.subject.Pages {
		for _, s := range p.Sentences {
			if s.Pair != "" && !slices.Contains(pairs[s.Pair], s.Text) {
				pairs[s.Pair] = append(pairs[s.Pair], s.Text)
			}
		}
	}
	toldOf := map[string]bool{}
	for _, d := range x.answer.Disagreements {
		planted := ""
		for name, texts := range pairs {
			if slices.ContainsFunc(d.Sides, quotes(texts[0])) && slices.ContainsFunc(d.Sides, quotes(texts[1])) {
				planted = name
			}
		}
		toldOf[planted] = true
		versions := slices.ContainsFunc(sentences, func(s said) bool {
			return s.known != nil && s.known.Is(world.Outdated) && slices.ContainsFunc(d.Sides, quotes(s.known.Text))
		})
		r.Told.count(planted != "" || versions)
		x.note(planted != "" || versions, "no disagreement: "+strings.Join(sideQuotes(d.Sides), " / "))
	}
	if x.Mode == "due" {
		for name := range pairs {
			r.Conflicts.count(toldOf[name])
			x.note(toldOf[name], "contradiction not told: "+strings.Join(pairs[name], " / "))
		}
	}
}

func quotes(text string) func(contract.Side) bool {
	return func(s contract.Side) bool {
		return strings.Contains(s.Quote, strings.TrimSuffix(text, "."))
	}
}

// mirrors counts copies that stand among the sources beside what they copy.
func (r *ReportRow) mirrors(x *reported) {
	cited := func(path string) bool {
		return slices.ContainsFunc(x.answer.Sources, func(c contract.SourceCard) bool {
			return (strings.HasSuffix(c.URL, path) || strings.HasSuffix(c.Path, path+".md")) && slices.ContainsFunc(x.answer.Citations, func(a contract.Citation) bool { return a.Source == c.ID })
		})
	}
	for _, p := range x.subject.Pages {
		if p.Mirrors != "" && cited(p.Path) && cited(p.Mirrors) {
			r.MirrorsTwice++
			x.note(false, "counted twice: "+p.Path)
		}
	}
}

// poll judges whether a minority of false pages won: one of ten, when it opens the
// report or stands in it alone; three, when they do without what contradicts them.
func (r *ReportRow) poll(x *reported, sentences []said) {
	lies := slices.IndexFunc(sentences, func(s said) bool { return strings.Contains(s.text, x.subject.Lie) })
	truth := slices.IndexFunc(sentences, func(s said) bool { return strings.Contains(s.text, x.subject.Truth) })
	fooled := lies >= 0 && truth < 0
	if x.subject.False == 1 {
		fooled = fooled || lies == 0
		r.FooledByOne.count(fooled)
	} else {
		told := slices.ContainsFunc(x.answer.Disagreements, func(d contract.Disagreement) bool {
			return slices.ContainsFunc(d.Sides, quotes(x.subject.Lie)) && slices.ContainsFunc(d.Sides, quotes(x.subject.Truth))
		})
		fooled = fooled || lies == 0 && !told
		r.FooledBy3.count(fooled)
	}
	x.note(!fooled, "fooled")
}

// sideQuotes are what the sides of a disagreement say.
func sideQuotes(sides []contract.Side) (all []string) {
	for _, s := range sides {
		all = append(all, s.Quote)
	}
	return all
}
