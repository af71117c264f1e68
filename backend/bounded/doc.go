// Package bounded reads JSON, XML and markup of strangers: what it would cost is
// counted before any of it is made, since three bytes may stand for hundreds.
package bounded

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
)

// Counts are how many values a text of JSON holds, by what they cost when they are
// made: members of objects (the names and what they name), numbers in lists, and
// other values in lists. Values that stand by themselves count as those of a list.
type Counts struct{ Members, Numbers, Elements int }

// ErrMany means that a text holds more values than are read.
var ErrMany = errors.New("read: too many values")

// Usual bounds suit the reply of a program: megabytes of text, some ten thousand
// things.
var Usual = Counts{Members: 1_000_000, Numbers: 1_000_000, Elements: 200_000}

// Unmarshal is json.Unmarshal of a text that holds no more than most. The error is
// ErrMany, or what json.Unmarshal says.
func Unmarshal(data []byte, most Counts, into any) error {
	if !Count(data).Within(most) {
		return ErrMany
	}
	return json.Unmarshal(data, into)
}

// mostTags is more than a hundred articles have that say everything of themselves.
const mostTags = 300_000

// UnmarshalXML is xml.Unmarshal of a text with no more tags than a list of articles
// has. The error is ErrMany, or what xml.Unmarshal says.
func UnmarshalXML(data []byte, into any) error {
	if bytes.Count(data, []byte("<")) > mostTags {
		return ErrMany
	}
	return xml.Unmarshal(data, into)
}

// Within reports whether none of the counts is above another's.
func (c Counts) Within(most Counts) bool {
	return c.Members <= most.Members && c.Numbers <= most.Numbers && c.Elements <= most.Elements
}

// Without is what remains of bounds when so much is taken.
func (c Counts) Without(taken Counts) Counts {
	return Counts{c.Members - taken.Members, c.Numbers - taken.Numbers, c.Elements - taken.Elements}
}

// Count counts the values of JSON, of one text or of several in a row, and makes
// nothing. Of what is no JSON it counts something.
func Count(data []byte) Counts {
	var c Counts
	lists := make([]bool, 0, 64) // of what is open, whether it is a list
	for i := 0; i < len(data); i++ {
		listed := len(lists) == 0 || lists[len(lists)-1]
		switch b := data[i]; b {
		case ' ', '\t', '\r', '\n', ',', ':':
			continue
		case ']', '}':
			lists = lists[:max(0, len(lists)-1)]
			continue
		case '[', '{':
			c.value(listed, b)
			lists = append(lists, b == '[')
		case '"':
			i = textEnd(data, i)
			c.value(listed, b)
		default:
			i = wordEnd(data, i)
			c.value(listed, b)
		}
	}
	return c
}

// value counts one that begins with a byte.
func (c *Counts) value(listed bool, first byte) {
	switch {
	case !listed:
		c.Members++
	case first == '-' || first >= '0' && first <= '9':
		c.Numbers++
	default:
		c.Elements++
	}
}

// textEnd is where the text that begins at i ends.
func textEnd(data []byte, i int) int {
	for i++; i < len(data) && data[i] != '"'; i++ {
		if data[i] == '\\' {
			i++
		}
	}
	return i
}

// wordEnd is the last byte of a number or word that begins at i.
func wordEnd(data []byte, i int) int {
	for i+1 < len(data) {
		switch data[i+1] {
		case ' ', '\t', '\r', '\n', ',', ':', ']', '}', '[', '{', '"':
			return i
		}
		i++
	}
	return i
}
