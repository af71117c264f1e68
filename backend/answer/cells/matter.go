package cells

import (
	"slices"
	"strings"
	"unicode"

	"footnote/backend/answer/cells/limits"
	"footnote/backend/lang"
)

// matter is a question as it is held against a table: its words that are to be accounted
// for, and what it wants done.
type matter struct {
	words    []word
	counts   bool
	lists    bool
	amount   bool // how much is asked
	vague    bool // by a word that may ask how many as well, with nothing behind it
	twofold  bool // how many and how much is asked, in two parts
	thisYear bool
	numbered bool // how many rows there are is said as well
	share    bool // what part of another figure
	what     lang.Calculation
	than     limits.Limit
}

// word is a part of a question: a word, or in Chinese and Japanese a character.
type word struct {
	text string
	at   int // byte of the question
	open bool
	asks bool // is of what asks how much: wie hoch
	term bool // says something alone, where others are characters
	cost bool // asks what something costs: kostet, and no cell that is like it
}

func (a Asked) matterOf(code lang.Code) (m matter, ok bool) {
	return a.comparing(code, limits.Of(code, a.Text))
}

// comparing is what a question asks for where it compares so.
func (a Asked) comparing(code lang.Code, than limits.Limit) (m matter, ok bool) {
	unspaced := code == lang.Chinese || code == lang.Japanese
	var said [][2]int
	m.than = than
	m.what, said = lang.Calculates(code, m.than.Without(a.Text))
	if m.than.How != "" {
		said = append(said, m.than.Said)
	}
	amounts := lang.Amounts(code, a.Text)
	m.share = asksShare(code, a.Text)
	if m.share || lang.OfMoneyIn(code, "currency", a.Text) { // in euros: what they come to
		amounts = append(amounts, lang.Shares(code, a.Text)...)
	}
	said = append(said, amounts...)
	asking := lang.AskedAt(code, a.Text)
	if unspaced || code == lang.Korean { // where they are parts of others' words
		said = append(said, asking...)
	}
	for _, term := range whole(code, lang.Terms(code, a.Text)) {
		switch {
		case term.Means == lang.Content, term.Means == lang.Quoted, lang.Denies(code, a.Text[term.Start:term.End]):
			for _, w := range wordsOf(a.Text[term.Start:term.End], unspaced) {
				w.at += term.Start
				w.open = !within(said, w.at)
				w.cost = lang.OfMoneyIn(code, lang.Price, w.text)
				w.asks = within(asking, w.at) && !lang.NamesAmount(strings.ToLower(w.text))
				m.words = append(m.words, w)
			}
		case strings.HasPrefix(term.Means, "type:"):
		case term.Means == "changed" && unspaced: // 新工位
			m.words = append(m.words, word{text: a.Text[term.Start:term.End], at: term.Start, open: true, term: true})
		case term.Means == "last-year" && len(a.Period.Years) > 0:
		case term.Means == "this-year":
			m.thisYear = len(a.Period.Years) == 0
		case !slices.Contains(tallies, term.Means):
			return m, false
		}
		m.counts = m.counts || term.Means == "count"
		m.lists = m.lists || term.Means == "list" || term.Means == "show"
	}
	asks := lang.KindAsked(code, a.Text)
	m.twofold = a.isTwofold(code)
	m.howMuch(code, a.Text, asks, amounts)
	why := slices.ContainsFunc(partsOf(code, a.Text), func(part string) bool { return lang.KindAsked(code, part) == lang.Reason })
	return m, len(m.words) > 0 && !why && asks != lang.Reason && asks != lang.Manner
}

// whole joins what is cut into characters where a language writes words: Korean puts particles
// behind them without a space.
func whole(code lang.Code, terms []lang.Term) (all []lang.Term) {
	for _, t := range terms {
		if n := len(all); code == lang.Korean && t.Means == lang.Content && n > 0 && all[n-1].Means == lang.Content && all[n-1].End == t.Start {
			all[n-1].End = t.End
			continue
		}
		all = append(all, t)
	}
	return all
}

// wordsOf cuts a text into words; where a language parts none, each character of a script
// that is written so is one.
func wordsOf(text string, unspaced bool) (words []word) {
	start := -1
	for i, r := range text + " " {
		single := unspaced && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
		inside := !single && !notWord(r) && i < len(text)
		if !inside && start >= 0 {
			words, start = append(words, word{text: text[start:i], at: start}), -1
		}
		switch {
		case single:
			words = append(words, word{text: string(r), at: i})
		case inside && start < 0:
			start = i
		}
	}
	return words
}

func notWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) }
