package server

import (
	"net/http"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/evidence"
)

// chatReply is a whole answer, or a chunk of one, as OpenAI's clients read it.
// What is cited comes with a whole answer and with the last chunk.
type chatReply struct {
	ID      string       `json:"id"`
	Object  string       `json:"object"`
	Created int64        `json:"created"`
	Model   string       `json:"model"`
	Choices []chatChoice `json:"choices"`
	Usage   *chatUsage   `json:"usage,omitempty"`
	*chatEvidence
}

type chatChoice struct {
	Index   int       `json:"index"`
	Message *chatText `json:"message,omitempty"`
	Delta   *chatText `json:"delta,omitempty"`
	Finish  *string   `json:"finish_reason"`
	Logs    *struct{} `json:"logprobs"`
}

type chatText struct {
	Role    string  `json:"role,omitempty"`
	Content *string `json:"content,omitempty"`
}

type chatUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
}

// chatEvidence is what an answer rests on. Citation n-1 is the address of [n].
type chatEvidence struct {
	Citations []string     `json:"citations"`
	Results   []chatResult `json:"search_results"`
	Footnote  chatProof    `json:"footnote"`
}

type chatResult struct {
	Title   string  `json:"title"`
	URL     string  `json:"url"`
	Date    *string `json:"date"`
	Snippet string  `json:"snippet"`
}

type chatProof struct {
	Run      contract.RunID   `json:"run"`
	Outcome  contract.Outcome `json:"outcome"`
	Report   contract.Report  `json:"report"`
	Verdicts []chatVerdict    `json:"verdicts"`
}

type chatVerdict struct {
	Marker  int                `json:"marker"`
	Source  evidence.SourceID  `json:"source_id"`
	Passage evidence.PassageID `json:"passage_id"`
	Claim   string             `json:"claim"`
	Quote   string             `json:"quote"`
	Verdict contract.Verdict   `json:"verdict"`
}

func chatEvidenceOf(a contract.Answer) *chatEvidence {
	out := &chatEvidence{Citations: []string{}, Results: []chatResult{}, Footnote: chatProof{a.Run, a.Outcome, a.Report, []chatVerdict{}}}
	for _, c := range a.Sources {
		for len(out.Citations) < c.N { // a number without a source has no address
			out.Citations, out.Results = append(out.Citations, ""), append(out.Results, chatResult{})
		}
		if c.N > 0 {
			out.Citations[c.N-1], out.Results[c.N-1] = addressOf(c), chatResult{c.Title, addressOf(c), c.Published, c.Snippet}
		}
	}
	for _, c := range a.Citations {
		out.Footnote.Verdicts = append(out.Footnote.Verdicts, chatVerdict{c.Marker, c.Source, c.Passage, c.Claim.Text, c.Quote.Text, c.Verdict})
	}
	return out
}

func chatUsageOf(u contract.UsagePair) *chatUsage {
	return &chatUsage{u.Chat.Prompt + u.System.Prompt, u.Chat.Completion + u.System.Completion, u.Chat.Total + u.System.Total}
}

// chat answers a conversation, at once or in chunks.
func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	var in chatRequest
	err := readJSON(r, &in)
	q := s.rooms.Engine.Defaults()
	if err == nil {
		q, err = in.question(q, func(model string) error { _, _, err := s.rooms.Models.Find(model); return err })
	}
	var asked api.Asked
	if err == nil {
		asked, err = s.api.Runs.Ask(r.Context(), api.Question{Body: q})
	}
	if err != nil {
		writeError(w, err)
		return
	}
	form := chatForm{id: "chatcmpl-" + string(asked.Run), model: in.Model, created: s.opt.Now(), usage: in.Options != nil && in.Options.Usage}
	if !in.Stream {
		s.waited(w, r, asked.Run, func(a contract.Answer) any { return form.whole(a) })
		return
	}
	wire := serverSent
	wire.opening, wire.every = "", s.ping // these clients would take a retry for an empty chunk
	s.streamed(w, r, wire, func(out *stream) follower {
		f := chatFollower{chatForm: form, jsonLines: jsonLines{out, true}}
		f.say(f.chunk(chatText{Role: "assistant", Content: new(string)}, ""))
		return f
	}, asked.Run)
}

// chatForm is what all chunks of an answer share.
type chatForm struct {
	id, model string
	created   time.Time
	usage     bool // wanted in a chunk of its own
}

func (c chatForm) whole(a contract.Answer) chatReply {
	finish := "stop"
	return chatReply{
		ID: c.id, Object: "chat.completion", Created: c.created.Unix(), Model: c.model, Usage: chatUsageOf(a.Usage), chatEvidence: chatEvidenceOf(a),
		Choices: []chatChoice{{Message: &chatText{Role: "assistant", Content: &a.Answer}, Finish: &finish}},
	}
}

func (c chatForm) chunk(delta chatText, finish string) chatReply {
	choice := chatChoice{Delta: &delta}
	if finish != "" {
		choice.Finish = &finish
	}
	return chatReply{ID: c.id, Object: "chat.completion.chunk", Created: c.created.Unix(), Model: c.model, Choices: []chatChoice{choice}}
}

// chatFollower tells a run in chunks.
type chatFollower struct {
	chatForm
	jsonLines
}

func (f chatFollower) sources([]contract.SourceCard) bool { return true }

func (f chatFollower) text(delta string) bool { return f.say(f.chunk(chatText{Content: &delta}, "")) }

func (f chatFollower) finished(a contract.Answer) {
	last := f.chunk(chatText{}, "stop")
	last.Usage, last.chatEvidence = chatUsageOf(a.Usage), chatEvidenceOf(a)
	f.say(last)
	if f.usage {
		f.say(chatReply{ID: f.id, Object: last.Object, Created: last.Created, Model: f.model, Choices: []chatChoice{}, Usage: last.Usage})
	}
	f.out.send("data: [DONE]\n\n")
}

func (f chatFollower) failed(failure api.Failure) {
	f.say(openAIErrorOf(statuses[failure.Code], failure))
}
