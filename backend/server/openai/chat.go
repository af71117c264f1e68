package openai

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// ChatRequest is a question as OpenAI's clients ask it. The last message of the
// user is the question, those before it are its history, and what the system says
// ranks as a persona. Temperature and its like are read and left: they are for
// writing, and an answer here is found.
type ChatRequest struct {
	Common
	Messages   []ChatMessage `json:"messages"`
	Options    *StreamOption `json:"stream_options"`
	MaxTokens  *int          `json:"max_tokens"`
	MaxNew     *int          `json:"max_completion_tokens"`
	Format     *ChatFormat   `json:"response_format"`
	Functions  []any         `json:"functions"`
	Call       any           `json:"function_call"`
	SearchMode string        `json:"search_mode"`
	Domains    []string      `json:"search_domain_filter"`
	Recency    string        `json:"search_recency_filter"`
	ChatLimits
}

// ChatLimits are what else bounds an answer, or would ask for more than one.
type ChatLimits struct {
	Stop       List           `json:"stop"`
	N          *int           `json:"n"`
	Logprobs   *bool          `json:"logprobs"`
	Top        *int           `json:"top_logprobs"`
	Bias       map[string]any `json:"logit_bias"`
	Modalities []string       `json:"modalities"`
	Audio      any            `json:"audio"`
}

// Common is what chats and the Responses API have alike.
type Common struct {
	Model    string         `json:"model"`
	Stream   bool           `json:"stream"`
	Tools    []Tool         `json:"tools"`
	Choice   ToolChoice     `json:"tool_choice"`
	User     string         `json:"user"`
	Store    *bool          `json:"store"`
	Metadata map[string]any `json:"metadata"`
	Footnote *Options       `json:"footnote"`
}

// Options are what else Footnote can be told.
type Options struct {
	Focus   string   `json:"focus"`
	Mode    string   `json:"mode"`
	Files   []string `json:"files"`
	Offline bool     `json:"offline"`
	Private bool     `json:"private"`
}

// StreamOption is how a stream shall end.
type StreamOption struct {
	Usage bool `json:"include_usage"`
}

// ChatMessage is one message of a conversation.
type ChatMessage struct {
	Role    string  `json:"role"`
	Content Content `json:"content"`
}

// Request is a request in our words.
type Request struct {
	Question contract.Question
	Model    string // as the client named it
	Named    bool   // it names a provider's model, not one of ours
	Limits   Limits
	Shape    *Shape // of a structured answer; nil is text with footnotes
	Chore    Chore  // of a request beside the conversation; "" is a question
	Messages []ChatMessage
	Thread   Conversation
}

// Models are the names under which Footnote itself is asked.
var Models = []struct {
	ID   string
	Mode contract.Mode
}{{"footnote", ""}, {"footnote-speed", contract.ModeSpeed}, {"footnote-balanced", contract.ModeBalanced}, {"footnote-agent", contract.ModeAgent}, {"footnote-deep", contract.ModeDeep}}

// Room is how long a question may be.
type Room struct{ Question, Deep int }

func (r Room) of(mode contract.Mode) int {
	if mode == contract.ModeDeep && r.Deep > 0 {
		return min(r.Question, r.Deep)
	}
	return r.Question
}

// Request puts a request into our words, over the defaults.
func (in ChatRequest) Request(q contract.Question, room Room) (Request, error) {
	r := Request{Question: q, Model: in.Model, Messages: in.Messages, Limits: Limits{Stops: in.Stop}}
	if err := in.check(); err != nil {
		return r, err
	}
	if most := cmp.Or(in.MaxNew, in.MaxTokens); most != nil {
		r.Limits.Tokens = cmp.Or(*most, -1)
	}
	if err := r.Limits.check("max_tokens"); err != nil {
		return r, err
	}
	var err error
	if r.Shape, err = in.shape(); err != nil {
		return r, err
	}
	if err := in.bound(&r.Question); err != nil {
		return r, err
	}
	return r, in.Common.fill(&r, room)
}

// fill takes over what chats and the Responses API have alike; the messages are
// there.
func (in Common) fill(r *Request, room Room) error {
	in.choose(r)
	if err := in.tools(r.Shape != nil); err != nil {
		return err
	}
	in.Footnote.bound(&r.Question)
	if err := r.converse(room); err != nil {
		return err
	}
	r.Thread.User, r.Thread.Named = in.User, named(in.Metadata)
	return nil
}

// choose takes the mode of one of our own names, or the model of another.
func (in Common) choose(r *Request) {
	for _, m := range Models {
		if m.ID == in.Model {
			r.Question.Mode = cmp.Or(m.Mode, r.Question.Mode)
			return
		}
	}
	r.Named, r.Question.Models.Chat = true, in.Model
}

// check refuses what cannot be had rather than answering something else.
func (in ChatRequest) check() error {
	switch {
	case in.N != nil && *in.N != 1:
		return refuse("n", "There is one answer to a question.", "Send n = 1, or leave it out.")
	case in.Logprobs != nil && *in.Logprobs:
		return refuse("logprobs", "An answer with footnotes has no probabilities of tokens.", "Leave logprobs out.")
	case in.Top != nil && *in.Top != 0:
		return refuse("top_logprobs", "An answer with footnotes has no probabilities of tokens.", "Leave top_logprobs out.")
	case len(in.Bias) > 0:
		return refuse("logit_bias", "Single tokens of an answer cannot be weighed.", "Leave logit_bias out.")
	case in.Audio != nil || slices.Contains(in.Modalities, "audio"):
		return refuse("modalities", "Answers are text.", "Leave audio out.")
	case len(in.Functions) > 0 || in.Call != nil && in.Call != "none":
		return refuse("functions", "Functions of the older form are not called.", "Send tools, or leave functions out.")
	}
	return nil
}

// bound takes over where and how to look.
func (in ChatRequest) bound(q *contract.Question) error {
	switch in.SearchMode {
	case "":
	case "web":
		q.Focus = contract.FocusWeb
	case "academic":
		q.Focus = contract.FocusAcademic
	default:
		return refuse("search_mode", "There is no such search mode.", "Use web or academic.")
	}
	q.Domains, q.Since = in.Domains, in.Recency
	return nil
}

func (o *Options) bound(q *contract.Question) {
	if o == nil {
		return
	}
	q.Offline, q.Scope.Files, q.Private = o.Offline, o.Files, q.Private || o.Private
	q.Focus = cmp.Or(contract.Focus(o.Focus), q.Focus)
	q.Mode = cmp.Or(contract.Mode(o.Mode), q.Mode)
}

// converse takes the messages apart.
func (r *Request) converse(room Room) error {
	last := -1
	for i, m := range r.Messages {
		if m.Role == "user" {
			last = i
		}
	}
	if last < 0 {
		return refuse("messages", "There is no message of the user.", "Send the question as the last message, with the role user.")
	}
	q := &r.Question
	var system []string
	for i, m := range r.Messages {
		text := string(m.Content)
		switch m.Role {
		case "system", "developer":
			system = append(system, text)
		case "user":
			if i < last {
				q.Earlier = append(q.Earlier, contract.Said{Question: text})
			}
		case "assistant":
			if i < last {
				q.Earlier = Replied(q.Earlier, text)
			}
		case "tool", "function": // tools are not called here: there is nothing to go on from
		default:
			return refuse("messages", "A message has an unknown role.", "Use system, user and assistant.")
		}
	}
	q.Unattended, q.Instructions = true, strings.Join(system, "\n\n")
	r.Chore = choreOf(string(r.Messages[last].Content), q.Instructions)
	r.Thread.Before = slices.Clone(q.Earlier)
	r.Thread.Asked = string(r.Messages[last].Content)
	q.Text, q.Context = fit(r.Thread.Asked, room.of(q.Mode))
	if strings.TrimSpace(q.Text) == "" {
		return About("messages", fault.New(fault.QuestionEmpty, "The question is empty.", "Type a question."))
	}
	return nil
}

// Replied adds what was answered to the last turn; an answer to nothing is a turn
// of its own.
func Replied(turns []contract.Said, text string) []contract.Said {
	if n := len(turns); n > 0 && turns[n-1].Answer == "" {
		turns[n-1].Answer = text
		return turns
	}
	return append(turns, contract.Said{Answer: text})
}

// Tool is something a model might call.
type Tool struct {
	Type     string    `json:"type"`
	Function *Function `json:"function"`
	Function2
}

// Function2 is a function as the Responses API has it: without an object around
// it.
type Function2 Function

// Function is a function of the client.
type Function struct {
	Name   string          `json:"name"`
	Says   string          `json:"description"`
	Params json.RawMessage `json:"parameters"`
}
