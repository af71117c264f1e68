package lang

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The classes of words of what is to be done, and of what is new.
const (
	Tasks  Class = "task"   // opens what is done rather than looked up: write, translate
	Retold Class = "retask" // the same, where it may be done with what was said
	Told   Class = "retold" // what was said, as such a task calls it: that, the last answer
	Fresh  Class = "fresh"  // asks for what is new: latest, now
	Vague  Class = "vague"  // points at something known: the other one

	Article Class = "article"
)

// joints are how the languages join two questions, and how a part asks.
type joints struct {
	joins, onlyAsks, firstAsks *regexp.Regexp
}

// jointsIn makes those of a language when they are first asked for.
var jointsIn = func() map[Code]func() joints {
	all := map[Code]func() joints{}
	for _, code := range codes {
		all[code] = sync.OnceValue(code.joints)
	}
	return all
}()

func (c Code) joints() joints {
	asks := either(slices.Concat(c.AskForms(), c.Forms(AsksWith)))
	before := `(?:` + either(c.Forms(Adposition)) + `\s+)?`
	also := `(?:` + either(c.Forms(Opens)) + `\s+)?`
	const ends = `(?:$|[^\p{L}\p{M}\p{N}])`
	return joints{
		joins:     regexp.MustCompile(`(?i)(?:[,;،؛]\s*|\s+)` + either(c.ands()) + `\s+` + also + `(` + before + asks + `)` + ends),
		onlyAsks:  regexp.MustCompile(`(?i)^(?:\p{L}+ )?` + asks + `[\s?.!؟]*$`),
		firstAsks: regexp.MustCompile(`(?i)^\s*(?:\p{L}+ )?` + asks + `\s+`),
	}
}

// ands are the words that join, without those for alternatives.
func (c Code) ands() (all []string) {
	for _, form := range c.Forms(Joining) {
		if tables()[c][library][form] != "or" {
			all = append(all, form)
		}
	}
	return all
}

// either is a pattern for any of some forms.
func either(forms []string) string {
	quoted := make([]string, len(forms))
	for i, form := range forms {
		quoted[i] = strings.ReplaceAll(regexp.QuoteMeta(form), "'", "['’]")
	}
	return `(?:` + strings.Join(quoted, "|") + `)`
}

// CutJoints cuts a sentence that asks several things with "and" between them.
func (c Code) CutJoints(sentence string) (parts []string) {
	at := 0
	for _, m := range jointsIn[c]().joins.FindAllStringSubmatchIndex(sentence, -1) {
		parts = append(parts, strings.TrimSpace(sentence[at:m[0]]))
		at = m[2]
	}
	return append(parts, strings.TrimSpace(sentence[at:]))
}

// OnlyAsks reports whether a part of a question has no matter of its own: by whom?
func (c Code) OnlyAsks(part string) bool { return jointsIn[c]().onlyAsks.MatchString(part) }

// CutAsk takes what asks off the front of a part.
func (c Code) CutAsk(part string) string {
	return jointsIn[c]().firstAsks.ReplaceAllString(part, "")
}

// PointsBack reports whether a text has a word that stands for something named before.
func (c Code) PointsBack(text string) bool {
	for _, class := range []Class{OfPerson, OfThing, Possessive, Pointing} {
		if c.hasIn(class, text) {
			return true
		}
	}
	return false
}

// OpensWith reports whether a text begins with a form of a class, after what asks
// politely, and gives what is left.
func (c Code) OpensWith(class Class, text string) (rest string, ok bool) {
	text = strings.TrimLeft(text, " \"'“„«([")
	if rest, ok = c.CutFront(class, text); ok {
		return rest, true
	}
	return c.CutFront(class, c.CutRequest(text))
}

// Alternatives are the things between which a question lets choose, as they stand in it
// at its end: "Which is lighter, the Arden or the Corrie?". stem is what is asked of them.
func Alternatives(code Code, question string) (stem string, things []string) {
	rest := strings.TrimRight(question, " \u00a0?؟？")
	at := strings.LastIndexAny(rest, ",:،，")
	if at <= 0 || unspaced(code) {
		return "", nil
	}
	list := strings.TrimLeft(rest[at:], ",:،， ")
	for _, or := range code.ors() {
		if a, b, ok := strings.Cut(list, " "+or+" "); ok {
			if a, b = strings.TrimSpace(a), strings.TrimSpace(b); a != "" && b != "" && !strings.Contains(b, " "+or+" ") {
				return strings.TrimSpace(rest[:at]), []string{a, b}
			}
		}
	}
	return "", nil
}

// ors are the words between alternatives.
func (c Code) ors() (all []string) {
	for form, means := range tables()[c][library] {
		if means == "or" {
			all = append(all, form)
		}
	}
	slices.Sort(all)
	return all
}

// CutTail is a name without the form of a class that ends it.
func CutTail(c Code, class Class, name string) (rest string, ok bool) {
	for _, tail := range c.Forms(class) {
		if rest, ok = strings.CutSuffix(name, tail); ok {
			return rest, true
		}
	}
	return name, false
}
