package subject

import (
	"slices"
	"strings"

	"footnote/backend/answer/intent"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// Topic is what a question is about, as its words say it.
type Topic struct {
	Things   []string // "the tower", "the lamp": with their articles
	List     string   // the things as they stand in the question: "the tower and the lamp"
	Compares bool     // the question sets the things against each other
	object   bool     // a single thing can stand in the place of the list
}

const mostThingWords = 7 // of a thing; a longer one is a sentence

var (
	determiner = pattern.New(`(?i)^(the|a|an|this|that|these|those|our|my|your|its|their)$`)
	links      = pattern.New(`(?i)^(of|to|for|in|on|over|under|across|near|behind)$`)
	joins      = pattern.New(`(?i)^(and|or|versus|vs\.?|than)$`)
	tells      = pattern.New(`(?i)^(about|regarding|concerning|between)$`)
	auxiliary  = pattern.New(`(?i)^(is|are|was|were|do|does|did|can|could|should|must|may|might|has|have|had|will|would)$`)
	saying     = pattern.New(`(?i)\b(?:say|says|said|tells?|told|writes?|wrote|written|states?|stated|reports?|reported|claims?|claimed|thinks?|thought|promised?|announced?)(?: us)? (?:about|regarding|concerning)\b`)
	many       = pattern.New(`(?i)^(?:what|which) ((?:\p{Ll}[\p{L}-]* ){1,4})(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would)\b`)
	askers     = pattern.New(`(?i)^(we|i|you|one)$`)
	pastForm   = pattern.New(`(?i)ed$|^(built|done|found|held|kept|known|lit|made|paid|run|seen|sent|sold|written)$`)
	predicate  = pattern.New(`(?i)ing$|^open$|` + pastForm.String())
	comparison = pattern.New(`(?i)\b(compare[sd]?|comparison|compared|versus|vs|differ|differs|different|differences?|better|worse)\b`)
)

// TopicOf finds what a question is about without a model: what follows
// "about", else the first thing after the verb. Texts that speak of it tell where
// a thing ends and the verb of the question begins. A question that cannot be
// taken apart has no things.
func TopicOf(question string, texts []string) Topic {
	if joint := intent.Joint.FindStringIndex(question); joint != nil { // its first part says the thing
		question = question[:joint[0]]
	}
	code := lang.Spoken(question)
	choice := between(code, question)
	if code != lang.English && len(choice.Things) > 0 {
		return choice
	}
	if code != lang.English && lang.AsksForIn(code, question) != lang.AsksNothing { // what follows is English grammar
		return Topic{}
	}
	words := strings.Fields(strings.Trim(intent.Filler.ReplaceAllString(plain.OneLine(question, 1000), ""), "?!. "))
	s := Topic{Compares: comparison.MatchString(question)}
	from := pastVerb(words, subjectFrom(words))
	if from == len(words) {
		return s
	}
	if with := slices.Index(words, "with"); with > 0 && strings.EqualFold(words[0], "compare") {
		words[with] = "and"
	}
	known := strings.ToLower(strings.Join(texts, "\n"))
	to := from
	for at := from; at < len(words); {
		end := thingEnd(words, at)
		if end == at {
			break
		}
		thing := strings.Trim(strings.Join(words[at:end], " "), ",;:")
		last := end == len(words) || !joins.MatchString(words[end]) && !strings.HasSuffix(words[end-1], ",")
		if last {
			thing = withoutVerb(thing, words[:from], known)
		}
		if len(strings.Fields(thing)) > mostThingWords || len(rank.Terms(thing)) == 0 {
			return Topic{Compares: s.Compares}
		}
		s.Things, to = append(s.Things, thing), at+len(strings.Fields(thing))
		if last {
			break
		}
		if at = end; joins.MatchString(words[at]) {
			at++
		}
	}
	s.List = strings.TrimRight(strings.Join(words[from:to], " "), ",;:")
	if len(choice.Things) > 0 && len(s.Things) > len(choice.Things) { // what they are compared by is no thing
		s.Things = choice.Things
	}
	s.Compares = s.Compares && len(s.Things) > 1
	s.object = from > 0 && !auxiliary.MatchString(words[from-1]) && !strings.EqualFold(words[from-1], "between")
	return s
}

// between is what a question in any language is about that lets choose at its end: "Which
// is lighter, the Arden or the Corrie?".
func between(code lang.Code, question string) Topic {
	stem, things := lang.Alternatives(code, plain.OneLine(question, 1000))
	if len(things) == 0 || strings.Contains(stem, ",") {
		return Topic{}
	}
	for _, thing := range things {
		if len(strings.Fields(thing)) > mostThingWords || len(rank.Terms(thing)) == 0 {
			return Topic{}
		}
	}
	at := strings.Index(question, things[0])
	if at < 0 {
		return Topic{}
	}
	return Topic{Things: things, List: strings.TrimRight(question[at:], " \u00a0?؟.!"), Compares: true}
}

// subjectFrom is the place of the word at which the things of a question begin.
func subjectFrom(words []string) int {
	if at := slices.IndexFunc(words, tells.MatchString); at >= 0 && at+1 < len(words) {
		return at + 1
	}
	if at := slices.IndexFunc(words[:min(len(words), 5)], auxiliary.MatchString); at >= 0 && at+1 < len(words) {
		if askers.MatchString(words[at+1]) && at+3 < len(words) { // "Should we use …": behind whoever asks, and the verb
			return at + 3
		}
		return at + 1
	}
	if len(words) > 0 && strings.EqualFold(words[0], "compare") {
		return 1
	}
	if len(words) == 0 || intent.Opening.MatchString(words[0]) {
		return len(words)
	}
	return 0
}

// pastVerb skips a participle that has its thing behind it: "What work was done on
// the tower?" is about the tower.
func pastVerb(words []string, from int) int {
	if from > 0 && from+2 < len(words) && auxiliary.MatchString(words[from-1]) && pastForm.MatchString(words[from]) && links.MatchString(words[from+1]) {
		return from + 2
	}
	return from
}

// thingEnd is the place after the thing that begins at a word: words that carry
// meaning, with "of" between them; "a visit to the tower" is one thing too.
func thingEnd(words []string, at int) int {
	end := at
	for ; end < len(words); end++ {
		w := words[end]
		bare := strings.Trim(w, ",;:")
		within := end > at && (strings.EqualFold(w, "of") || end == at+2 && determiner.MatchString(words[at]) && links.MatchString(w))
		if opens := end == at || !determiner.MatchString(words[end-1]) && links.MatchString(words[end-1]); !within && !(opens && determiner.MatchString(w)) && (len(rank.Terms(bare)) == 0 || joins.MatchString(bare) || intent.NotNames[strings.ToLower(bare)]) {
			break
		}
		if bare != w {
			return end + 1
		}
	}
	return end
}

// withoutVerb leaves out the verb that ends a thing in a question such as "How is
// the signal maintained" or "How do ships find": its last word, when no text that
// is known has it with the words before. In a question for yes or no it is what the
// texts have of its beginning.
func withoutVerb(thing string, before []string, known string) string {
	words := strings.Fields(thing)
	bare := words
	if determiner.MatchString(bare[0]) {
		bare = bare[1:]
	}
	if len(bare) < 2 || len(before) == 0 || strings.Contains(known, strings.ToLower(strings.Join(bare, " "))) {
		return thing
	}
	verb := strings.ToLower(before[len(before)-1])
	switch verb {
	case "is", "are", "was", "were", "has", "have", "had":
		if !predicate.MatchString(words[len(words)-1]) {
			return thing
		}
	default:
		if !auxiliary.MatchString(verb) {
			return thing
		}
	}
	if len(before) == 1 { // "Does vitamin D deficiency cause …": the verb stands inside
		for end := len(bare) - 1; end > 1; end-- {
			if strings.Contains(known, strings.ToLower(strings.Join(bare[:end], " "))) {
				return strings.Join(words[:len(words)-len(bare)+end], " ")
			}
		}
		return thing
	}
	return strings.Join(words[:len(words)-1], " ")
}

// AskedOf is the question asked of one of its things alone, in its language.
func (s Topic) AskedOf(question, thing string) string {
	if s.object && !s.Compares && !SaysAbout(question) {
		return strings.Replace(question, s.List, thing, 1)
	}
	if SaysAbout(question) {
		return lang.Spoken(question).Say("said-about", thing)
	}
	return lang.Spoken(question).Say("known-about", thing)
}

// Parts are the questions that a question puts one after another, each with
// its thing named; none when it puts only one.
func (s Topic) Parts(question string) (parts []string) {
	at := 0
	for _, m := range intent.Joint.FindAllStringSubmatchIndex(question, -1) {
		parts, at = append(parts, question[at:m[0]]), m[2]
	}
	if at == 0 || len(s.Things) != 1 {
		return nil
	}
	parts = append(parts, question[at:])
	if slices.ContainsFunc(parts, intent.OnlyAsks.MatchString) { // "… and why?" asks nothing by itself
		return nil
	}
	for i, part := range parts {
		named := false
		part = intent.Pronoun.ReplaceAllStringFunc(strings.Trim(part, " ?.,;"), func(word string) string {
			stands, thing := refersTo[strings.ToLower(word)], s.Things[0]
			if of := many.FindStringSubmatch(parts[0]); stands == "they" && of != nil {
				thing = "the " + strings.TrimSpace(of[1])
			}
			if named || stands == "" || stands == "they" && thing == s.Things[0] {
				return word
			}
			named = true
			return strings.NewReplacer("it", thing, "they", thing).Replace(stands)
		})
		parts[i] = plain.Capital(part) + "?"
	}
	return parts
}

// refersTo are pronouns that stand for a thing, and what stands in their place.
var refersTo = map[string]string{"it": "it", "its": "it's", "they": "they"}

// ThingOf is what a subquestion asks about that AskedOf worded.
func ThingOf(question string) (thing string, ok bool) {
	code := lang.Spoken(question)
	for _, what := range []string{"known-about", "said-about"} {
		before, behind, _ := strings.Cut(code.Say(what, "\x00"), "\x00")
		if rest, opens := strings.CutPrefix(question, before); opens {
			if thing, ok = strings.CutSuffix(rest, behind); ok && thing != "" {
				return thing, true
			}
		}
	}
	return "", false
}

// SaysAbout reports whether a question asks what somebody says about a thing.
func SaysAbout(question string) bool { return saying.MatchString(question) }
