package server

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/server/openai"
)

// searchPing is how often a stream of lines says that it is alive.
const searchPing = 30 * time.Second

// searchRequest is a question as Perplexica and Vane take it.
type searchRequest struct {
	foreign
	Query        string       `json:"query"`
	Sources      *[]string    `json:"sources"`
	FocusMode    string       `json:"focusMode"`
	Optimization string       `json:"optimizationMode"`
	Chat         *modelChoice `json:"chatModel"`
	System       *modelChoice `json:"systemModel"`
	Embedding    *modelChoice `json:"embeddingModel"`
	History      [][]string   `json:"history"`
	Instructions string       `json:"systemInstructions"`
	Stream       bool         `json:"stream"`
}

var searchFocus = map[string]contract.Focus{
	"webSearch": contract.FocusWeb, "academicSearch": contract.FocusAcademic, "localResearch": contract.FocusLocal, "chat": contract.FocusWriting,
	"writingAssistant": contract.FocusWriting, "wolframAlphaSearch": contract.FocusCompute, "youtubeSearch": contract.FocusVideo, "redditSearch": contract.FocusCommunity,
}

var searchSources = map[string]contract.Focus{"web": contract.FocusWeb, "academic": contract.FocusAcademic, "discussions": contract.FocusCommunity}

var searchModes = map[string]contract.Mode{
	"": "", "speed": contract.ModeSpeed, "balanced": contract.ModeBalanced, "quality": contract.ModeAgent, "agent": contract.ModeAgent, "deepResearch": contract.ModeDeep,
}

// question puts a request into our words, over the defaults; models are found by
// modelOf.
func (in searchRequest) question(q contract.Question, modelOf func(*modelChoice) (string, error)) (contract.Question, error) {
	if err := in.check(); err != nil {
		return q, err
	}
	mode, known := searchModes[in.Optimization]
	if !known {
		return q, fault.New(fault.InvalidMode, "Invalid mode", "Use one of speed, balanced, quality, agent, deepResearch.")
	}
	if mode != "" {
		q.Mode = mode
	}
	q.Text, q.Instructions, q.Unattended = in.Query, in.Instructions, true
	if strings.TrimSpace(in.Query) == "" {
		return q, fault.New(fault.QuestionEmpty, "The query is empty.", "Send the question as \"query\".")
	}
	if err := in.focus(&q); err != nil {
		return q, err
	}
	var err error
	if q.Models.Chat, err = modelOf(in.Chat); err != nil {
		return q, err
	}
	if q.Models.System, err = modelOf(in.System); err != nil {
		return q, err
	}
	if in.Embedding != nil {
		if err := in.Embedding.check(); err != nil {
			return q, err
		}
	}
	q.Earlier, err = pairs(in.History)
	return q, err
}

// focus says where to look: the sources of newer clients go before the mode of
// older ones. Several sources mean the engines of all, none means no search.
func (in searchRequest) focus(q *contract.Question) error {
	if in.Sources == nil {
		focus, known := searchFocus[in.FocusMode]
		switch {
		case in.FocusMode == "":
			return fault.New(fault.InvalidRequest, "Neither sources nor focusMode says where to look.", "Send \"sources\": [\"web\"], or a focusMode.")
		case !known:
			return fault.New(fault.InvalidFocus, "Invalid focus mode", "Use one of webSearch, academicSearch, localResearch, chat, writingAssistant, wolframAlphaSearch, youtubeSearch, redditSearch.")
		}
		q.Focus = focus
		return nil
	}
	var all []contract.Focus
	for _, name := range *in.Sources {
		focus, known := searchSources[name]
		if !known {
			return fault.New(fault.InvalidFocus, "Invalid focus mode", "Use sources of web, academic, discussions.")
		}
		if !slices.Contains(all, focus) {
			all = append(all, focus)
		}
	}
	if len(all) == 0 {
		q.Focus = contract.FocusWriting
		return nil
	}
	q.Focus, q.Beside = all[0], all[1:]
	return nil
}

// pairs are the turns of a history of ["human" | "assistant", text].
func pairs(history [][]string) ([]contract.Said, error) {
	var turns []contract.Said
	for _, pair := range history {
		if len(pair) != 2 {
			return nil, fault.New(fault.InvalidRequest, "An entry of the history is not a pair.", "Send [\"human\", text] and [\"assistant\", text].")
		}
		switch pair[0] {
		case "human", "user":
			turns = append(turns, contract.Said{Question: pair[1]})
		case "assistant", "ai":
			turns = openai.Replied(turns, pair[1])
		default:
			return nil, fault.New(fault.InvalidRequest, "An entry of the history is by neither human nor assistant.", "Send [\"human\", text] and [\"assistant\", text].")
		}
	}
	return turns, nil
}

type searchSource struct {
	Content     string         `json:"content"`
	PageContent string         `json:"pageContent"`
	Metadata    searchMetadata `json:"metadata"`
}

type searchMetadata struct {
	Title     string  `json:"title"`
	URL       string  `json:"url"`
	Number    int     `json:"n"`
	Domain    string  `json:"domain,omitempty"`
	Published *string `json:"published,omitempty"`
	Engine    string  `json:"engine,omitempty"`
}

type searchQuality struct {
	HasCitations bool     `json:"hasCitations"`
	Count        int      `json:"citationCount"`
	Valid        bool     `json:"allCitationsValid"`
	Coverage     float64  `json:"estimatedFactualCoverage"`
	Warnings     []string `json:"warnings"`
}

type searchAnswer struct {
	Message   string         `json:"message"`
	MessageID contract.RunID `json:"messageId"`
	Sources   []searchSource `json:"sources"`
	Stats     api.ModelStats `json:"modelStats"`
	Quality   searchQuality  `json:"quality"`
}

func searchOf(a contract.Answer) searchAnswer {
	r := a.Report
	return searchAnswer{
		Message: a.Answer, MessageID: a.Run, Sources: searchSourcesOf(a.Sources), Stats: api.StatsOf(a),
		Quality: searchQuality{r.HasCitations, r.CitationCount, r.AllCitationsValid, r.Coverage, append([]string{}, r.Warnings...)},
	}
}

func searchSourcesOf(cards []contract.SourceCard) []searchSource {
	out := []searchSource{}
	for _, c := range cards {
		out = append(out, searchSource{c.Snippet, c.Snippet, searchMetadata{c.Title, addressOf(c), c.N, c.Domain, c.Published, c.Engine}})
	}
	return out
}

// search answers at once, or in lines as the answer grows.
func (s *Server) search(w http.ResponseWriter, r *http.Request) {
	var in searchRequest
	err := readJSON(r, &in)
	q := s.rooms.Engine.Defaults()
	if err == nil {
		q, err = in.question(q, s.modelOf)
	}
	var asked api.Asked
	if err == nil {
		asked, err = s.api.Runs.Ask(r.Context(), api.Question{Body: q})
	}
	switch {
	case err != nil:
		writeError(w, err)
	case in.Stream:
		s.searchStream(w, r, asked.Run)
	default:
		s.waited(w, r, asked.Run, func(a contract.Answer) any { return searchOf(a) })
	}
}

// searchLine is one line of a stream.
type searchLine struct {
	Type    string `json:"type"`
	Data    any    `json:"data,omitempty"`
	Message any    `json:"messageId,omitempty"`
	Code    any    `json:"code,omitempty"`
	At      int64  `json:"timestamp,omitempty"`
}

func (s *Server) searchStream(w http.ResponseWriter, r *http.Request, id contract.RunID) {
	form := wireForm{media: "application/x-ndjson", every: s.searchPing}
	framed := !accepts(r, form.media)
	if framed {
		form.media = "text/event-stream"
	}
	say := func(out *stream) jsonLines { return jsonLines{out, framed} }
	form.ping = func(out *stream) { say(out).say(searchLine{Type: "ping", At: s.opt.Now().UnixMilli()}) }
	s.streamed(w, r, form, func(out *stream) follower {
		to := searchFollower{say(out)}
		to.say(searchLine{Type: "init", Data: "Stream connected", Message: id})
		return to
	}, id)
}

// searchFollower tells a run in lines.
type searchFollower struct{ jsonLines }

func (f searchFollower) sources(cards []contract.SourceCard) bool {
	return f.say(searchLine{Type: "sources", Data: searchSourcesOf(cards)})
}

func (f searchFollower) text(delta string) bool {
	return f.say(searchLine{Type: "response", Data: delta})
}

func (f searchFollower) finished(a contract.Answer) {
	_ = f.say(searchLine{Type: "modelStats", Data: api.StatsOf(a)}) && f.say(searchLine{Type: "done"})
}

func (f searchFollower) failed(failure api.Failure) {
	f.say(searchLine{Type: "error", Data: failure.Message, Code: failure.Code})
}
