package intent

import (
	"regexp"
	"slices"
	"strings"
)

// Counting is a question that only a count over all files answers: how many of
// them mention something, which, or how often.
type Counting struct {
	Queries []string // for Counter, one after the other until one finds something
	Often   bool     // it asks for places, not for files
	List    bool     // it asks for the files
	More    string   // what else the question asks; empty when nothing
}

// Parts of questions that are counted. A verb such as "have" speaks of words
// only when the question says so, or quotes them.
const (
	things  = `(?:of )?(?:all |every |each )?(?:of )?(?:the |my |our |these |those )?(files?|documents?|docs|notes|texts|pdfs?(?: files?)?|e-?mails?|mails|spreadsheets?|presentations?)`
	says    = `(?:that |which |do |does )?(?:(?:mention(?:s|ing)?|refer(?:s|ring)? to|referenc(?:e|es|ing)|contain(?:s|ing)?) (?:the (?:exact )?(?:words?|phrase|term|name|expression) )?|(?:have|has|having|say|says|use|uses|using|include|includes|including|with) (?:the (?:exact )?(?:words?|phrase|term|name|expression) |(?:(["“„«]))))`
	stands  = `(?:mentioned|named|used|said|found|appear|appears|occur|occurs|come up|comes up|stand|stands)`
	beDo    = `(?:is|are|was|were|do|does|did)`
	theTerm = `(?:the (?:exact )?(?:words?|phrase|term|name|expression) )?`
)

var (
	countFiles = regexp.MustCompile(`(?i)^(?:how many|count) ` + things + ` ` + says + `(.+)$`)
	countIn    = regexp.MustCompile(`(?i)^in how many ` + things + ` ` + beDo + ` ` + theTerm + `(.+?) ` + stands + `$`)
	whichFiles = regexp.MustCompile(`(?i)^(?:in )?(?:which|what) ` + things + ` ` + says + `(.+)$`)
	whichIn    = regexp.MustCompile(`(?i)^in (?:which|what) ` + things + ` ` + beDo + ` ` + theTerm + `(.+?) ` + stands + `$`)
	listFiles  = regexp.MustCompile(`(?i)^(?:list|show|name|find|give)(?: me)? ` + things + ` ` + says + `(.+)$`)
	howOften   = regexp.MustCompile(`(?i)^how (?:often|many times) ` + beDo + ` ` + theTerm + `(.+?) ` + stands + `$`)
	oftenIn    = regexp.MustCompile(`(?i)^how (?:often|many times) (?:do|does|did) ` + things + ` ` + says + `(.+)$`)

	politely  = regexp.MustCompile(`(?i)^(?:please|can you|could you|would you|tell me|so|and|ok|okay)[, ]+`)
	inLibrary = regexp.MustCompile(`(?i)(?: (?:in|across|throughout|within) (?:all )?(?:of )?(?:the |my |our |these |those )?(?:files|documents|docs|notes|library|folders?|collection)| there| at all|,? please)$`)
	further   = regexp.MustCompile(`(?i)(?:,| and|, and|;|,? then) (?:what|how|who|whose|when|where|which|why|is|are|do|does|summari[sz]e|explain|describe)\b|[?.!]\s+\S`)
	openWord  = regexp.MustCompile(`(?i)\b(?:how|why|what|who|whom|when|where|whether|which|it|this|that|these|those|them|something|anything)\b`)
	inQuotes  = regexp.MustCompile(`["“„«]([^"“”„«»]+)["”“»]`)
	butNot    = regexp.MustCompile(`(?i),? (?:but not|without|and not|except)(?: the (?:word|phrase))? `)
	saysBoth  = regexp.MustCompile(`(?i)^both `)
	article   = regexp.MustCompile(`(?i)^(?:the|an?|my|our) `)
	joined    = regexp.MustCompile(`(?i) and(?: also)? `)
)

const mostCounted = 6 // words; more are a description, which nobody writes word by word

// CountingOf reads a question for a count. ok is false when it is none, or when
// what it asks for cannot be looked for word by word.
func CountingOf(question string) (c Counting, ok bool) {
	q := strings.Join(strings.Fields(question), " ")
	q = politely.ReplaceAllString(politely.ReplaceAllString(q, ""), "")
	if at := further.FindStringIndex(q); at != nil {
		q, c.More = q[:at[0]], strings.TrimLeft(q[at[0]:], " ,;?.!")
	}
	q = strings.TrimRight(q, " ?.!")
	for inLibrary.MatchString(q) {
		q = inLibrary.ReplaceAllString(q, "")
	}
	kind, what := "", ""
	for _, form := range []struct {
		re          *regexp.Regexp
		often, list bool
	}{{countFiles, false, false}, {countIn, false, false}, {whichFiles, false, true}, {whichIn, false, true}, {listFiles, false, true}, {oftenIn, true, false}, {howOften, true, false}} {
		m := form.re.FindStringSubmatch(q)
		if m == nil {
			continue
		}
		c.Often, c.List, what = form.often, form.list, m[len(m)-1]
		if len(m) > 2 {
			kind = typeOf(m[1])
		}
		if len(m) > 3 {
			what = m[2] + what // the quotation mark that the verb needed
		}
		break
	}
	c.Queries = queriesFor(what)
	for i := range c.Queries {
		c.Queries[i] += kind
	}
	return c, len(c.Queries) > 0
}

// typeOf is the filter that the kind of thing means.
func typeOf(thing string) string {
	thing = strings.ToLower(thing)
	for _, t := range []struct{ begin, filter string }{{"pdf", " type:pdf"}, {"mail", " type:mail"}, {"e", " type:mail"}, {"spread", " type:sheet"}, {"present", " type:slides"}} {
		if strings.HasPrefix(thing, t.begin) {
			return t.filter
		}
	}
	return ""
}

// queriesFor turns what shall be counted into exact queries. Without quotation
// marks "the lamp" asks for the lamp, whatever word stands before it.
func queriesFor(what string) []string {
	what, without, _ := cutAt(what, butNot)
	if wanted := quotedIn(what); len(wanted) > 0 {
		return []string{exactQuery(wanted, without)}
	}
	if !countable(what) {
		return nil
	}
	parts := joined.Split(saysBoth.ReplaceAllString(what, ""), -1)
	for i, part := range parts {
		parts[i] = article.ReplaceAllString(part, "")
	}
	whole := exactQuery([]string{article.ReplaceAllString(what, "")}, without)
	switch {
	case saysBoth.MatchString(what):
		return []string{exactQuery(parts, without)}
	case len(parts) > 1:
		return []string{whole, exactQuery(parts, without)}
	}
	return []string{whole}
}

func countable(what string) bool {
	return what != "" && len(strings.Fields(what)) <= mostCounted && !openWord.MatchString(what) && !strings.Contains(strings.ToLower(what), " or ")
}

func cutAt(s string, mark *regexp.Regexp) (before, after string, found bool) {
	at := mark.FindStringIndex(s)
	if at == nil {
		return s, "", false
	}
	return s[:at[0]], s[at[1]:], true
}

func quotedIn(s string) (quoted []string) {
	for _, m := range inQuotes.FindAllStringSubmatch(s, -1) {
		quoted = append(quoted, m[1])
	}
	return quoted
}

// exactQuery puts everything in quotes: nothing of it is an operator.
func exactQuery(wanted []string, without string) string {
	var parts []string
	for _, w := range wanted {
		parts = append(parts, `"`+strings.ReplaceAll(strings.TrimSpace(w), `"`, "")+`"`)
	}
	if q := quotedIn(without); len(q) > 0 {
		without = q[0]
	}
	if without != "" {
		parts = append(parts, `-"`+strings.ReplaceAll(without, `"`, "")+`"`)
	}
	return strings.Join(slices.Compact(parts), " ")
}
