package times

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"footnote/backend/lang"
	"footnote/backend/pattern"
)

// Period is what a text says of a time: a question, the head of a column, the name
// of a file.
type Period struct {
	Years    []int
	Months   uint16 // a bit each
	Between  uint16 // those of them that no word names: of a range
	Days     uint32 // of a month, a bit each
	Crosses  bool   // it goes on from one year into another, or from a day of one month to one of another
	Quarters uint8
	Length   int // in months; 0 where nothing says so
}

var (
	lengthText  = pattern.New(`(?i)\b(three|six|nine|twelve|3|6|9|12|drei|sechs|neun|zwölf|trois|neuf|douze|tres|seis|nueve|doce|tre|sei|nove|dodici)[ -](?:months?|monat\w*|mois|meses|mesi)\b`)
	quarterText = pattern.New(`(?i)\bq ?([1-4])\b|\b([1-4])(?:st|nd|rd|th|\.|er|e|ème|º|°)? (?:quarter|quartal|trimest)|\b(first|second|third|fourth|erste|zweite|dritte|vierte|premier|deuxième|troisième|quatrième|primer|segundo|tercer|cuarto|primo|secondo|terzo|quarto)[nrs]? (?:fiscal )?(?:quarter|quartal|trimest)`)
	anyQuarter  = pattern.New(`(?i)\b(?:quarter|quarterly|quartal\w*|trimest\w*)\b`)
	halfText    = pattern.New(`(?i)\b(?:half[- ]?year|first half|second half|halbjahr\w*|semestre|h[12])\b`)
	partText    = pattern.New(`\pL+|\d+`)
)

var lengths = map[string]int{
	"three": 3, "3": 3, "drei": 3, "trois": 3, "tres": 3, "tre": 3, "six": 6, "6": 6, "sechs": 6, "seis": 6, "sei": 6,
	"nine": 9, "9": 9, "neun": 9, "neuf": 9, "nueve": 9, "nove": 9, "twelve": 12, "12": 12, "zwölf": 12, "douze": 12, "doce": 12, "dodici": 12,
}

var quarterNames = map[string]int{
	"first": 1, "erste": 1, "premier": 1, "primer": 1, "primo": 1, "second": 2, "zweite": 2, "deuxième": 2, "segundo": 2, "secondo": 2,
	"third": 3, "dritte": 3, "troisième": 3, "tercer": 3, "terzo": 3, "fourth": 4, "vierte": 4, "quatrième": 4, "cuarto": 4, "quarto": 4,
}

// PeriodOf reads what a text says of a time.
func PeriodOf(text string) Period {
	p := Period{Years: Years(text)}
	if m := lengthText.FindStringSubmatch(text); m != nil {
		p.Length = lengths[strings.ToLower(m[1])]
	}
	for _, m := range quarterText.FindAllStringSubmatch(text, -1) {
		n, err := strconv.Atoi(m[1] + m[2])
		if err != nil {
			n = quarterNames[strings.ToLower(m[3])]
		}
		p.Quarters |= 1 << n
	}
	switch {
	case p.Length > 0:
	case p.Quarters != 0 || anyQuarter.MatchString(text):
		p.Length = 3
	case halfText.MatchString(text):
		p.Length = 6
	}
	parts := partText.FindAllString(text, -1)
	for i, w := range parts {
		if m, ok := monthOf(w); ok && (i > 0 && IsNumber(parts[i-1]) || i+1 < len(parts) && IsNumber(parts[i+1])) {
			p.Months |= 1 << m
		}
	}
	return p
}

// IsNumber reports whether a part of a text begins with a digit.
func IsNumber(part string) bool { return part[0] >= '0' && part[0] <= '9' }

func monthOf(word string) (time.Month, bool) {
	for _, code := range []lang.Code{lang.English, lang.German, lang.French, lang.Spanish, lang.Italian, lang.Portuguese, lang.Dutch} {
		if m, ok := lang.Month(code, strings.ToLower(word)); ok {
			return m, true
		}
	}
	return 0, false
}

// Against compares what is asked with what stands somewhere: -1 for another time, 1
// for the same, 0 where nothing tells.
func (p Period) Against(o Period) int {
	same := 0
	compare := func(told, shared bool) bool {
		if told && shared {
			same = 1
		}
		return !told || shared
	}
	ok := compare(len(p.Years) > 0 && len(o.Years) > 0, slices.ContainsFunc(p.Years, func(y int) bool { return slices.Contains(o.Years, y) })) &&
		compare(p.Months != 0 && o.Months != 0, p.Months&o.Months != 0) &&
		compare(p.Quarters != 0 && o.Quarters != 0, p.Quarters&o.Quarters != 0) &&
		compare(p.Length != 0 && o.Length != 0, p.Length == o.Length)
	if !ok {
		return -1
	}
	return same
}

// Last orders periods by time: what it gives is larger for later ones.
func (p Period) Last() int {
	year, month := 0, 0
	if len(p.Years) > 0 {
		year = p.Years[len(p.Years)-1]
	}
	for m := 1; m <= 12; m++ {
		if p.Months&(1<<m) != 0 {
			month = m
		}
	}
	return year*16 + month
}
