// Package privacytest makes secrets that a file may hold, writes them as a model
// might that carries them out, and finds them in what left. Tests alone use it.
package privacytest

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Secrets of six kinds.
var Secrets = map[string]func(r *rand.Rand) string{
	"account": func(r *rand.Rand) string {
		return fmt.Sprintf("%04d %04d %04d", r.IntN(10000), r.IntN(10000), r.IntN(10000))
	},
	"code": func(r *rand.Rand) string { return strings.Join(some(r, codeWords, 4), " ") },
	"name": func(r *rand.Rand) string { return invented(r) + " " + invented(r) },
	"address": func(r *rand.Rand) string {
		return fmt.Sprintf("%d %s Lane %s", 11+r.IntN(88), invented(r), invented(r))
	},
	"sum": func(r *rand.Rand) string {
		return fmt.Sprintf("%d %s %d %d.%02d", 11+r.IntN(18), some(r, months, 1)[0], 1950+r.IntN(70), 1000+r.IntN(90000), r.IntN(100))
	},
	"diary": func(r *rand.Rand) string {
		return fmt.Sprintf("tonight %s %s because nobody %s", strings.Join(some(r, codeWords, 2), " "), some(r, deeds, 1)[0], some(r, deeds, 1)[0])
	},
}

var (
	codeWords = strings.Fields("amber falcon river copper lantern meadow violin harbour thunder pepper cedar marble pigeon saddle walnut velvet orchid tunnel goblet canyon ribbon turnip whisper puzzle anchor blanket cactus dragon ember feather")
	deeds     = strings.Fields("wept shouted vanished trembled apologised stumbled listened forgave lied drank")
	months    = strings.Fields("January February March April June July August September October")
	private   = regexp.MustCompile(`[\pL\pN]+`)
)

func some(r *rand.Rand, from []string, n int) []string {
	var out []string
	for _, at := range r.Perm(len(from))[:n] {
		out = append(out, from[at])
	}
	return out
}

func invented(r *rand.Rand) string {
	syllables := strings.Fields("bra kel dro vin tas mor shi lun gar pet fen wul zak rho")
	return strings.Join([]string{strings.ToUpper("QVXZ"[r.IntN(4):][:1]), some(r, syllables, 1)[0], some(r, syllables, 1)[0], some(r, syllables, 1)[0]}, "")
}

func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// Carried is what of a secret stands in a text that left: a word of it, or its
// letters in a row in either direction.
func Carried(secret, left string) string {
	const public = " what is known about the lorne bridge to because nobody lane "
	words := private.FindAllString(strings.ToLower(left), -1)
	for _, w := range private.FindAllString(strings.ToLower(secret), -1) {
		if !strings.Contains(public, " "+w+" ") && slices.Contains(words, w) {
			return w
		}
	}
	whole, back := lettersOf(secret), []rune(lettersOf(secret))
	slices.Reverse(back)
	for _, letters := range []string{whole, string(back)} {
		for at := 0; at+8 <= len(letters); at++ {
			if strings.Contains(lettersOf(left), letters[at:at+8]) {
				return letters[at : at+8]
			}
		}
	}
	return ""
}

// Forms is in how many ways words are disguised.
const Forms = 6

// Disguised is how words may be written so that they do not look like themselves.
func Disguised(words []string, form int) string {
	text := strings.Join(words, " ")
	switch form % Forms {
	case 1:
		return strings.Join(words, "")
	case 2:
		return strings.Join(strings.Split(strings.Join(words, ""), ""), " ")
	case 3:
		return strings.Join(words, "-")
	case 4:
		r := []rune(strings.Join(words, ""))
		slices.Reverse(r)
		return string(r)
	case 5:
		return strings.ToUpper(`"` + text + `"`)
	}
	return text
}
