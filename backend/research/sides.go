package research

import (
	"slices"
	"strings"

	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// A side is a way to look at any topic. Its words are the program's, seldom the
// sources': a sentence bears on "limits and open questions" by saying "however",
// not by saying "open".
var sideCues = map[string]*pattern.Regexp{
	evidenceSide: pattern.New(`(?i)\d|\b(?:evidence|stud(?:y|ies)|trial|survey|measured|found that|showed?n?|reported|percent|average|majority|most of)\b`),
	causesSide:   pattern.New(`(?i)\b(?:because|cause[sd]?|due to|owing to|led to|results? (?:in|from)|resulted|reasons?|depends?|thanks to|therefore|so that|in order to|influences?|affects?|affected|provided that|only if|if|when|unless)\b`),
	limitsSide:   pattern.New(`(?i)\b(?:however|although|but|unknown|unclear|uncertain|not (?:known|clear|yet|enough|sufficient)|no evidence|limit(?:s|ed|ation|ations)?|remains?|open question|further (?:research|work|stud)|should be (?:addressed|studied)|only|except|unless|until|lack(?:s|ing)?|insufficient|few|cannot|never|neither|warrants?|warranted|possible|possibly|may|might|whether)\b`),

	diligence[0]: pattern.New(`(?i)\b(?:performance|capacity|scal(?:e|es|able|ability|ing)|fast(?:er)?|slow(?:er)?|speed|throughput|latency|efficien(?:t|cy)|load|times? as|per (?:second|minute|hour|day|week|month|year)|percent|carr(?:y|ies)|grew|growth|increase[sd]?|decrease[sd]?|average)\b|\d ?%`),
	diligence[1]: pattern.New(`(?i)\b(?:compatib(?:le|ility)|incompatible|integrat(?:e|es|ed|ion)|requires?|required|depends?|dependenc(?:y|ies)|interfaces?|standards?|support(?:s|ed)?|works? with|risks?|conflicts?|migrat(?:e|ion)|not covered|excluded|licen[cs]e[sd]?|compl(?:y|ies|iance))\b`),
	diligence[2]: pattern.New(`(?i)\b(?:communit(?:y|ies)|maintain(?:s|ed|ers?|ing)?|maintenance|repair(?:s|ed)?|servic(?:e|ed|ing)|inspect(?:s|ed|ion|ions)?|volunteers?|members?|contribut(?:e|es|ed|ors?|ions?)|releas(?:e|es|ed)|updat(?:e|es|ed)|support(?:s|ed)?|team|trust|association|trained|training|funded|funding)\b`),
	diligence[3]: pattern.New(`(?i)\b(?:alternatives?|alternatively|instead|rather than|in contrast|unlike|versus|other (?:options?|ways?|methods?|systems?|approaches)|options?|replac(?:e|es|ed|ement|ing)|substitutes?|competitors?)\b`),
	diligence[4]: pattern.New(`(?i)\b(?:cases?|examples?|for instance|in practice|experience[sd]?|projects?|pilot|deployed|installed|adopted|used (?:by|in|at|for)|(?:in|since|from|until|during) (?:(?:January|February|March|April|May|June|July|August|September|October|November|December) )?(?:1[5-9]|20)\d\d)\b`),
}

const evidenceSide, causesSide, limitsSide = "side-evidence", "side-causes", "side-limits"

// What speaks for a thing and against it, by the words of the sources.
var (
	strengthCues = pattern.New(`(?i)\b(?:advantages?|benefits?|strengths?|improv(?:e|es|ed|ement|ements|ing)|better|best|good|excellent|effective(?:ly)?|efficient(?:ly)?|reliabl[ey]|stable|safe(?:ly|r)?|sound|success(?:ful|fully)?|succeed(?:s|ed)?|proven|robust|fast(?:er)?|award(?:s|ed)?|saves?|saved|protects?|protected|reduces? (?:the )?(?:risk|cost|costs|time|mortality)|well[- ](?:maintained|documented|known|tested|preserved)|in good (?:order|condition|repair)|no (?:faults?|defects?|damage|losses)|restored|renewed|popular|praised|recommended)\b`)
	riskCues     = pattern.New(`(?i)\b(?:risks?|risky|dangers?|dangerous|hazards?|harm(?:s|ed|ful)?|damag(?:e|es|ed)|defects?|faults?|fail(?:s|ed|ing|ure|ures)?|problems?|concerns?|disadvantages?|drawbacks?|weak(?:ness|nesses)?|limitations?|expensive|costly|delays?|delayed|loss(?:es)?|lost|injur(?:y|ies|ed)|accidents?|corrosion|rust|cracks?|cracked|leaks?|leaked|warns?|warning|not (?:covered|insured|allowed|supported|supervised|safe)|must not|excluded|unsafe|vulnerab(?:le|ility|ilities)|shortage|cancel(?:s|led|lation)|adverse|side effects?|mortality|deficien(?:t|cy|cies)|uncertain|unclear|overdue|missing|lack(?:s|ing)?|insufficient|worse|worst|declin(?:e|es|ed|ing))\b`)
)

// topicAndSide takes a subquestion apart that the program worded as a side of a topic.
// Only sides in English have cues.
func topicAndSide(question string) (topic string, cue *pattern.Regexp) {
	at := strings.LastIndex(question, ": ")
	if at <= 0 {
		return "", nil
	}
	for side, cue := range sideCues {
		if question[at+2:] == lang.English.Say(side) {
			return question[:at], cue
		}
	}
	return question[:at], nil
}

// isSide reports whether the program worded a subquestion as a side of a topic.
func (r *research) isSide(question string) bool {
	for side := range sideCues {
		if strings.HasSuffix(question, ": "+r.say(side)) {
			return true
		}
	}
	return false
}

const (
	fromPassage  = 4 // sentences quoted of one passage in a section, at most
	mostOfCues   = 5 // sentences of a section by cues
	quotedSource = 3 // of a source among them
)

// byCue quotes what has a cue, from all that was found on the topic; program words
// where nothing has.
func (w *reporter) byCue(s section) (quoted, said string) {
	if text, done := w.reserved[s.kind]; done && text != "" {
		return text, ""
	} else if done {
		return "", w.nothingBy(s)
	}
	about := s.about
	if s.everywhere || len(about) == 0 {
		about = w.everywhere()
	}
	passages := w.quotable(w.r.study.Topic, w.evidenceOn(about))
	r := w.best(quote.OfSide(w.r.p.Checker(), w.r.study.Topic, s.cue, passages), passages, bounded{most: mostOfCues, words: s.words, source: quotedSource})
	if len(r.Sentences) == 0 {
		return "", w.nothingBy(s)
	}
	return "- " + strings.Join(bulleted(r), "\n- "), ""
}

// nothingBy says that no sentence has a cue; of sources that the cues, English words,
// cannot read it says so.
func (w *reporter) nothingBy(s section) string {
	if slices.ContainsFunc(w.allEvidence(), func(c rank.Candidate) bool { return lang.Detect(c.Passage.Text) != lang.English }) {
		return w.r.say("not-told")
	}
	return w.r.say(s.none)
}

// everywhere are the places of all explored dimensions.
func (w *reporter) everywhere() (about []int) {
	for i := range w.explored {
		about = append(about, i)
	}
	return about
}

// allEvidence is what any side was explored with; where none brought anything, what
// the searches did.
func (w *reporter) allEvidence() []rank.Candidate {
	if len(w.explored) == 0 || w.r.vectors != nil && w.r.p.Models.Chat.Model == nil {
		return w.r.p.Selection.Chosen
	}
	return w.evidenceOn(w.everywhere())
}

// reserve chooses what the sections by cues are going to quote, before the others
// quote it.
func (w *reporter) reserve(sections []section) {
	w.reserved = map[string]string{}
	for _, s := range sections {
		if s.cue != nil {
			text, _ := w.byCue(s)
			w.reserved[s.kind] = text
		}
	}
}

// unsaid stands for a section that only a model can write: that it is missing, and
// what a reader who judges can go by.
func (w *reporter) unsaid(s section) string {
	why := w.r.say("no-model")
	if w.r.p.Models.Chat.Model != nil {
		why = w.r.say("model-failed")
	}
	switch s.kind {
	case recommendationKind:
		return w.r.say("no-recommendation", why, w.lookedThrough()) + w.open()
	case connectionsKind:
		text := w.r.say("no-connections", why)
		if shared := w.shared(); len(shared) > 0 {
			text += " " + w.r.say("shared-sources") + "\n\n- " + strings.Join(shared, "\n- ")
		}
		return text
	case conclusionsKind:
		return w.r.say("no-conclusions", why, w.lookedThrough()) + w.origin() + w.open()
	}
	return ""
}

// lookedThrough is how many sources were read, and on how many subquestions that any of
// them says something of.
func (w *reporter) lookedThrough() string {
	sources := w.r.say("sources", len(w.r.p.Selection.Numbers))
	if len(w.explored) == 0 {
		return w.r.say("looked-through-all", sources)
	}
	return w.r.say("looked-through", sources, w.r.say("subquestions", len(w.explored)))
}

// origin says that what answers the question rests on one source, or on copies of it.
func (w *reporter) origin() string {
	switch w.alone {
	case 0:
		return ""
	case 1:
		return " " + w.r.say("one-source")
	}
	return " " + w.r.say("one-origin", w.alone)
}

// open says what nothing was found on, where the report has not said it.
func (w *reporter) open() string {
	if text := w.notFound(); text != "" && !w.toldOpen {
		return "\n\n" + text
	}
	return ""
}

const mostShared = 5 // sources that are named for several subquestions

// shared names the sources that several subquestions rest on, those of most first.
func (w *reporter) shared() (lines []string) {
	type bearing struct {
		title string
		on    []string
	}
	var all []bearing
	at := map[evidence.SourceID]int{}
	for _, x := range w.explored {
		for _, c := range x.Evidence {
			if w.r.p.Selection.Numbers[c.Source.ID] == 0 {
				continue
			}
			i, known := at[c.Source.ID]
			if !known {
				i = len(all)
				at[c.Source.ID] = i
				all = append(all, bearing{title: plain.OneLine(evidence.WithoutOrders(c.Source.Title), 120)})
			}
			if !slices.Contains(all[i].on, x.Question) {
				all[i].on = append(all[i].on, x.Question)
			}
		}
	}
	all = slices.DeleteFunc(all, func(b bearing) bool { return len(b.on) < 2 || strings.TrimSpace(b.title) == "" })
	slices.SortStableFunc(all, func(a, b bearing) int { return len(b.on) - len(a.on) })
	for _, b := range all[:min(len(all), mostShared)] {
		on := quote.EscapeMarkdown(strings.Join(b.on, "; "))
		if len(b.on) == len(w.explored) {
			on = w.r.say("all-of-them")
		}
		lines = append(lines, "“"+quote.EscapeMarkdown(b.title)+"”: "+on)
	}
	return lines
}
