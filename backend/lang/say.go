package lang

import (
	"fmt"
	"strings"
)

// Say is a text of the product in a language, by its key, with the values in the places
// of "{}"; English where the language has none. A text that has a number in it has a form
// for each kind of number, parted by "|": the first value chooses among them.
func (c Code) Say(what string, values ...any) string {
	text, ok := tables()[c][say][what]
	if !ok {
		c, text = English, tables()[English][say][what]
	}
	forms := strings.Split(text, "|")
	text = forms[0]
	if len(values) > 0 {
		if n, counts := values[0].(int); counts {
			text = forms[min(c.plural(n), len(forms)-1)]
		}
	}
	var b strings.Builder
	for i, part := range strings.Split(text, "{}") {
		if i > 0 {
			b.WriteString(fmt.Sprint(values[i-1]))
		}
		b.WriteString(part)
	}
	return b.String()
}

// plural is the place of the form that a number has: one, few, many.
func (c Code) plural(n int) int {
	switch {
	case c == Polish && n == 1, (c == Russian || c == Ukrainian) && n%10 == 1 && n%100 != 11:
		return 0
	case c == Polish || c == Russian || c == Ukrainian:
		if d := n % 10; d >= 2 && d <= 4 && (n%100 < 12 || n%100 > 14) {
			return 1
		}
		return 2
	case n == 1, c == French && n == 0:
		return 0
	}
	return 1
}
