package lang

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Class is the part that a word has in the form of a question: it says how
// something is asked and not what.
type Class string

// The classes of words. A word may have several.
const (
	AsksWith    Class = "wh"          // words to ask with, beside those that tell what is asked for
	Auxiliary   Class = "aux"         // verbs that say little: is, has, can, costs
	Modal       Class = "do"          // verbs behind which the subject stands before its verb
	Determiner  Class = "det"         // articles and the like
	Adposition  Class = "prep"        // before or behind its noun
	OfPerson    Class = "person"      // pronouns for people
	OfThing     Class = "thing"       // pronouns for things
	Possessive  Class = "poss"        // its, their
	Pointing    Class = "demo"        // this, that
	SpokenTo    Class = "self"        // I, you
	Joining     Class = "join"        // and, or
	Opens       Class = "opening"     // a question that goes on with the last one: and what about
	Closes      Class = "closing"     // the same, where it stands at the end
	Corrects    Class = "correction"  // a question that mends the last one: no, I meant
	GoesOn      Class = "more"        // all of a message that wants more of the same
	Requests    Class = "request"     // what opens a question and asks politely: can you tell me
	Makes       Class = "makes"       // verbs behind whoever makes what stands behind them
	Calls       Class = "calls"       // between a name and another one for the same
	Opposing    Class = "opposing"    // against
	Timing      Class = "timing"      // when something is so: now, until, spring
	Measuring   Class = "measuring"   // what many things are counted in, beside units, numbers and money
	Leads       Class = "lead"        // words that lead to the name of what is to be looked into: in, according to
	TakesUp     Class = "takesup"     // open a sentence and take up what the one before names: he, this
	Continues   Class = "continues"   // open a sentence that goes on from the one before: however
	StandsAlone Class = "standsalone" // look so and lean on nothing: this year
	Negating    Class = "negating"    // what makes a word its opposite: un-, non-
	MoneyTail   Class = "moneytail"   // ends what is paid, in a language that parts no words: 費
	CountTail   Class = "counttail"   // ends what is counted: 数
	Party       Class = "party"       // heads of columns of people: client, member, name
	Payee       Class = "payee"       // heads of columns of whom is paid: supplier, shop
	Times       Class = "times"       // behind a number: how often
	Things      Class = "things"      // what rows are, whatever they are: things, items
	Namely      Class = "namely"      // what follows says again, or more clearly, what stands before: that is
	Until       Class = "until"       // between the first and the last of a range of times
	Between     Class = "between"     // before the two ends of a range
	OtherWord   Class = "otherword"   // months that are other words as well: may, march
	Including   Class = "including"   // what is said of rows is to be counted as well: cancelled ones included
	Excluding   Class = "excluding"   // and not to be: without, not counting
	Origin      Class = "origin"      // what a part is said to do of a whole, and what says that this is all: comes from, entire
	Comparing   Class = "comparing"   // more, less: of two figures by how much one is
	YearBefore  Class = "yearbefore"  // the year before the one that is named
	Quantity    Class = "quantity"    // heads of columns that count: quantity, stock
	Spent       Class = "spent"       // that money went out, in questions and heads
	Earned      Class = "earned"      // that it came in
	Worth       Class = "worth"       // what things are worth
	Piece       Class = "piece"       // of one of many: heads of figures that add up to nothing
	People      Class = "people"      // how many came, in questions and heads
	Nights      Class = "nights"      // how many they stayed
	Moved       Class = "moved"       // that something is at another time now than was said
	Styles      Class = "style"       // of a language: where its words stand
)

// Has reports whether a word of a language, in lower case, is of a class.
func (c Code) Has(class Class, word string) bool {
	_, ok := classes()[c][class][word]
	return ok
}

var classes = sync.OnceValue(func() map[Code]map[Class]map[string]string {
	all := map[Code]map[Class]map[string]string{}
	for _, code := range codes {
		all[code] = map[Class]map[string]string{}
		for k, forms := range tables()[code] {
			if k.isForm() {
				all[code][Class(strings.TrimPrefix(string(k), string(Class("").kind())))] = forms
			}
		}
	}
	return all
})

// formal are the classes whose words carry the form of a question alone.
var formal = []Class{AsksWith, Auxiliary, Modal, Determiner, Adposition, OfPerson, OfThing, Possessive, Pointing, SpokenTo, Joining, Requests}

// OnlyForms reports whether a word, in lower case, says how something is asked and not
// what.
func (c Code) OnlyForms(word string) bool {
	if IsFunctionWord(c, word) {
		return true
	}
	if _, asks := c.AskForm(word); asks {
		return true
	}
	return slices.ContainsFunc(formal, func(class Class) bool { return c.Has(class, word) })
}

// Measures reports whether a word, in lower case, is what many things are counted in: it
// does not tell which.
func Measures(code Code, word string) bool {
	_, unit := Unit(code, word)
	_, number := Number(code, word)
	return unit || number || IsCurrency(word) || code.Has(Measuring, word)
}

// Denies reports whether a text says no to something, or that somebody is against it.
func Denies(code Code, text string) bool {
	return code.CountNegations(strings.ReplaceAll(text, "’", "'")) > 0 || code.CountIn(Opposing, text) > 0
}

// Spoken is the language that a question is read in: the one it seems to be in, English
// where that cannot be told.
func Spoken(question string) Code {
	if code := Detect(question); code != Unknown {
		return code
	}
	return English
}

// Forms lists the words and phrases of a class, the longest first.
func (c Code) Forms(class Class) []string {
	return inOrderOfLength()[c][class.kind()]
}

// AskForms lists the forms that tell what is asked for, the longest first.
func (c Code) AskForms() []string { return inOrderOfLength()[c][ask] }

// inOrderOfLength are the forms of questions, the longest first.
var inOrderOfLength = sync.OnceValue(func() map[Code]map[kind][]string {
	all := map[Code]map[kind][]string{}
	for _, code := range codes {
		all[code] = map[kind][]string{}
		for k, forms := range tables()[code] {
			if k == ask || k.isForm() {
				all[code][k] = longestFirst(forms)
			}
		}
	}
	return all
})

// AskForm tells what a form to ask with, in lower case, asks for.
func (c Code) AskForm(form string) (asked AnswerType, ok bool) {
	value, ok := tables()[c][ask][form]
	return AnswerType(value), ok
}

// CutRequest takes off what opens a question and says nothing of what is asked:
// polite requests, one after the other.
func (c Code) CutRequest(text string) string {
	for {
		rest, ok := c.CutFront(Requests, text)
		if !ok || rest == "" {
			return text
		}
		text = rest
	}
}

// CutFront takes a form of a class off the beginning of a text, the longest that
// ends with a word, with what parts it from the rest.
func (c Code) CutFront(class Class, text string) (rest string, ok bool) {
	text = strings.TrimLeft(text, " \u3000¿¡,.:;-")
	for _, form := range c.Forms(class) {
		n := prefixFold(text, form)
		if n == 0 {
			continue
		}
		after := text[n:]
		if !unspaced(c) && startsWord(after) && !strings.HasSuffix(form, "'") {
			continue
		}
		return strings.TrimLeft(after, " \u3000,:;，、"), true
	}
	return text, false
}

// CutBack takes a form of a class off the end of a text.
func (c Code) CutBack(class Class, text string) (rest string, ok bool) {
	text = strings.TrimRight(text, " \u3000?？؟!.。")
	for _, form := range c.Forms(class) {
		if len(form) >= len(text) || !strings.EqualFold(text[len(text)-len(form):], form) {
			continue
		}
		rest = text[:len(text)-len(form)]
		if !unspaced(c) && !strings.HasSuffix(rest, " ") {
			continue
		}
		return strings.TrimRight(rest, " \u3000,、，"), true
	}
	return text, false
}

// Says reports whether a text is nothing but a form of a class.
func (c Code) Says(class Class, text string) bool {
	said := key(text)
	for _, form := range c.Forms(class) {
		if key(form) == said {
			return true
		}
	}
	return false
}

// prefixFold is how many bytes of a text are a form in any case and with any
// apostrophe and comma; 0 where it does not begin so.
func prefixFold(text, form string) (n int) {
	rest := []rune(form)
	for i, r := range text {
		if len(rest) == 0 {
			return i
		}
		switch r {
		case '’':
			r = '\''
		case ',', '，', '、':
			continue
		}
		if low := []rune(lower(string(r))); len(low) != 1 || low[0] != rest[0] {
			return 0
		}
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return len(text)
	}
	return 0
}

func startsWord(text string) bool { return wordEnd(text) > 0 && len(words(text[:wordEnd(text)])) > 0 }

func (c Class) kind() kind { return kind("form:" + string(c)) }

// IsIn reports whether a word, in lower case, is of a class in any language.
func IsIn(class Class, word string) bool {
	return slices.ContainsFunc(codes, func(code Code) bool { return code.Has(class, word) })
}

// NamesParty reports whether a head, in any language, says that people stand below it.
func NamesParty(head string) bool { return namesIn(Party, head) }

// NamesPayee reports whether a head, in any language, says that those stand below it who are paid.
func NamesPayee(head string) bool { return namesIn(Payee, head) }

// IsQuantity reports whether a head says, in any language and with no other word, that the figures
// below it count.
func IsQuantity(head string) bool {
	low := lower(head)
	return slices.ContainsFunc(codes, func(code Code) bool { return code.Has(Quantity, low) })
}

// SaysIn reports whether a text has words of a class of any language.
func SaysIn(class Class, text string) bool {
	return slices.ContainsFunc(codes, func(code Code) bool { return len(PlacesOf(code, class, text)) > 0 })
}

func namesIn(class Class, head string) bool {
	low := lower(head)
	return slices.ContainsFunc(codes, func(code Code) bool {
		return code.Has(class, low) || slices.ContainsFunc(words(head), func(w string) bool { return code.Has(class, w) }) ||
			unspaced(code) && slices.ContainsFunc(code.Forms(class), func(form string) bool { return strings.HasPrefix(low, form) })
	})
}

// allLeads are the forms that lead to a name, of all languages, the longest first.
var allLeads = sync.OnceValue(func() []string {
	var of []map[string]string
	for _, code := range codes {
		of = append(of, classes()[code][Leads])
	}
	return longestFirst(of...)
})

// WithoutLead is a text of a language without the words at its end, of any language,
// that lead to a name behind it: "What is the rent " of "What is the rent in". What
// joins in its own language does not lead: "en" is "in" in Spanish, and "and" in Dutch.
func WithoutLead(code Code, text string) string {
	for _, form := range allLeads() {
		at := len(text) - len(form)
		if at < 0 || !strings.EqualFold(text[at:], form) || code.Has(Joining, form) {
			continue
		}
		if before, _ := utf8.DecodeLastRuneInString(text[:at]); at == 0 || unicode.IsSpace(before) {
			return text[:at]
		}
	}
	return text
}
