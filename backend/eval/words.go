package eval

import (
	"html"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// bag counts words.
type bag map[string]int

// wordsOf are the words of a text, lower case, without marks; compatible letters
// count as one, so that a ligature is its letters. In scripts that part no words
// each letter is one.
func wordsOf(text string) []string {
	var words []string
	for _, w := range fields(text) {
		rest := 0
		for i, r := range w {
			if !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai) {
				continue
			}
			if rest < i {
				words = append(words, w[rest:i])
			}
			rest = i + utf8.RuneLen(r)
			words = append(words, w[i:rest])
		}
		if rest < len(w) {
			words = append(words, w[rest:])
		}
	}
	return words
}

func fields(text string) []string {
	return strings.FieldsFunc(strings.ToLower(norm.NFKC.String(text)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r)
	})
}

func bagOf(words []string) bag {
	b := bag{}
	for _, w := range words {
		b[w]++
	}
	return b
}

// pairsOf counts each two words that stand side by side: two texts with equal
// words in another order share few.
func pairsOf(words []string) bag {
	b := bag{}
	for i := 1; i < len(words); i++ {
		b[words[i-1]+" "+words[i]]++
	}
	return b
}

// agreement is precision, recall and F1 of a bag against the wanted one. Two
// empty bags agree.
func agreement(got, want bag) (precision, recall, f1 float64) {
	both, g, w := 0, 0, 0
	for word, n := range got {
		both += min(n, want[word])
		g += n
	}
	for _, n := range want {
		w += n
	}
	switch {
	case g == 0 && w == 0:
		return 1, 1, 1
	case both == 0:
		return 0, 0, 0
	}
	precision, recall = float64(both)/float64(g), float64(both)/float64(w)
	return precision, recall, 2 * precision * recall / (precision + recall)
}

var (
	markdownComment = regexp.MustCompile(`(?s)<!--.*?-->`)
	markdownPicture = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)`)
	markdownLink    = regexp.MustCompile(`\]\([^)\s]*(\s"[^"]*")?\)`)
	markdownTag     = regexp.MustCompile(`</?[a-zA-Z][^>\n]{0,300}>`)
	markdownFront   = regexp.MustCompile("(?s)\\A```json\n\\{.*?\\}\n```\n")
)

// plainMarkdown is what a reader of a markdown text sees: no comments, pictures,
// addresses of links or tags.
func plainMarkdown(text string) string {
	text = markdownFront.ReplaceAllString(text, "")
	text = markdownComment.ReplaceAllString(text, " ")
	text = markdownPicture.ReplaceAllString(text, " ")
	text = markdownLink.ReplaceAllString(text, "]")
	text = markdownTag.ReplaceAllString(text, " ")
	return strings.NewReplacer(`\_`, "_", `\*`, "*").Replace(html.UnescapeString(text))
}
