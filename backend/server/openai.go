package server

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
)

// chatRequest is a question as OpenAI's clients ask it. The last message of the
// user is the question, those before it are its history, and what the system says
// ranks as a persona. Temperature and limits of length are read and left: how an
// answer with footnotes is written is not for a client to say.
type chatRequest struct {
	Model    string        `json:"model"`
	Messages []chatMessage `json:"messages"`
	Stream   bool          `json:"stream"`
	Options  *struct {
		Usage bool `json:"include_usage"`
	} `json:"stream_options"`
	N           *int     `json:"n"`
	Temperature *float64 `json:"temperature"`
	MaxTokens   *int     `json:"max_tokens"`
	Format      *struct {
		Type string `json:"type"`
	} `json:"response_format"`
	SearchMode string       `json:"search_mode"`
	Domains    []string     `json:"search_domain_filter"`
	Recency    string       `json:"search_recency_filter"`
	Footnote   *chatOptions `json:"footnote"`
}

// chatOptions are what else Footnote can be told.
type chatOptions struct {
	Focus   string   `json:"focus"`
	Mode    string   `json:"mode"`
	Files   []string `json:"files"`
	Offline bool     `json:"offline"`
}

type chatMessage struct {
	Role    string      `json:"role"`
	Content chatContent `json:"content"`
}

// chatContent is a text, or parts of text.
type chatContent string

// UnmarshalJSON reads both forms; a part that is no text is a fault.
func (c *chatContent) UnmarshalJSON(data []byte) error {
	if data = bytes.TrimSpace(data); len(data) > 0 && data[0] != '[' {
		return json.Unmarshal(data, (*string)(c))
	}
	var parts []struct {
		Type string `json:"type"`
		Text string `json:"text"`
	}
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	var text []string
	for _, p := range parts {
		if p.Type != "text" && p.Type != "input_text" {
			return about("messages", fault.New(fault.InvalidRequest, "A message holds something other than text.", "Send text; add files to the library."))
		}
		text = append(text, p.Text)
	}
	*c = chatContent(strings.Join(text, "\n"))
	return nil
}

// about names the parameter that an error is about.
func about(param string, err error) error {
	if f := fault.Of(err); f != nil {
		return f.With("param", param)
	}
	return nil
}

// chatModels are the names under which Footnote itself is asked.
var chatModels = []struct {
	id   string
	mode contract.Mode
}{{"footnote", ""}, {"footnote-speed", contract.ModeSpeed}, {"footnote-balanced", contract.ModeBalanced}, {"footnote-agent", contract.ModeAgent}, {"footnote-deep", contract.ModeDeep}}

// question puts a request into our words, over the defaults; find tells whether
// there is a provider/model.
func (in chatRequest) question(q contract.Question, find func(string) error) (contract.Question, error) {
	q.Unattended = true
	if err := in.check(); err != nil {
		return q, err
	}
	at := slices.IndexFunc(chatModels, func(m struct {
		id   string
		mode contract.Mode
	}) bool {
		return m.id == in.Model
	})
	if at >= 0 && chatModels[at].mode != "" {
		q.Mode = chatModels[at].mode
	}
	if at < 0 {
		if err := find(in.Model); err != nil {
			return q, about("model", err)
		}
		q.Models.Chat = in.Model
	}
	if err := in.bound(&q); err != nil {
		return q, err
	}
	return q, in.converse(&q)
}

// check refuses what cannot be had rather than answering something else.
func (in chatRequest) check() error {
	switch {
	case in.N != nil && *in.N != 1:
		return about("n", fault.New(fault.InvalidRequest, "There is one answer to a question.", "Send n = 1, or leave it out."))
	case in.Format != nil && in.Format.Type != "" && in.Format.Type != "text":
		return about("response_format", fault.New(fault.InvalidRequest, "Answers are text with footnotes.", "Leave response_format out."))
	}
	return nil
}

// bound takes over where and how to look.
func (in chatRequest) bound(q *contract.Question) error {
	switch in.SearchMode {
	case "":
	case "web":
		q.Focus = contract.FocusWeb
	case "academic":
		q.Focus = contract.FocusAcademic
	default:
		return about("search_mode", fault.New(fault.InvalidRequest, "There is no such search mode.", "Use web or academic."))
	}
	q.Domains, q.Since = in.Domains, in.Recency
	if f := in.Footnote; f != nil {
		q.Offline, q.Scope.Files = f.Offline, f.Files
		if f.Focus != "" {
			q.Focus = contract.Focus(f.Focus)
		}
		if f.Mode != "" {
			q.Mode = contract.Mode(f.Mode)
		}
	}
	return nil
}

// converse takes the messages apart.
func (in chatRequest) converse(q *contract.Question) error {
	last := -1
	for i, m := range in.Messages {
		if m.Role == "user" {
			last = i
		}
	}
	if last < 0 {
		return about("messages", fault.New(fault.InvalidRequest, "There is no message of the user.", "Send the question as the last message, with the role user."))
	}
	var system []string
	for i, m := range in.Messages {
		switch m.Role {
		case "system", "developer":
			system = append(system, string(m.Content))
		case "user":
			if i < last {
				q.Earlier = append(q.Earlier, contract.Said{Question: string(m.Content)})
			}
		case "assistant":
			if i < last {
				q.Earlier = replied(q.Earlier, string(m.Content))
			}
		case "tool", "function": // tools are not called here: there is nothing to go on from
		default:
			return about("messages", fault.New(fault.InvalidRequest, "A message has an unknown role.", "Use system, user and assistant."))
		}
	}
	q.Text, q.Instructions = string(in.Messages[last].Content), strings.Join(system, "\n\n")
	return nil
}

// openAIError is an error as OpenAI's clients read it.
type openAIError struct {
	Error struct {
		Message string     `json:"message"`
		Type    string     `json:"type"`
		Code    fault.Code `json:"code"`
		Param   *string    `json:"param"`
	} `json:"error"`
}

func openAIErrorOf(status int, f api.Failure) openAIError {
	var out openAIError
	e := &out.Error
	e.Message, e.Code, e.Type = strings.TrimSpace(f.Message+" "+f.Hint), f.Code, "server_error"
	switch {
	case status == http.StatusUnauthorized:
		e.Type = "authentication_error"
	case status == http.StatusForbidden:
		e.Type = "permission_error"
	case status == http.StatusTooManyRequests:
		e.Type = "rate_limit_error"
	case status < http.StatusInternalServerError:
		e.Type = "invalid_request_error"
	}
	if param, ok := f.Details["param"].(string); ok {
		e.Param = &param
	}
	return out
}

type openAIModel struct {
	ID      string `json:"id"`
	Object  string `json:"object"`
	Created int64  `json:"created"`
	Owner   string `json:"owned_by"`
}

type openAIModels struct {
	Object string        `json:"object"`
	Data   []openAIModel `json:"data"`
}

// chatModelList lists Footnote's own names and every provider/model.
func (s *Server) chatModelList(ctx context.Context) (openAIModels, error) {
	list := openAIModels{Object: "list"}
	add := func(id, owner string) {
		list.Data = append(list.Data, openAIModel{id, "model", s.rooms.Began.Unix(), owner})
	}
	for _, m := range chatModels {
		add(m.id, "footnote")
	}
	models, err := s.api.Models.List(ctx, api.None{})
	for _, p := range models.Providers {
		for _, m := range p.ChatModels {
			add(p.ID+"/"+m.Key, p.ID)
		}
	}
	return list, err
}

// chatModel gives one of the list.
func (s *Server) chatModel(w http.ResponseWriter, r *http.Request) {
	list, err := s.chatModelList(r.Context())
	at := slices.IndexFunc(list.Data, func(m openAIModel) bool { return m.ID == r.PathValue("model") })
	if err == nil && at < 0 {
		err = about("model", fault.New(fault.NotFound, "There is no such model.", "Look in /v1/models."))
	}
	if err != nil {
		writeError(w, err)
		return
	}
	writeJSON(w, http.StatusOK, list.Data[at])
}
