// Package sides has ways to look at any topic, with the words by which sources speak of
// each: a side is named in words of the program.
package sides

import (
	"strings"

	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// Diligence are the dimensions of due diligence, for every topic, as package lang says
// them.
var Diligence = []string{"side-performance", "side-integration", "side-community", "side-alternatives", "side-cases"}

// A side is a way to look at any topic. Its words are the program's, seldom the
// sources': a sentence bears on "limits and open questions" by saying "however",
// not by saying "open".
var cues = map[string]*pattern.Regexp{
	Evidence: pattern.New(`(?i)\d|\b(?:evidence|stud(?:y|ies)|trial|survey|measured|found that|showed?n?|reported|percent|average|majority|most of)\b`),
	Causes:   pattern.New(`(?i)\b(?:because|cause[sd]?|due to|owing to|led to|results? (?:in|from)|resulted|reasons?|depends?|thanks to|therefore|so that|in order to|influences?|affects?|affected|provided that|only if|if|when|unless)\b`),
	Limits:   pattern.New(`(?i)\b(?:however|although|but|unknown|unclear|uncertain|not (?:known|clear|yet|enough|sufficient)|no evidence|limit(?:s|ed|ation|ations)?|remains?|open question|further (?:research|work|stud)|should be (?:addressed|studied)|only|except|unless|until|lack(?:s|ing)?|insufficient|few|cannot|never|neither|warrants?|warranted|possible|possibly|may|might|whether)\b`),

	Diligence[0]: pattern.New(`(?i)\b(?:performance|capacity|scal(?:e|es|able|ability|ing)|fast(?:er)?|slow(?:er)?|speed|throughput|latency|efficien(?:t|cy)|load|times? as|per (?:second|minute|hour|day|week|month|year)|percent|carr(?:y|ies)|grew|growth|increase[sd]?|decrease[sd]?|average)\b|\d ?%`),
	Diligence[1]: pattern.New(`(?i)\b(?:compatib(?:le|ility)|incompatible|integrat(?:e|es|ed|ion)|requires?|required|depends?|dependenc(?:y|ies)|interfaces?|standards?|support(?:s|ed)?|works? with|risks?|conflicts?|migrat(?:e|ion)|not covered|excluded|licen[cs]e[sd]?|compl(?:y|ies|iance))\b`),
	Diligence[2]: pattern.New(`(?i)\b(?:communit(?:y|ies)|maintain(?:s|ed|ers?|ing)?|maintenance|repair(?:s|ed)?|servic(?:e|ed|ing)|inspect(?:s|ed|ion|ions)?|volunteers?|members?|contribut(?:e|es|ed|ors?|ions?)|releas(?:e|es|ed)|updat(?:e|es|ed)|support(?:s|ed)?|team|trust|association|trained|training|funded|funding)\b`),
	Diligence[3]: pattern.New(`(?i)\b(?:alternatives?|alternatively|instead|rather than|in contrast|unlike|versus|other (?:options?|ways?|methods?|systems?|approaches)|options?|replac(?:e|es|ed|ement|ing)|substitutes?|competitors?)\b`),
	Diligence[4]: pattern.New(`(?i)\b(?:cases?|examples?|for instance|in practice|experience[sd]?|projects?|pilot|deployed|installed|adopted|used (?:by|in|at|for)|(?:in|since|from|until|during) (?:(?:January|February|March|April|May|June|July|August|September|October|November|December) )?(?:1[5-9]|20)\d\d)\b`),
}

// Sides of every topic, as package lang says them.
const Evidence, Causes, Limits = "side-evidence", "side-causes", "side-limits"

// What speaks for a thing and against it, by the words of the sources.
var (
	Strengths = pattern.New(`(?i)\b(?:advantages?|benefits?|strengths?|improv(?:e|es|ed|ement|ements|ing)|better|best|good|excellent|effective(?:ly)?|efficient(?:ly)?|reliabl[ey]|stable|safe(?:ly|r)?|sound|success(?:ful|fully)?|succeed(?:s|ed)?|proven|robust|fast(?:er)?|award(?:s|ed)?|saves?|saved|protects?|protected|reduces? (?:the )?(?:risk|cost|costs|time|mortality)|well[- ](?:maintained|documented|known|tested|preserved)|in good (?:order|condition|repair)|no (?:faults?|defects?|damage|losses)|restored|renewed|popular|praised|recommended)\b`)
	Risks     = pattern.New(`(?i)\b(?:risks?|risky|dangers?|dangerous|hazards?|harm(?:s|ed|ful)?|damag(?:e|es|ed)|defects?|faults?|fail(?:s|ed|ing|ure|ures)?|problems?|concerns?|disadvantages?|drawbacks?|weak(?:ness|nesses)?|limitations?|expensive|costly|delays?|delayed|loss(?:es)?|lost|injur(?:y|ies|ed)|accidents?|corrosion|rust|cracks?|cracked|leaks?|leaked|warns?|warning|not (?:covered|insured|allowed|supported|supervised|safe)|must not|excluded|unsafe|vulnerab(?:le|ility|ilities)|shortage|cancel(?:s|led|lation)|adverse|side effects?|mortality|deficien(?:t|cy|cies)|uncertain|unclear|overdue|missing|lack(?:s|ing)?|insufficient|worse|worst|declin(?:e|es|ed|ing))\b`)
)

// Of takes a subquestion apart that the program worded as a side of a topic.
// Only sides in English have cues.
func Of(question string) (topic string, cue *pattern.Regexp) {
	at := strings.LastIndex(question, ": ")
	if at <= 0 {
		return "", nil
	}
	for side, cue := range cues {
		if question[at+2:] == lang.English.Say(side) {
			return question[:at], cue
		}
	}
	return question[:at], nil
}

// Is reports whether the program worded a subquestion as a side of a topic.
func Is(code lang.Code, question string) bool {
	for side := range cues {
		if strings.HasSuffix(question, ": "+code.Say(side)) {
			return true
		}
	}
	return false
}

// Cue are the words of sources that bear on a side; nil for an unknown one.
func Cue(side string) *pattern.Regexp { return cues[side] }

// Against are searches that look for what speaks against a subject, besides its name alone.
func Against(code lang.Code) []string {
	return append([]string{""}, strings.Split(code.Say("search-against"), "; ")...)
}

// Queries are asked of files, and what was read is told apart by them: what
// speaks against the subject, and what the other headings of due diligence are about.
func Queries(code lang.Code, topic string) (all []string) {
	for _, about := range append(Against(code), About(code)...) {
		all = append(all, strings.TrimSpace(topic+" "+about))
	}
	return all
}

// About are searches for what the other headings of due diligence are about.
func About(code lang.Code) []string { return strings.Split(code.Say("search-about"), "; ") }
