package openai

import (
	"encoding/json"
	"regexp"
	"slices"

	"footnote/backend/llm"
)

// reasoning are the thoughts of an assistant message under the names by which its
// server gave them. DeepSeek, Kimi and others want them back with a message whose
// tools were called, and refuse the conversation without.
type reasoning struct {
	Content  *string           `json:"reasoning_content,omitempty"`
	Thoughts *string           `json:"reasoning,omitempty"`
	Details  []json.RawMessage `json:"reasoning_details,omitempty"`
}

// add takes the thoughts of one event.
func (r *reasoning) add(p *piece) {
	for _, part := range []struct {
		to  **string
		new string
	}{{&r.Content, p.Reasoning.said}, {&r.Thoughts, p.Thoughts.said}} {
		if part.new == "" {
			continue
		}
		if *part.to == nil {
			*part.to = new(string)
		}
		**part.to += part.new
	}
	r.Details = append(r.Details, p.Details...)
}

// written is the form in which a message carries them; empty when there are none.
func (r *reasoning) written() string {
	if r.Content == nil && r.Thoughts == nil && len(r.Details) == 0 {
		return ""
	}
	text, err := json.Marshal(r)
	if err != nil {
		return "" // a detail that is no JSON cannot be sent back
	}
	return string(text)
}

// thoughtForm is how thoughts go back with calls.
type thoughtForm int

const (
	asGiven    thoughtForm = iota
	always                 // messages without thoughts say so: the server misses them
	noThoughts             // the server takes none
)

// after is the form to try when the server complained of thoughts in a call: it
// misses them where none were sent, else it takes none.
func (f thoughtForm) after(call llm.Call) thoughtForm {
	if f == asGiven && slices.ContainsFunc(call.Messages, func(m llm.Message) bool { return len(m.Calls) > 0 && m.Echo == "" }) {
		return always
	}
	return noThoughts
}

// of are the thoughts that go back with a message.
func (f thoughtForm) of(echo string) reasoning {
	var r reasoning
	if f == noThoughts || json.Unmarshal([]byte(echo), &r) != nil && f == asGiven {
		return reasoning{}
	}
	if f == always && r.Content == nil && r.Thoughts == nil {
		r.Content = new(string)
	}
	return r
}

func hasCalls(call llm.Call) bool {
	return slices.ContainsFunc(call.Messages, func(m llm.Message) bool { return len(m.Calls) > 0 })
}

// takesEffort are models that can be told how long to think.
var takesEffort = regexp.MustCompile(`(?i)(^|/)(o1|o3|o4|gpt-5|gpt-oss)(-|\.|$)|grok-3-mini`)

// efforts is how long a model shall think: not long in small steps, else as it
// likes.
func efforts(call llm.Call) string {
	if call.Light() && takesEffort.MatchString(call.Model) {
		return "low"
	}
	return ""
}
