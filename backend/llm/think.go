package llm

import (
	"context"
	"iter"
	"regexp"
	"strings"
	"sync"
)

const (
	blanks     = " \t\r\n"
	holdThinks = 16 << 10 // of the beginning of a reply, for models that leave the opening tag out
)

var (
	openTags  = []string{"<think>", "<thinking>", "<thought>"}
	closeTags = []string{"</think>", "</thinking>", "</thought>"}
	thinkers  = regexp.MustCompile(`(?i)(\br1\b|-r1|qwq|reason|think)`)
)

// SplitThinking moves thoughts that a model writes into its text, between
// <think> and </think> or before a lone </think>, to Delta.Thinking. Tags may be
// cut anywhere; tags in backquotes are text. The beginning of a reply is held
// back with models that are known, or were heard, to leave the opening tag out;
// the first words of the others show at once. When a lone closing tag comes
// later, a delta with Retract takes the text back.
func SplitThinking(model Model) Model { return &thinking{model: model} }

type thinking struct {
	model Model
	heard sync.Map // names of models that left the opening tag out
}

// Stream implements Model.
func (t *thinking) Stream(ctx context.Context, call Call) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		s := splitter{}
		if _, known := t.heard.Load(call.Model); known || thinkers.MatchString(call.Model) {
			s.hold = holdThinks
		}
		defer func() {
			if s.lone {
				t.heard.Store(call.Model, true)
			}
		}()
		pass := func(deltas []Delta) bool {
			for _, d := range deltas {
				if !yield(d, nil) {
					return false
				}
			}
			return true
		}
		for d, err := range t.model.Stream(ctx, call) {
			if !pass(s.hear(d, err != nil)) {
				return
			}
			d.Text = ""
			if err == nil && d == (Delta{}) {
				continue
			}
			if !yield(d, err) || err != nil {
				return
			}
		}
		pass(s.flush())
	}
}

// splitter is the state of one reply.
type splitter struct {
	hold    int
	held    string // not yet decided
	last    byte   // last byte that was released
	inside  bool   // between the tags
	thought bool   // a thought has been seen: no more holding back
	said    bool   // text has been released
	trim    bool   // skip white space after a closing tag
	lone    bool   // a closing tag came without an opening one
}

// hear takes the text of a delta and gives what is decided. The end of a reply
// or a tool call decides everything.
func (s *splitter) hear(d Delta, failed bool) []Delta {
	if d.Thinking != "" {
		s.thought = true // the server splits by itself
	}
	s.held += d.Text
	out := s.advance(nil)
	if failed || d.Finish != "" || d.Call != nil {
		out = append(out, s.flush()...)
	}
	return out
}

func (s *splitter) advance(out []Delta) []Delta {
	for s.held != "" {
		if s.trim {
			if s.held = strings.TrimLeft(s.held, blanks); s.held == "" {
				return out
			}
			s.trim = false
		}
		tags := closeTags
		if !s.inside {
			tags = append(tags[:len(tags):len(tags)], openTags...)
		}
		at, tag := s.find(tags)
		if at < 0 {
			return s.release(out, len(s.held)-partial(s.held, tags))
		}
		out = s.cross(out, at, tag)
	}
	return out
}

// cross handles the tag at a place of the held text.
func (s *splitter) cross(out []Delta, at int, tag string) []Delta {
	before := s.held[:at]
	s.held = s.held[at+len(tag):]
	opening := tag[1] != '/'
	switch {
	case s.inside || !opening && !s.thought && !s.said:
		out = appendThought(out, before)
	case !opening && !s.thought:
		out = append(appendText(out, before), Delta{Retract: true})
	case opening && !s.said && isBlank(before):
		// white space before a thought is no answer
	default:
		out = appendText(out, before)
		s.said = s.said || before != ""
	}
	if !opening && !s.inside && !s.thought {
		s.lone, s.said = true, false
	}
	s.inside, s.thought, s.trim, s.last = opening, true, !opening && !s.said, '>'
	return out
}

// release lets the first n held bytes go, unless they are still held back.
func (s *splitter) release(out []Delta, n int) []Delta {
	if n <= 0 || !s.inside && !s.said && (!s.thought && len(s.held) < s.hold || isBlank(s.held[:n])) {
		return out
	}
	text := s.held[:n]
	s.held, s.last = s.held[n:], text[n-1]
	if s.inside {
		return appendThought(out, text)
	}
	s.said = true
	return appendText(out, text)
}

func isBlank(text string) bool { return strings.Trim(text, blanks) == "" }

// flush decides what is left at the end: half a tag was text after all.
func (s *splitter) flush() []Delta {
	rest := s.held
	s.held = ""
	if s.inside {
		return appendThought(nil, rest)
	}
	s.said = s.said || rest != ""
	return appendText(nil, rest)
}

// find gives the first tag that is not written in backquotes.
func (s *splitter) find(tags []string) (at int, tag string) {
	at = -1
	for _, candidate := range tags {
		for from := 0; ; {
			i := strings.Index(s.held[from:], candidate)
			if i < 0 {
				break
			}
			i += from
			if !s.quoted(i) {
				if at < 0 || i < at {
					at, tag = i, candidate
				}
				break
			}
			from = i + len(candidate)
		}
	}
	return at, tag
}

func (s *splitter) quoted(at int) bool {
	if s.inside {
		return false
	}
	if at == 0 {
		return s.last == '`'
	}
	return s.held[at-1] == '`'
}

// partial is the length of the longest end of text that may become a tag.
func partial(text string, tags []string) int {
	longest := 0
	for _, tag := range tags {
		for n := min(len(tag)-1, len(text)); n > longest; n-- {
			if strings.HasSuffix(text, tag[:n]) {
				longest = n
			}
		}
	}
	return longest
}

func appendText(out []Delta, text string) []Delta {
	if text == "" {
		return out
	}
	return append(out, Delta{Text: text})
}

func appendThought(out []Delta, text string) []Delta {
	if text == "" {
		return out
	}
	return append(out, Delta{Thinking: text})
}
