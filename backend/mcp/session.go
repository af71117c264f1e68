package mcp

import (
	"context"
	"encoding/json"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/queries"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/privacy"
)

// session is the Caller of one client: it knows what the client was told of files,
// and lets no query and no address carry that out. What a client says before it
// read it in a file came from its user.
type session struct {
	next  Caller
	taint *privacy.Taint
}

func newSession(next Caller) *session { return &session{next, privacy.NewTaint()} }

// Call implements Caller.
func (s *session) Call(ctx context.Context, c Call, tell func(Step)) (Reply, error) {
	in, err := decode(c.Input)
	if err != nil {
		return failed(err), nil
	}
	switch c.Name {
	case "search_web":
		query, held := s.taint.Query(in.Query)
		if query == "" && len(held) > 0 {
			return failed(fault.New(fault.PathNotAllowed, "This search was not made: its words stand only in the user's files, which stay on this computer.", "Search with words of the user.")), nil
		}
		c.Input = with(c.Input, "query", query)
	case "read_source":
		if stored, known := s.taint.Address(in.URL); known {
			c.Known, c.Input = true, with(c.Input, "url", stored)
		}
	case "ask", "deep_research":
		c.Untold = s.untold(in.Question)
	}
	for _, said := range []string{in.Query, in.Question} {
		kept, _ := s.taint.Kept(said)
		s.taint.Wrote(kept)
	}
	reply, err := s.next.Call(ctx, c, tell)
	if err == nil && !reply.Failed {
		s.hear(c.Name, reply)
	}
	return reply, err
}

// untold are the words of a question that the client read in files, and the
// addresses that no search brought it once it has read any.
func (s *session) untold(question string) string {
	_, held := s.taint.Kept(question)
	if s.taint.HasRead() {
		for _, address := range queries.AllAddresses(question) {
			if _, known := s.taint.Address(address); !known {
				held = append(held, address)
			}
		}
	}
	return strings.Join(held, " ")
}

// hear notes what a reply tells: text of files, and addresses of pages.
func (s *session) hear(tool string, reply Reply) {
	switch tool {
	case "search_web":
		var found struct{ Items []foundPage }
		if json.Unmarshal(reply.Structured, &found) == nil {
			for _, page := range found.Items {
				s.taint.Brought(page.URL)
			}
		}
	case "read_source":
		var read sourceText
		if json.Unmarshal(reply.Structured, &read) == nil && read.Path == "" {
			s.taint.Brought(read.URL)
			return
		}
		s.taint.Read(reply.Text)
	case "ask", "deep_research":
		s.hearAnswer(reply)
	default:
		s.taint.Read(reply.Text)
	}
}

// hearAnswer notes an answer as text of files where it has a file among its
// sources, and the pages that it names.
func (s *session) hearAnswer(reply Reply) {
	var told contract.Answer
	if json.Unmarshal(reply.Structured, &told) != nil {
		s.taint.Read(reply.Text)
		return
	}
	files := map[evidence.SourceID]bool{}
	for _, card := range told.Sources {
		if card.Kind == evidence.File {
			files[card.ID] = true
			s.taint.Read(card.Title, card.Path, card.Snippet, card.Locator.Heading)
			continue
		}
		s.taint.Brought(card.URL)
	}
	for _, c := range told.Citations {
		if files[c.Source] {
			s.taint.Read(c.Quote.Text)
		}
	}
	if len(files) > 0 {
		s.taint.Read(told.Answer)
		s.taint.Read(told.FollowUps...)
	}
}

// with is an input with another text under a key.
func with(input json.RawMessage, key, text string) json.RawMessage {
	all := map[string]json.RawMessage{}
	if json.Unmarshal(input, &all) != nil {
		return input
	}
	value, err := json.Marshal(text)
	if err != nil {
		return input
	}
	all[key] = value
	changed, err := json.Marshal(all)
	if err != nil {
		return input
	}
	return changed
}
