package server

import (
	"net/http"
	"slices"
	"sync"

	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/server/openai"
)

// route is a row of the table with what answers it.
type route struct {
	api.Route
	handle http.HandlerFunc
}

// table is every route: those of the services, those for clients written for
// other programs, and those that need no token.
func (s *Server) table() []route {
	own := s.ownHandlers()
	var native []route
	for _, r := range s.api.Table() {
		handle := own[r.Pattern]
		switch {
		case r.Host && s.guest:
			handle = ofHost
		case handle == nil:
			handle = s.mount(r)
		}
		native = append(native, route{r, handle})
	}
	return slices.Concat(native, s.openRoutes(), s.teamRoutes(), s.compatRoutes(), s.protocolRoutes())
}

// protocolRoutes serve the Model Context Protocol, where the program brings it
// along; what it refuses, it refuses in its own words.
func (s *Server) protocolRoutes() []route {
	if s.opt.Protocol == nil {
		return nil
	}
	serve := sync.OnceValue(func() http.Handler { return s.protocol(s.opt.Protocol(s.ctx)) }) // a description needs none
	handle := func(w http.ResponseWriter, r *http.Request) { serve().ServeHTTP(w, r) }
	refuses := func(r *api.Route) {
		for _, status := range []int{400, 404, 405, 406} {
			api.Bytes(status, "text/plain")(r)
		}
	}
	return []route{
		{api.Row("POST /mcp", "A message of the Model Context Protocol; the reply comes as JSON or as events.",
			api.Taking[protocolMessage](`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "jsonrpc"), api.Also[map[string]any](200), api.Streams(), api.Bytes(202, ""), refuses), handle},
		{api.Row("GET /mcp", "What the server says by itself in a session of the Model Context Protocol.", api.Streams(), refuses), handle},
		{api.Row("DELETE /mcp", "Ends a session of the Model Context Protocol.", api.Bytes(204, ""), refuses), handle},
	}
}

// protocolMessage is what every message of the Model Context Protocol has.
type protocolMessage struct {
	Version string         `json:"jsonrpc"`
	ID      any            `json:"id,omitempty"`
	Method  string         `json:"method,omitempty"`
	Params  map[string]any `json:"params,omitempty"`
}

// ownHandlers answer routes that are more than a call: they wait for a run, take
// files, or have a second form.
func (s *Server) ownHandlers() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"POST /api/runs":                 s.postRun,
		"GET /api/runs/{id}/events":      s.runEvents,
		"POST /api/import":               s.importBundle,
		"POST /api/library/uploads":      s.upload,
		"GET /api/openapi.json":          s.describe,
		"GET /api/sources/{id}/page/{n}": noPicture,
	}
}

// ofHost refuses what is for whoever runs the program.
func ofHost(w http.ResponseWriter, _ *http.Request) {
	writeError(w, fault.New(fault.PathNotAllowed, "This belongs to whoever runs Footnote for the team.", "Ask an administrator."))
}

// described is the table without what answers it.
func described(table []route) []api.Route {
	rows := make([]api.Route, len(table))
	for i, r := range table {
		rows[i] = r.Route
	}
	return rows
}

// openRoutes need no token: they hold no data of the reader.
func (s *Server) openRoutes() []route {
	return []route{
		{api.Row("GET /health", "Whether the server is there.", api.Free(), api.Also[map[string]string](200)), alive},
		{api.Row("GET /launch", "Lets a browser in, once.", api.Ask("code", "As printed at the start"), api.Free(), api.Bytes(303, "text/html")), s.door.launch},
		{api.Row("GET /opensearch.xml", "Tells browsers how to search here.", api.Free(), api.Bytes(200, "application/opensearchdescription+xml")), s.openSearch},
		{api.Row("GET /", "The pages of the program; a question in the address is asked when the reader typed the address.", api.Ask("q", "A question"), api.Free(), api.Bytes(200, "text/html")), s.shell},
	}
}

// compatRoutes are those that clients written for other programs use.
func (s *Server) compatRoutes() []route {
	return []route{
		{api.Row("POST /api/ask", "Answers a question in one call. The session names a conversation.",
			api.Taking[compatQuestion](`{"session_id":"my-session","query":"When was the bridge opened?"}`, "query"), api.Also[compatAnswer](200)), s.compatAsk},
		{api.Row("GET /api/progress/{session}", "How far the session's latest question is, in five steps.", api.Also[compatProgressView](200)), s.compatProgress},
		{api.Row("POST /api/respond-now", "Ends the search of a run; one that has ended is no error.", api.Taking[respondNow](`{"messageId":"run_aaaaaaaaaaaaaaaaaaaaaaaaaa"}`, "messageId"), api.Also[map[string]bool](200)), s.compatRespondNow},
		{api.Row("GET /api/providers", "The providers that are set up, with their models.", api.Also[map[string][]compatProvider](200)), got(s.compatProviders)},
		{api.Row("POST /api/search", "Perplexica's and Vane's search: one object, or a line an event when stream is true.",
			api.Taking[searchRequest](`{"query":"How long is the bridge?","sources":["web","academic"],"optimizationMode":"balanced","history":[["human","Hello"],["assistant","Hello."]],"stream":false}`, "query"),
			api.Also[searchAnswer](200), api.Bytes(200, "application/x-ndjson"), api.Streams()), s.search},
		{api.Row("POST /api/research/deep", "Begins deep research.", api.Taking[deepQuestion](`{"query":"The history of the bridge","mode":"deep-research"}`, "query"), api.Also[deepStarted](200)), sent(http.StatusOK, s.deepStart)},
		{api.Row("GET /api/research/deep/{id}", "Research as it goes on, for at most 25 minutes. Last-Event-ID resumes at any event.", api.Streams()), s.deepEvents},
		{api.Row("DELETE /api/research/deep/{id}", "Ends research; what is written is kept.", api.Also[map[string]bool](200)), byID(http.StatusOK, s.deepStop)},
		{api.Row("GET /api/research/deep/{id}/status", "How far research is.", api.Also[deepStatus](200)), byID(http.StatusOK, s.deepStatus)},
		{api.Row("POST /v1/chat/completions", "OpenAI's chat: the last message of the user is the question.",
			api.Taking[openai.ChatRequest](`{"model":"footnote","messages":[{"role":"user","content":"When was the bridge opened?"}],"search_recency_filter":"year","footnote":{"focus":"all"}}`, "model", "messages"),
			api.Also[openai.ChatReply](200), api.Streams()), s.chat},
		{api.Row("POST /v1/responses", "The same by OpenAI's Responses API; previous_response_id goes on in its conversation, store = false keeps it private.",
			api.Taking[openai.ResponseRequest](`{"model":"footnote","input":"When was the bridge opened?","footnote":{"focus":"all"}}`, "model", "input"),
			api.Also[openai.Response](200), api.Streams()), s.respond},
		{api.Row("GET /v1/responses/{response}", "An answer that was given, by the id of its response.", api.Also[openai.Response](200)), s.response},
		{api.Row("GET /v1/models", "Footnote's modes and all models, as OpenAI's clients list them.", api.Also[openai.ModelList](200)), got(s.chatModelList)},
		{api.Row("GET /v1/models/{model...}", "One of them.", api.Also[openai.Model](200)), s.chatModel},
	}
}
