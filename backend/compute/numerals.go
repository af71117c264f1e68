package compute

import (
	"strconv"
	"strings"
)

// digitWords are the words for numbers, of all languages together.
var digitWords = readNumerals()

func readNumerals() map[string]int64 {
	out := map[string]int64{}
	for value, words := range rows("numerals") {
		for w := range strings.FieldsSeq(words) {
			out[w] = rat(value).Num().Int64()
		}
	}
	return out
}

// pointWords stand for the mark before the decimals.
var pointWords = map[string]bool{"point": true, "komma": true, "virgule": true, "coma": true, "punto": true}

// joinWords may stand inside a number; true for those that join tens with ones.
var joinWords = map[string]bool{"and": false, "und": true, "et": true, "y": true}

// numbered puts a number in the place of the words for one.
func numbered(toks []token) (out []token) {
	for i := 0; i < len(toks); {
		n, end := numeralAt(toks, i)
		if end == i || i > 0 && hundredths[strings.ToLower(toks[i-1].text)] && n == 100 {
			out = append(out, toks[i])
			i++
			continue
		}
		t := token{kind: 'n', text: strconv.FormatInt(n, 10), typed: typed(toks[i:end]), glued: toks[i].glued}
		if decimals, after := decimalsAt(toks, end); decimals != "" {
			t.text, end = t.text+"."+decimals, after
		}
		if last := len(out) - 1; last >= 0 && out[last].kind == 'n' && n >= 100 && n%100 == 0 && end == i+1 && !strings.HasSuffix(t.typed, "s") {
			product, ok := timesText(out[last].text, n) // "3 million"
			if ok {
				out[last].text, out[last].typed = product, out[last].typed+" "+t.typed
				i = end
				continue
			}
		}
		out = append(out, t)
		i = end
	}
	return out
}

// hundredths make a percentage of the word for a hundred: pour cent.
var hundredths = map[string]bool{"pour": true, "por": true, "per": true}

func typed(toks []token) string {
	var b strings.Builder
	for i, t := range toks {
		if i > 0 && !t.glued {
			b.WriteByte(' ')
		}
		b.WriteString(t.typed)
	}
	return b.String()
}

func timesText(number string, n int64) (string, bool) {
	v, err := literal(number)
	if err != nil {
		return "", false
	}
	v, err = v.mul(whole64(n))
	if err != nil {
		return "", false
	}
	places, ends := decimals(v.r)
	return v.r.FloatString(places), ends
}

// numeralAt reads the words of one number from a place on; end is that place when
// there is none.
func numeralAt(toks []token, at int) (n int64, end int) {
	var total, current, last int64
	end = at
	for i := at; i < len(toks); {
		tens, isJoin := joinWords[strings.ToLower(toks[i].text)]
		if isJoin = isJoin && end > at && toks[i].kind == 'w'; isJoin || end > at && toks[i].kind == '-' && toks[i].glued {
			tens = tens || !isJoin
			if last < 100 && !(tens && current%100 >= 20) {
				break
			}
			i++
		}
		p, size := pieceAt(toks, i)
		if size == 0 || end > at && !follows(p, current, total, last) {
			break
		}
		switch {
		case p >= 1000:
			total, current = total+max(1, current)*p, 0
		case p == 100:
			current = max(1, current) * p
		default:
			current += p
		}
		last, i = p, i+size
		end = i
	}
	return total + current, end
}

// follows reports whether a word for a number goes on with the one begun.
func follows(p, current, total, last int64) bool {
	switch {
	case p >= 1000:
		return current > 0 && (total == 0 || total%(p*1000) == 0)
	case p == 100:
		return current > 0 && current < 100
	case p > 100:
		return current == 0
	case last >= 100:
		return p < 100
	}
	return current%10 == 0 && current%100 >= 20 && p < 10 && p > 0
}

// pieceAt reads one word of a number, or several tied by hyphens that are one.
func pieceAt(toks []token, at int) (n int64, size int) {
	key, best := "", 0
	for i := at; i < len(toks) && toks[i].kind == 'w'; i += 2 {
		word := strings.ToLower(toks[i].text)
		if i == at {
			if v, ok := compound(word, 0); ok {
				n, best = v, 1
			}
		}
		key += word
		if v, ok := digitWords[key]; ok {
			n, best = v, i-at+1
		}
		if i+1 >= len(toks) || toks[i+1].kind != '-' || !toks[i+1].glued {
			break
		}
		key += "-"
	}
	return n, best
}

// compound reads a number that German writes as one word.
func compound(word string, depth int) (int64, bool) {
	if v, ok := digitWords[word]; ok {
		return v, true
	}
	if depth > 4 {
		return 0, false
	}
	for _, scale := range []struct {
		word  string
		value int64
	}{{"tausend", 1000}, {"hundert", 100}} {
		before, after, found := strings.Cut(word, scale.word)
		if !found {
			continue
		}
		times, rest, ok1, ok2 := int64(1), int64(0), true, true
		if before != "" {
			times, ok1 = compound(before, depth+1)
		}
		if after = strings.TrimPrefix(after, "und"); after != "" {
			rest, ok2 = compound(after, depth+1)
		}
		return times*scale.value + rest, ok1 && ok2 && times < 1000 && rest < scale.value
	}
	ones, tens, _ := strings.Cut(word, "und")
	o, ok1 := digitWords[ones]
	t, ok2 := digitWords[tens]
	return o + t, ok1 && ok2 && o > 0 && o < 10 && t >= 20 && t < 100 && t%10 == 0
}

// decimalsAt reads "point five two".
func decimalsAt(toks []token, at int) (digits string, end int) {
	if at >= len(toks) || !pointWords[strings.ToLower(toks[at].text)] {
		return "", at
	}
	for end = at + 1; end < len(toks); end++ {
		n, ok := digitWords[strings.ToLower(toks[end].text)]
		if !ok || n > 9 {
			break
		}
		digits += strconv.FormatInt(n, 10)
	}
	return digits, end
}
