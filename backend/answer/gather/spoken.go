package gather

import (
	"slices"

	"footnote/backend/lang"
	"footnote/backend/rank"
)

const languageRead = 12 // passages whose language is looked at

// Spoken is the language that a question is replied to in: that of its words. Where
// they fit several languages, the earlier questions of the conversation decide among
// these, then what was found in files. The language that the reader chose goes first.
func (t *Task) Spoken(found []rank.Candidate) lang.Code {
	may := lang.Plausible(t.Question.Text)
	if len(may) < 2 {
		return t.ReplyIn(lang.Spoken(t.Question.Text))
	}
	for _, turn := range slices.Backward(t.History) {
		if said := lang.Plausible(turn.Question); len(said) == 1 && slices.Contains(may, said[0]) {
			return t.ReplyIn(said[0])
		}
	}
	if code := languageOf(found, may); code != lang.Unknown {
		return t.ReplyIn(code)
	}
	return t.ReplyIn(lang.Spoken(t.Question.Text))
}

// languageOf is the language, of some, that most of the first passages of files are in.
func languageOf(found []rank.Candidate, may []lang.Code) lang.Code {
	amount := map[lang.Code]int{}
	read := 0
	for _, c := range found {
		if read == languageRead {
			break
		}
		if c.Local() {
			amount[lang.Detect(c.Passage.Text)]++
			read++
		}
	}
	best := lang.Unknown
	for _, code := range may {
		if amount[code] > amount[best] || best == lang.Unknown && amount[code] > 0 {
			best = code
		}
	}
	return best
}
