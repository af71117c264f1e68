package evidence

import (
	"strings"
	"unicode/utf8"

	"footnote/backend/pattern"
)

// order is a phrase by which a text speaks to a machine that reads it, found by
// the word or sign it begins with.
type order struct {
	first  string // words, separated by blanks
	phrase string // what follows, a pattern
}

var orderPhrases = []order{
	{"ignore disregard forget override bypass", `[^.!?\n]{0,30}\b(previous|prior|earlier|above|preceding|all|your|the system)\b[^.!?\n]{0,20}\b(instructions?|prompts?|rules|directions|guidelines|messages|commands)\b`},
	{"system assistant", `\s*:\s*(new (policy|task|instructions?)|you (are|must|will)\b|ignore\b|reply\b|override\b)`},
	{"user", `\s*:\s*new (task|instructions?)`},
	{"note message messages instruction instructions notice attention", `[^.!?\n]{0,12}\b(for|to)\b[^.!?\n]{0,12}\b(ai|llm|language model|chatbot)s?\b`},
	{"if", ` you are an? (ai|llm|large language model|language model|chatbot)\b`},
	{"reply respond answer", ` (only|just|exclusively) with\b`},
	{"reveal print output repeat show leak", `[^.!?\n]{0,20}\b(your|the) (system|initial|hidden) (prompt|instructions)\b`},
	{"assistant chatbot model", `, (please )?(visit|open|call|send|add|ignore|include|output|write|tell|do)\b`},
	{"call", ` (the )?[a-z]+_[a-z_]+ with\b`},
	{"when", ` (you )?(summari[sz]e|summari[sz]ing|answering|quoting|citing)( about)? this (page|document|article|text|site)\b`},
	{"include add put insert use append", ` the (exact )?(word|phrase|sentence|text|link|string)\b[^.!?\n]{0,80}\b(in|to|into) (your|the|every) (answer|reply|response|output)`},
	{"every each your", ` (reply|answer|response) (must |should )?(end|begin|start|finish)s? with\b`},
	{"verified correct official only", ` answer to (any|every|all) questions?\b`},
	{"end", ` (the|your) (answer|reply|response) with\b`},
	{"do", ` not (mention|reveal|disclose|tell)\b[^.!?\n]{0,20}\b(this (note|instruction|message|prompt)|the user)\b`},
}

// orderSigns are the marks of chat formats and of fences around evidence.
var orderSigns = []string{
	"<|im_start|>", "<|im_end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|endoftext|>", "[inst]", "[/inst]", "<<sys>>", "<</sys>>",
	"[[system]]", "[[assistant]]", "[[user]]", "</context>", "</system>", "</instructions>", "</documents>", "</evidence>",
	`"role":"system"`, `"role":"tool"`, `"role":"assistant"`, `"role": "system"`, `"role": "tool"`, `"role": "assistant"`,
}

var orders = compileOrders(orderPhrases)

func compileOrders(phrases []order) map[string][]*pattern.Regexp {
	table := map[string][]*pattern.Regexp{}
	for _, p := range phrases {
		re := pattern.New(`^(?:` + p.phrase + `)`)
		for first := range strings.FieldsSeq(p.first) {
			table[first] = append(table[first], re)
		}
	}
	return table
}

const (
	ordersWithin = 400 << 10 // bytes of text that are looked at
	orderReach   = 200       // bytes that a phrase may span
	longestFirst = 12        // letters of the longest first word
)

// Instructs reports whether a text addresses the machine that reads it. It is a
// flag for the reader's eye and never a wall: what a text may cause is limited
// where things are done.
func Instructs(text string) bool {
	text = strings.ToLower(Visible(text[:min(len(text), ordersWithin)]))
	for _, sign := range orderSigns {
		if strings.Contains(text, sign) {
			return true
		}
	}
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && letter(text[end]) {
			end++
		}
		if n := end - i; n >= 2 && n <= longestFirst && follows(text[i:end], text[end:]) {
			return true
		}
		i = end + 1
	}
	return false
}

// LeftOut stands in the place of what WithoutOrders takes out.
const LeftOut = "[text addressed to machines was left out]"

// WithoutOrders is a text as a model may read it: sentences that address the
// machine, and the commands that follow them, are left out. What people read and
// what is cited stays as it is.
func WithoutOrders(text string) string {
	if !Instructs(text) {
		return text
	}
	lines := strings.SplitAfter(Visible(text), "\n")
	for i, line := range lines {
		if Instructs(line) {
			lines[i] = withoutOrders(line)
		}
	}
	if out := strings.Join(lines, ""); !Instructs(out) {
		return out
	}
	return LeftOut // it speaks to machines across its sentences
}

// withoutOrders keeps the sentences of a line that are none.
func withoutOrders(line string) string {
	var out strings.Builder
	after, end := false, 0
	for _, s := range Sentences(line) {
		sentence := line[s.Start:s.End]
		order := Instructs(sentence) || after && commands(sentence)
		switch {
		case !order:
			out.WriteString(line[end:s.End])
		case !after:
			out.WriteString(line[end:s.Start] + LeftOut)
		}
		after, end = order, s.End
	}
	out.WriteString(line[end:])
	return out.String()
}

// commanding are words with which a command to whoever reads begins.
var commanding = words(`add always answer append begin call click copy do end embed execute fetch first follow forget go ignore include insert
	instead mention never new next now only open output pretend print put read reply repeat respond return reveal say send show start state
	tell then visit write you your`)

func words(list string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		set[word] = true
	}
	return set
}

func commands(sentence string) bool {
	first := strings.FieldsFunc(strings.ToLower(sentence), func(r rune) bool { return r < 'a' || r > 'z' })
	return len(first) > 0 && commanding[first[0]]
}

// letter counts the bytes of other scripts as letters, so that a word is whole.
func letter(b byte) bool { return b >= 'a' && b <= 'z' || b >= utf8.RuneSelf }

func follows(word, rest string) bool {
	for _, re := range orders[word] {
		if re.MatchString(rest[:min(len(rest), orderReach)]) {
			return true
		}
	}
	return false
}
