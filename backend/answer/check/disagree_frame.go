package check

import (
	"slices"
	"strings"
	"unicode"

	"footnote/backend/answer/compare"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/intent"
	"footnote/backend/answer/queries"
	"footnote/backend/evidence"
	"footnote/backend/rank"
)

// Bounds of two sentences that say the same but for one place.
const (
	sameFrame    = 0.6 // of the words of the shorter one, in the same order
	fewestShared = 3   // words of content among them
	mostSwapped  = 6   // words of the place
)

// framer finds sentences that are told in the words of another one, with something
// else in one place.
type framer struct {
	asked map[string]bool             // stems of the question
	names []string                    // in it, in lower case
	read  map[string]compare.Sentence // cut into words, by text
}

func newFramer(question string) *framer {
	f := &framer{asked: map[string]bool{}, read: map[string]compare.Sentence{}}
	for _, term := range rank.Terms(question) {
		f.asked[term] = true
	}
	for _, name := range queries.Names(question) {
		for _, word := range strings.Fields(strings.ToLower(name)) {
			if !intent.NotNames[word] {
				f.names = append(f.names, word)
			}
		}
	}
	return f
}

// align finds what two sentences share. Each is cut into words once, however many
// claims it is held against.
func (f *framer) align(a, b string) compare.Frame { return compare.Align(f.words(a), f.words(b), nil) }

func (f *framer) words(text string) compare.Sentence {
	s, known := f.read[text]
	if !known {
		s = compare.Read(text, nil)
		f.read[text] = s
	}
	return s
}

// otherThing reports whether two sentences of one frame are about different things:
// where one has a name of the question, the other has another name.
func (f *framer) otherThing(a, b string) bool {
	frame := f.align(a, b)
	return frame.Shared >= sameFrame && slices.ContainsFunc(frame.Swapped, func(p compare.Place) bool {
		return f.namesOnly(p.A, p.B) || f.namesOnly(p.B, p.A)
	})
}

// namesOnly reports whether a name of the question is in one text, and another name
// in its place.
func (f *framer) namesOnly(in, instead string) bool {
	has := func(text string) bool {
		return slices.ContainsFunc(strings.Fields(strings.ToLower(text)), func(w string) bool { return slices.Contains(f.names, strings.Trim(w, ".,;:'’")) })
	}
	return has(in) && !has(instead) && strings.IndexFunc(instead, unicode.IsUpper) >= 0
}

// swapped is what two sentences have in the one place where they differ, if that is
// what the question asks for: no word of it stands there.
func (f *framer) swapped(a, b string) (x, y string, ok bool) {
	frame := f.align(a, b)
	if frame.Shared < sameFrame || len(frame.Content) < fewestShared || len(frame.Swapped) != 1 || !f.saysOf(frame.Content) {
		return "", "", false
	}
	p := frame.Swapped[0]
	if f.onlyAsked(p.A) || f.onlyAsked(p.B) || short(p.A, p.B) || short(p.B, p.A) || max(len(strings.Fields(p.A)), len(strings.Fields(p.B))) > mostSwapped {
		return "", "", false
	}
	named := hasName(p.A, strings.HasPrefix(a, p.A)) && hasName(p.B, strings.HasPrefix(b, p.B)) && !hasDigit(p.A+p.B)
	further := slices.ContainsFunc(frame.Extra, func(e compare.Place) bool { return !e.Edge || !named })
	return p.A, p.B, !further && (named || hasDigit(p.A) && hasDigit(p.B))
}

// saysOf reports whether words are more than the names of the question: two sentences
// that share nothing else say nothing of the same thing.
func (f *framer) saysOf(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(f.names, w) })
}

// hasName reports whether a text has a word with a capital letter that is not only the
// first one of a sentence.
func hasName(text string, opens bool) bool {
	first, rest, _ := strings.Cut(text, " ")
	if !opens || strings.IndexFunc(rest, unicode.IsUpper) >= 0 {
		return strings.IndexFunc(text, unicode.IsUpper) >= 0
	}
	return strings.IndexFunc(first, unicode.IsUpper) >= 0 && !slices.ContainsFunc(strings.Fields(rest), func(w string) bool { return len(rank.Terms(w)) > 0 })
}

func hasDigit(text string) bool { return strings.IndexFunc(text, unicode.IsDigit) >= 0 }

// onlyAsked reports whether every word of a text is one of the question.
func (f *framer) onlyAsked(text string) bool {
	return !slices.ContainsFunc(rank.Terms(text), func(term string) bool { return !f.asked[term] })
}

// short reports whether a text is another one in short: a part of it, or its
// initials.
func short(a, b string) bool {
	lower, long := strings.ToLower(a), strings.ToLower(b)
	if strings.Contains(long, lower) {
		return true
	}
	var initials strings.Builder
	for _, w := range strings.Fields(long) {
		initials.WriteRune([]rune(w)[0])
	}
	return strings.ReplaceAll(lower, ".", "") == initials.String()
}

// framedSides is what other sources have in the one place where a sentence of theirs
// differs from the one that a claim rests on; nothing where none does.
func (x *Examiner) framedSides(b binding, f *framer) []contract.Side {
	own := b.passage.Passage.Text[b.finding.Quote.Start:b.finding.Quote.End]
	heard := []evidence.SourceID{b.passage.Source.ID}
	var value string
	var sides []contract.Side
	for _, c := range x.Binder.Citable() {
		if c.Snippet || slices.Contains(heard, c.Source.ID) || otherLanguage(b.passage.Passage.Text, c.Passage.Text) {
			continue
		}
		for _, at := range evidence.Sentences(c.Passage.Text) {
			mine, theirs, ok := f.swapped(own, c.Passage.Text[at.Start:at.End])
			if !ok || value != "" && mine != value {
				continue
			}
			value, heard = mine, append(heard, c.Source.ID)
			sides = append(sides, sideOf(c, theirs, at))
			break
		}
	}
	return append([]contract.Side{sideOf(*b.passage, value, b.finding.Quote)}, sides...)
}
