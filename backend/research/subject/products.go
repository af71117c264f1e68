package subject

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/plain"
)

// What a text says that somebody makes: "Oban Gears, founded in 1971, makes the axle
// Tolva", "Tolva is developed by Oban Gears". To sell is not to make: shops sell
// what rivals make. A name ends the phrase, else it only describes what is made.
const (
	makes       = `(?:makes?|made|develop(?:s|ed)?|publish(?:es|ed)?|produce[sd]?|release[sd]?|launch(?:es|ed)|builds?|built)`
	isMaker     = `(?:(?:,[^,\p{Lu}]{1,60},)?|(?: is| was) an? [^.,;:]{1,80}?) (?:\p{Ll}+ ){0,2}?`
	fewWords    = `(?:[\p{Ll}-]+ ){0,5}?`
	productName = `\p{Lu}[\p{L}\pN-]+(?: (?:\p{Lu}|\pN)[\p{L}\pN-]*)*`
	phraseEnds  = `(?:[.,;:)]|$| (?:and|or|which|that|for|in|on|since|at|by|to|with|from|as)\b)`
)

var makesSomething = pattern.New(`\b` + makes + `\b`)

// productsOf are the names, in lower case, of what texts say that a maker of these
// names makes. What is told of them is told of the maker.
func productsOf(names, texts []string) (products []string) {
	if len(names) == 0 {
		return nil
	}
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = regexp.QuoteMeta(name)
	}
	maker := `(?i:` + strings.Join(quoted, "|") + `)(?: (?:\p{Lu}[\p{L}.]*|plc|ltd|llc|inc))*`
	told := []*regexp.Regexp{
		regexp.MustCompile(`^\W*(?:(?i:the|since \d+|in \d+),? )?` + maker + isMaker + makes + ` ` + fewWords + `(` + productName + `)` + phraseEnds),
		regexp.MustCompile(`(` + productName + `),?(?: is| was| has been)? ` + makes + ` by (?:the )?` + maker + phraseEnds),
	}
	for _, text := range texts {
		code := lang.Detect(text)
		for _, span := range evidence.Sentences(text) {
			sentence := text[span.Start:span.End]
			if product := madeIn(code, maker, sentence); product != "" {
				products = append(products, product)
			}
			if !makesSomething.MatchString(sentence) || lang.Denies(lang.English, sentence) {
				continue
			}
			for _, form := range told {
				if m := form.FindStringSubmatch(sentence); m != nil {
					products = append(products, strings.ToLower(m[1]))
				}
			}
		}
	}
	return plain.Distinct(products)
}

// madeIn is what a sentence in a language whose verbs of making are known says that the
// maker, with whom it begins, makes: the last name of the phrase behind the verb.
func madeIn(code lang.Code, maker, sentence string) string {
	verbs := code.Forms(lang.Makes)
	if len(verbs) == 0 || lang.Denies(code, sentence) {
		return ""
	}
	begins := regexp.MustCompile(`^[^\p{L}]*(?:\p{L}{1,3} )?` + maker + `(?:,[^,]{1,60},)?(?: [^.,;:]{1,60})? (?:` + strings.Join(verbs, "|") + `) ([^.,;:()]{1,80})`)
	m := begins.FindStringSubmatch(sentence)
	if m == nil {
		return ""
	}
	words := strings.Fields(m[1])
	at := slices.IndexFunc(words, func(w string) bool {
		return lang.IsFunctionWord(code, strings.ToLower(w)) && !code.Has(lang.Determiner, strings.ToLower(w))
	})
	if at >= 0 {
		words = words[:at]
	}
	from, capital := len(words), func(at int) bool { return at >= 0 && unicode.IsUpper([]rune(words[at])[0]) }
	if !code.NamesByCapitals() && capital(from-1) && capital(from-2) { // the noun before it says what it is
		from--
	}
	for code.NamesByCapitals() && capital(from-1) {
		from--
	}
	return strings.ToLower(strings.Join(words[from:], " "))
}
