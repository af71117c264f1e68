package rank

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"footnote/backend/lang"
)

// FileNameWeight is what a full match of a file's name adds to S1 and S2.
const FileNameWeight = 0.2

var (
	months = strings.Fields("january february march april may june july august september october november december")
	// newestCues ask for the newest of several files.
	newestCues = []string{" latest ", " most recent ", " newest ", " current quarter ", " current version "}
)

var ordinalQuarters = strings.NewReplacer(
	"first quarter", "q1", "second quarter", "q2", "third quarter", "q3", "fourth quarter", "q4",
	"1st quarter", "q1", "2nd quarter", "q2", "3rd quarter", "q3", "4th quarter", "q4")

// FileNameMatch tells for each file of a scope which share of the distinguishing
// words of its name the question has, 0 to 1; words without a meaning of their own tell nothing. Only names with a period, version
// or year take part; words that every file has distinguish nothing. When the
// question asks for the latest and no name matches in full, the newest of the
// files that take part gets 1. dates may be nil; zero dates are unknown.
func FileNameMatch(question string, names []string, dates []time.Time) []float64 {
	match := make([]float64, len(names))
	words := make([]map[string]bool, len(names))
	files := map[string]int{}
	for i, name := range names {
		words[i] = nameWords(name)
		for w := range words[i] {
			files[w]++
		}
	}
	asked, code := nameWords(question), lang.Spoken(question)
	for w := range asked {
		if lang.IsFunctionWord(code, w) { // the "de" of "Contrat de pension 2024"
			delete(asked, w)
		}
	}
	full := false
	for i := range names {
		match[i] = nameShare(words[i], asked, files, len(names))
		full = full || match[i] == 1
	}
	if !full && asksNewest(question) {
		if i := newest(words, dates); i >= 0 {
			match[i] = 1
		}
	}
	return match
}

func nameShare(words, asked map[string]bool, files map[string]int, n int) float64 {
	if !dated(words) {
		return 0
	}
	telling, found := 0, 0
	for w := range words {
		if files[w] == n {
			continue
		}
		telling++
		if asked[w] {
			found++
		}
	}
	if telling == 0 {
		return 0
	}
	return float64(found) / float64(telling)
}

// NameInWords is a file's name as questions speak of it: with its quarter in words
// and, where the question asks for the newest file and this is the one, those words.
func NameInWords(question, name string, match float64) string {
	words := nameWords(name)
	for i, q := range []string{"first", "second", "third", "fourth"} {
		if words["q"+strconv.Itoa(i+1)] {
			name += " " + q + " quarter"
		}
	}
	if match >= FileNameWeight && asksNewest(question) {
		name += strings.Join(newestCues, "")
	}
	return name
}

func asksNewest(question string) bool {
	asked := " " + strings.Join(strings.FieldsFunc(strings.ToLower(question), isGap), " ") + " "
	return hasAny(asked, newestCues)
}

func hasAny(s string, parts []string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(s, p) })
}

// newest is the index of the newest file whose name has a period: the one with
// the latest period in its name, by date where names do not tell. -1 when no
// file takes part, or nothing is known of any.
func newest(words []map[string]bool, dates []time.Time) int {
	best, bestPeriod := -1, 0
	var bestDate time.Time
	for i := range words {
		if !dated(words[i]) {
			continue
		}
		var date time.Time
		if i < len(dates) {
			date = dates[i]
		}
		period := periodOf(words[i])
		if period > bestPeriod || period == bestPeriod && date.After(bestDate) {
			best, bestPeriod, bestDate = i, period, date
		}
	}
	return best
}

// periodOf orders names by the period they have: year, then month or the end of
// the quarter or half. 0 when a name has no year.
func periodOf(words map[string]bool) int {
	year, month := 0, 0
	for w := range words {
		switch n, err := strconv.Atoi(w); {
		case err == nil && n >= 1900 && n < 2100:
			year = max(year, n)
		case len(w) == 2 && w[0] == 'q' && w[1] >= '1' && w[1] <= '4':
			month = max(month, 3*int(w[1]-'0'))
		case w == "h1", w == "h2":
			month = max(month, 6*int(w[1]-'0'))
		default:
			month = max(month, slices.Index(months, w)+1)
		}
	}
	if year == 0 {
		return 0
	}
	return 13*year + month
}

// dated reports whether a name has a year, a number or a month.
func dated(words map[string]bool) bool {
	for w := range words {
		if strings.ContainsAny(w, "0123456789") || slices.Contains(months, w) {
			return true
		}
	}
	return false
}

// nameWords cuts a file name or question into words: letters apart from digits
// ("fy2024" is fy and 2024), but "q3", "h1" and "v2" whole, months in full.
func nameWords(s string) map[string]bool {
	s = ordinalQuarters.Replace(strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}), " "))
	words := map[string]bool{}
	for _, field := range strings.Fields(s) {
		for _, w := range splitDigits(field) {
			if !isStop(w) {
				words[fullMonth(w)] = true
			}
		}
	}
	return words
}

func splitDigits(field string) (words []string) {
	start := 0
	runes := []rune(field)
	for i := 1; i <= len(runes); i++ {
		if i < len(runes) && unicode.IsDigit(runes[i]) == unicode.IsDigit(runes[i-1]) {
			continue
		}
		if i < len(runes) && i-start == 1 && strings.ContainsRune("qhv", runes[start]) {
			continue // q3, h1, v2 stay whole
		}
		words = append(words, string(runes[start:i]))
		start = i
	}
	return words
}

func fullMonth(w string) string {
	if len(w) == 3 || w == "sept" {
		for _, m := range months {
			if strings.HasPrefix(m, w) {
				return m
			}
		}
	}
	return w
}

// isGap separates the words of a question; + and # belong to names of languages.
func isGap(r rune) bool {
	return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '+' || r == '#' || r == '\'' || r > 0x7f)
}
