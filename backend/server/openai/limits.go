package openai

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/llm"
)

// Limits are where a client wants an answer to end. The answer itself is kept
// whole; the client gets its beginning.
type Limits struct {
	Tokens int // 0: as many as there are
	Stops  []string
}

// Reasons for the end of an answer, in OpenAI's words.
const (
	Stopped = "stop"
	Length  = "length"
	Called  = "tool_calls"
)

const (
	mostStops = 4
	mostStop  = 256 // bytes of one
)

func (l Limits) check(param string) error {
	if l.Tokens < 0 {
		return refuse(param, "An answer has at least one token.", "Send a number from 1, or leave it out.")
	}
	if len(l.Stops) > mostStops {
		return refuse("stop", "There are more than four stop sequences.", "Send up to four.")
	}
	for _, stop := range l.Stops {
		if stop == "" || len(stop) > mostStop {
			return refuse("stop", "A stop sequence is empty or longer than 256 bytes.", "Send shorter ones, or none.")
		}
	}
	return nil
}

// Cut is what of a text the client gets, and why it ends there; "" when the text
// is not cut.
func (l Limits) Cut(text string) (kept, why string) {
	for _, stop := range l.Stops {
		if before, _, found := strings.Cut(text, stop); found {
			text, why = before, Stopped
		}
	}
	if l.Tokens == 0 || llm.EstimateTokens(text) <= l.Tokens {
		return text, why
	}
	return wordsOf(text, l.Tokens), Length
}

// Sure is how much of a text that still grows will stand whatever follows.
func (l Limits) Sure(text string) string {
	longest := 0
	for _, stop := range l.Stops {
		for n := min(len(stop)-1, len(text)); n > longest; n-- {
			if strings.HasSuffix(text, stop[:n]) {
				longest = n
			}
		}
	}
	text = text[:len(text)-longest]
	if l.Tokens > 0 { // the last word may become too long
		text = text[:lastBlank(text)]
	}
	return text
}

// wordsOf is the beginning of a text, of whole words and at most so many tokens.
func wordsOf(text string, tokens int) string {
	var count llm.TokenCount
	for at, r := range text {
		count.Add(string(r))
		if count.Total() > tokens {
			return strings.TrimRightFunc(text[:lastBlank(text[:at+utf8.RuneLen(r)])], unicode.IsSpace)
		}
	}
	return text
}

// lastBlank is where the last word of a text begins; in writing without spaces,
// its last letter.
func lastBlank(text string) int {
	if at := strings.LastIndexFunc(text, unicode.IsSpace); at >= 0 {
		return at
	}
	last := 0
	for at, r := range text {
		if r >= 0x2E80 { // a word of its own
			last = at
		}
	}
	return last
}
