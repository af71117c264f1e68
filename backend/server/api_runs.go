package server

import (
	"net/http"

	"footnote/backend/answer"
	"footnote/backend/refresh"
	"footnote/backend/store"
)

// runOperations are questions, conversations and sources.
func runOperations() []operation {
	return []operation{
		op("POST /api/runs", "Asks a question. With wait=true the answer comes with the response, and nothing is asked back.",
			takes[answer.Question](`{"question":"When was the bridge opened?","focus":"all","mode":"balanced"}`, "question"),
			asks("wait", "true: answer when the run has ended"), gives[Asked](202), gives[RunView](200)),
		op("GET /api/runs", "Lists runs, newest first.", asks("status", "running, finished, failed or stopped"), asks("thread", "Of this conversation"), paged(), gives[Page[answer.Run]](200)),
		op("GET /api/runs/{id}", "A run with its answer, or what there is of it.", gives[RunView](200)),
		op("GET /api/runs/{id}/events", "The events of a run: replay, then live. Last-Event-ID or after goes on from a number.",
			asks("after", "The number of the last event that was seen"), asks("format", "jsonl: the journal as it stands"), streams(), givesBytes(200, "application/x-ndjson")),
		op("POST /api/runs/{id}/stop", "Ends a run at once; its text so far is kept.", takes[struct{}](`{}`), gives[map[string]answer.Status](200)),
		op("POST /api/runs/{id}/answer-now", "Ends the search; the answer is written from what is there.", takes[struct{}](`{}`), gives[map[string]string](202)),
		op("POST /api/runs/{id}/retry", "Asks the same question again.", takes[retryChange](`{"mode":"agent"}`), gives[Asked](202)),
		op("POST /api/runs/{id}/refresh", "Asks the question of an answered run again; the new answer says in diff how it differs.", takes[struct{}](`{}`), gives[Asked](202)),
		op("GET /api/runs/{id}/fresh", "How an answer is kept fresh: when it is due, and how the last checks went.", gives[refresh.Subscription](200)),
		op("PUT /api/runs/{id}/fresh", "Keeps an answer fresh: its question is asked again by the clock, an hour or more apart, or when a file that it cites changes. Changes come as a turn of its thread.",
			takes[refresh.Schedule](`{"every_ms":86400000,"on_change":true}`), gives[refresh.Subscription](200)),
		op("DELETE /api/runs/{id}/fresh", "Keeps an answer fresh no longer.", nothing()),
		op("GET /api/fresh", "Lists the answers that are kept fresh.", gives[Page[FreshView]](200)),
		op("POST /api/threads/{id}/seen", "Notes that what checks found in a conversation was looked at.", takes[struct{}](`{}`), nothing()),
		op("POST /api/runs/{id}/clarify", "Replies to what a run asked back.", takes[clarifyReply](`{"reply":"The road bridge."}`, "reply"), gives[map[string]string](202)),
		op("POST /api/runs/{id}/plan", "Changes the plan of deep research while it is reviewed.", takes[planChange](`{"dimensions":["History","Cost"],"hold":false}`), gives[map[string]string](202)),
		op("GET /api/runs/{id}/ledger", "What a run sent and received.", gives[Page[answer.LedgerEntry]](200)),
		op("GET /api/runs/{id}/trace", "How a run went: stages, decisions, ranking.", gives[TraceView](200)),
		op("POST /api/runs/{id}/replay", "Ranks again what a run gathered, without the network.", takes[answer.Replay](`{"k":4,"measure":"dot"}`), gives[answer.Replayed](200)),
		op("GET /api/runs/{id}/preview", "The file text that waits for consent before it goes to a model elsewhere.", gives[Page[SentFile]](200)),
		op("GET /api/ledger", "What all runs sent and received.", asks("run", "Of this run"), asks("host", "To this host"), paged(), gives[Page[LedgerLine]](200)),

		op("GET /api/threads", "Lists conversations.", asks("q", "Words in them"), asks("type", "chat or deep-research"), paged(), gives[Page[store.ThreadInfo]](200)),
		op("GET /api/threads/{id}", "A conversation with its runs in order.", gives[ThreadView](200)),
		op("PATCH /api/threads/{id}", "Renames or pins a conversation.", takes[ThreadChange](`{"title":"The bridge","pinned":true}`), gives[ThreadView](200)),
		op("DELETE /api/threads/{id}", "Deletes a conversation; what runs in it is stopped.", asks("erase", "true: also drop the snapshots that only it cites"), nothing()),
		op("POST /api/threads/{id}/branch", "Copies a conversation up to a run into a new one.", takes[BranchPoint](`{"run":"run_aaaaaaaaaaaaaaaaaaaaaaaaaa"}`, "run"), gives[Branched](201)),
		op("POST /api/threads/{id}/repair", "Makes a conversation whole again where its runs are damaged.", takes[struct{}](`{}`), gives[ThreadView](200)),
		op("POST /api/import", "Brings back a conversation that was exported as bundle, sent in a part named file.", takesUpload(), gives[Imported](201)),
		op("GET /api/threads/{id}/export", "A conversation as a file.", asks("format", "md, html, pdf, docx, json, jsonl, bundle, bibtex, ris or csl"), asks("style", "[1] or [^1]"), asks("run", "Only this run"),
			givesBytes(http.StatusOK, "*/*")),

		op("GET /api/sources/{id}", "A source as it was read.", gives[SourceView](200)),
		op("GET /api/sources/{id}/text", "A stretch of a source's text, with what is to be highlighted.", asks("start", "Code point"), asks("end", "Code point"),
			asks("passage", "Around this passage"), asks("citation", "Around this citation, as run:index"), gives[TextView](200)),
		op("GET /api/sources/{id}/page/{n}", "A page of a document as a picture.", givesBytes(200, "image/png")),
		op("GET /api/sources/{id}/image", "The stored preview of a source.", givesBytes(200, "image/jpeg")),
		op("GET /api/sources/{id}/file", "The original bytes of a file.", givesBytes(200, "application/octet-stream")),
		op("POST /api/sources/{id}/open", "Opens a file in the system's own program.", takes[struct{}](`{}`), nothing()),
		op("GET /api/passages/{id}", "A passage with the ones around it.", gives[PassageView](200)),
	}
}
