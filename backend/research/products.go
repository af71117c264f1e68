package research

import (
	"regexp"
	"slices"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/pattern"
	"footnote/backend/plain"
	"footnote/backend/rank"
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
		for _, span := range evidence.Sentences(text) {
			sentence := text[span.Start:span.End]
			if !makesSomething.MatchString(sentence) || slices.ContainsFunc(strings.Fields(strings.ToLower(sentence)), denying.MatchString) {
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

const mostIntroduced = 5000 // runes of a page in which it says what is made

// learnProducts reads what was found for what the matter makes.
func (r *research) learnProducts(all []rank.Candidate) {
	var texts []string
	for _, c := range all {
		texts = append(texts, c.Passage.Text)
	}
	for _, f := range r.p.Evidence.Found {
		texts = append(texts, f.Passage.Text)
	}
	for _, d := range r.p.Evidence.Documents {
		texts = append(texts, plain.Cut(d.Text, mostIntroduced))
	}
	r.products = productsOf(matterOf(r.p.Plan.Standalone, r.study.Topic, texts).names, texts)
}
