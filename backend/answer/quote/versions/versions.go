// Package versions tells which of several texts on the same matter is newer, by what they
// call themselves: dates of files say when they were copied.
package versions

import (
	"path"
	"strconv"
	"strings"

	"footnote/backend/cite"
	"footnote/backend/pattern"
)

var named = pattern.New(`(?:^|\D)((?:19|20)\d\d)(?:[-_./ ]?(0[1-9]|1[0-2])(?:[-_./ ]?(0[1-9]|[12]\d|3[01]))?)?(?:\D|$)|(?:^|\D)(0?[1-9]|[12]\d|3[01])[-_.](0?[1-9]|1[0-2])[-_.]((?:19|20)\d\d)(?:\D|$)`)

// Of is the date that a text names in its file's name, else in its title, as yyyymmdd with
// noughts for what is not told; the latest where there are several, 0 where there is none.
func Of(address, title string) int {
	name := path.Base(strings.ReplaceAll(address, `\`, "/"))
	if v := latest(name); v > 0 {
		return v
	}
	return latest(title)
}

func latest(text string) (version int) {
	for text != "" {
		m := named.FindStringSubmatchIndex(text)
		if m == nil {
			return version
		}
		part := func(i int) int {
			if m[2*i] < 0 {
				return 0
			}
			n, _ := strconv.Atoi(text[m[2*i]:m[2*i+1]]) // digits by the pattern
			return n
		}
		version = max(version, part(1)*10000+part(2)*100+part(3), part(6)*10000+part(5)*100+part(4))
		text = text[max(1, m[1]-1):]
	}
	return version
}

// Date is a version as it is written: "2024", "2024-06", "2024-06-15"; empty for none.
func Date(version int) string {
	if version == 0 {
		return ""
	}
	text := strconv.Itoa(version / 10000)
	for _, part := range []int{version / 100 % 100, version % 100} {
		if part == 0 {
			break
		}
		text += "-" + strconv.Itoa(part/10) + strconv.Itoa(part%10)
	}
	return text
}

const sameMatter = 0.6 // share of the smaller text's terms that both have

// SameMatter reports whether two texts say the same but for their figures.
func SameMatter(a, b []cite.Term) bool {
	count := func(terms []cite.Term) (words []cite.Term) {
		for _, t := range terms {
			if !strings.ContainsAny(t.Stem, "0123456789") {
				words = append(words, t)
			}
		}
		return words
	}
	a, b = count(a), count(b)
	if len(b) < len(a) {
		a, b = b, a
	}
	shared := 0
	for _, t := range a {
		for _, o := range b {
			if t.IsForm(o) {
				shared++
				break
			}
		}
	}
	return len(a) > 1 && float64(shared) >= sameMatter*float64(len(a))
}
