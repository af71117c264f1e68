package about

import (
	"slices"
	"strings"
	"unicode"

	"footnote/backend/lang"
)

// steps are the words that a language tells its reader what to do with: "To close a
// book, choose …" answers "How do I close a book?".
type steps struct {
	purpose    [][]string // what such a sentence opens with
	headed     [][]string // and what a heading of such steps opens with
	ask        string
	infinitive []string // endings of the verb; none where it has no ending
	marker     string   // stands before the verb, which is last: "ein Buch zu schließen"
	mine       map[string]string
	told       map[string]bool // small words that what is to be done may begin with
}

func (s *steps) take(kind, value string) {
	forms := strings.Split(value, "|")
	switch kind {
	case "purpose", "headed":
		for _, form := range forms {
			if kind == "headed" {
				s.headed = append(s.headed, strings.Fields(form))
			} else {
				s.purpose = append(s.purpose, strings.Fields(form))
			}
		}
	case "infinitive":
		s.infinitive = forms
	case "marker":
		s.marker = value
	case "how-to":
		s.ask = value
	case "mine", "told":
		s.mine, s.told = s.words(forms)
	}
}

// words adds forms to those that are known: "your=my" is one of the reader's.
func (s *steps) words(forms []string) (mine map[string]string, told map[string]bool) {
	mine, told = s.mine, s.told
	if mine == nil {
		mine, told = map[string]string{}, map[string]bool{}
	}
	for _, form := range forms {
		if from, to, pair := strings.Cut(form, "="); pair {
			mine[from] = to
		} else {
			told[form] = true
		}
	}
	return mine, told
}

// question asks how to do what a sentence opens with and then tells the steps of.
func (s *steps) question(code lang.Code, words []string) (string, bool) {
	end := slices.IndexFunc(words, func(w string) bool { return strings.HasSuffix(w, ",") })
	n := opening(s.purpose, words)
	if n == 0 || end < n || end-n >= restWords || end+1 >= len(words) || !s.tells(code, words[end+1]) {
		return "", false
	}
	rest := slices.Clone(words[n : end+1])
	rest[len(rest)-1] = strings.TrimSuffix(rest[len(rest)-1], ",")
	return s.asking(code, rest)
}

// tells reports whether what follows may be an order to the reader. Where the verb has
// an ending it has told already that this is a purpose.
func (s *steps) tells(code lang.Code, next string) bool {
	next = strings.ToLower(next)
	return s.infinitive != nil || s.told[next] || !lang.IsFunctionWord(code, next)
}

// ofHeading asks how to do what a heading says that it is told.
func (s *steps) ofHeading(code lang.Code, words []string) (string, bool) {
	n := opening(s.headed, words)
	if n == 0 {
		return "", false
	}
	return s.asking(code, slices.Clone(words[n:]))
}

// asking makes the question of a verb and what belongs to it.
func (s *steps) asking(code lang.Code, rest []string) (string, bool) {
	if len(rest) < 2 || slices.ContainsFunc(rest, breaks) || slices.ContainsFunc(rest, isCode) {
		return "", false
	}
	verb := 0
	if s.marker != "" {
		if rest, verb = s.unmarked(rest); rest == nil {
			return "", false
		}
	}
	if s.infinitive == nil && lang.IsFunctionWord(code, strings.ToLower(rest[verb])) || s.infinitive != nil && !slices.ContainsFunc(s.infinitive, func(end string) bool { return strings.HasSuffix(rest[verb], end) }) {
		return "", false
	}
	for i, w := range rest {
		if to, is := s.mine[strings.ToLower(w)]; is {
			rest[i] = to
		}
	}
	if verb == 0 {
		rest[0] = strings.ToLower(rest[0])
	}
	return strings.ReplaceAll(s.ask, "{rest}", strings.Join(rest, " ")), true
}

// unmarked takes the marker away: "ein Buch zu schließen", "ein Konto abzugleichen". Nil
// where there is none.
func (s *steps) unmarked(rest []string) (left []string, verb int) {
	last := len(rest) - 1
	if rest[last-1] == s.marker {
		return slices.Concat(rest[:last-1], rest[last:]), last - 1
	}
	if at := strings.Index(rest[last], s.marker); at > 1 && strings.IndexFunc(rest[last], unicode.IsUpper) < 0 {
		left = slices.Clone(rest)
		left[last] = rest[last][:at] + rest[last][at+len(s.marker):]
		return left, last
	}
	return nil, 0
}

// opening is how many words a form has that words begin with.
func opening(forms [][]string, words []string) int {
	for _, form := range forms {
		if len(words) > len(form) && slices.EqualFunc(words[:len(form)], form, strings.EqualFold) {
			return len(form)
		}
	}
	return 0
}

// isCode reports whether a word is of a program's text.
func isCode(word string) bool { return strings.ContainsAny(word, "$<>={}\\_@#") }
