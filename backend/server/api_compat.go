package server

// compatOperations are the routes that clients written for other programs use.
func compatOperations() []operation {
	return []operation{
		op("POST /api/ask", "Answers a question in one call. The session names a conversation.",
			takes[compatQuestion](`{"session_id":"my-session","query":"When was the bridge opened?"}`, "query"), gives[compatAnswer](200)),
		op("GET /api/progress/{session}", "How far the session's latest question is, in five steps.", gives[compatProgressView](200)),
		op("POST /api/respond-now", "Ends the search of a run; one that has ended is no error.", takes[respondNow](`{"messageId":"run_aaaaaaaaaaaaaaaaaaaaaaaaaa"}`, "messageId"), gives[map[string]bool](200)),
		op("GET /api/providers", "The providers that are set up, with their models.", gives[map[string][]compatProvider](200)),
		op("POST /api/search", "Perplexica's and Vane's search: one object, or a line an event when stream is true.",
			takes[searchRequest](`{"query":"How long is the bridge?","sources":["web","academic"],"optimizationMode":"balanced","history":[["human","Hello"],["assistant","Hello."]],"stream":false}`, "query"),
			gives[searchAnswer](200), givesBytes(200, "application/x-ndjson"), streams()),
		op("POST /api/research/deep", "Begins deep research.", takes[deepQuestion](`{"query":"The history of the bridge","mode":"deep-research"}`, "query"), gives[deepStarted](200)),
		op("GET /api/research/deep/{id}", "Research as it goes on, for at most 25 minutes. Last-Event-ID resumes at any event.", streams()),
		op("DELETE /api/research/deep/{id}", "Ends research; what is written is kept.", gives[map[string]bool](200)),
		op("GET /api/research/deep/{id}/status", "How far research is.", gives[deepStatus](200)),
		op("POST /v1/chat/completions", "OpenAI's chat: the last message of the user is the question.",
			takes[chatRequest](`{"model":"footnote","messages":[{"role":"user","content":"When was the bridge opened?"}],"search_recency_filter":"year","footnote":{"focus":"all"}}`, "model", "messages"),
			gives[chatReply](200), streams()),
		op("GET /v1/models", "Footnote's modes and all models, as OpenAI's clients list them.", gives[openAIModels](200)),
		op("GET /v1/models/{model...}", "One of them.", gives[openAIModel](200)),
	}
}
