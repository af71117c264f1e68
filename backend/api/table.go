package api

import (
	"net/http"
	"slices"
)

// Table is every route of the native API: one row a method of a service.
func (s *Services) Table() []Route {
	return slices.Concat(s.runRoutes(), s.threadRoutes(), s.sourceRoutes(), s.libraryRoutes(), s.modelRoutes(), s.settingRoutes(), s.discoveryRoutes(), s.tableRoutes(), s.sharingRoutes())
}

func (s *Services) runRoutes() []Route {
	runs, fresh := s.Runs, s.Subscriptions
	return []Route{
		from("POST /api/runs", 202, "Asks a question. With wait=true the answer comes with the response, and nothing is asked back.", runs.Fresh, runs.Ask,
			Sample(`{"question":"When was the bridge opened?","focus":"all","mode":"balanced"}`, "question"), Also[RunView](200)),
		row("GET /api/runs", 200, "Lists runs, newest first.", runs.List, ForOthers()),
		row("GET /api/runs/{id}", 200, "A run with its answer, or what there is of it.", runs.Get),
		stream("GET /api/runs/{id}/events", "The events of a run: replay, then live. Last-Event-ID or after goes on from a number.", runs.Follow,
			Ask("format", "jsonl: the journal as it stands"), Bytes(http.StatusOK, "application/x-ndjson")),
		row("POST /api/runs/{id}/stop", 200, "Ends a run at once; its text so far is kept.", runs.Stop),
		row("POST /api/runs/{id}/answer-now", 202, "Ends the search; the answer is written from what is there.", runs.AnswerNow),
		row("POST /api/runs/{id}/retry", 202, "Asks the same question again.", runs.Retry, Sample(`{"mode":"agent"}`)),
		row("POST /api/runs/{id}/edit", 202, "Asks another question in the place of a run's, in a new conversation that begins with the same turns; the old one stays.", runs.Edit,
			Sample(`{"question":"When was the bridge closed?"}`, "question")),
		row("POST /api/runs/{id}/refresh", 202, "Asks the question of an answered run again; the new answer says in diff how it differs.", runs.Refresh),
		row("GET /api/runs/{id}/fresh", 200, "How an answer is kept fresh: when it is due, and how the last checks went.", fresh.Of, ForOthers()),
		row("PUT /api/runs/{id}/fresh", 200, "Keeps an answer fresh: its question is asked again by the clock, an hour or more apart, or when a file that it cites changes. Changes come as a turn of its thread.",
			fresh.Keep, Sample(`{"every_ms":86400000,"on_change":true}`)),
		row("DELETE /api/runs/{id}/fresh", 204, "Keeps an answer fresh no longer.", fresh.Drop),
		row("GET /api/fresh", 200, "Lists the answers that are kept fresh.", fresh.List),
		row("POST /api/threads/{id}/seen", 204, "Notes that what checks found in a conversation was looked at.", s.Threads.Seen),
		row("POST /api/runs/{id}/clarify", 202, "Replies to what a run asked back.", runs.Clarify, Sample(`{"reply":"The road bridge."}`, "reply")),
		row("POST /api/runs/{id}/plan", 202, "Changes the plan of deep research while it is reviewed.", runs.Plan, Sample(`{"dimensions":["History","Cost"],"hold":false}`)),
		row("POST /api/runs/{id}/steer", 202, "Skips, deepens or edits a subquestion while deep research looks into it.", runs.Steer,
			Sample(`{"dimension":"History","action":"edit","question":"Who built it?"}`, "dimension", "action")),
		row("GET /api/runs/{id}/ledger", 200, "What a run sent and received.", runs.Ledger),
		row("GET /api/runs/{id}/trace", 200, "How a run went: stages, decisions, ranking.", runs.Trace),
		row("POST /api/runs/{id}/replay", 200, "Ranks again what a run gathered, without the network.", runs.Replay, Sample(`{"k":4,"measure":"dot"}`)),
		row("GET /api/runs/{id}/preview", 200, "The file text that waits for consent before it goes to a model elsewhere.", runs.Preview),
		row("GET /api/ledger", 200, "What all runs sent and received.", runs.Ledgers),
	}
}

func (s *Services) threadRoutes() []Route {
	threads, exports := s.Threads, s.Exports
	return []Route{
		row("GET /api/threads", 200, "Lists conversations.", threads.List),
		row("GET /api/threads/{id}", 200, "A conversation with its runs in order.", threads.Get),
		row("PATCH /api/threads/{id}", 200, "Renames or pins a conversation, or puts it into a collection.", threads.Change, Sample(`{"title":"The bridge","pinned":true}`)),
		row("DELETE /api/threads/{id}", 204, "Deletes a conversation; what runs in it is stopped.", threads.Delete),
		row("POST /api/threads/{id}/branch", 201, "Copies a conversation up to a run into a new one.", threads.Branch, Sample(`{"run":"run_aaaaaaaaaaaaaaaaaaaaaaaaaa"}`, "run")),
		row("POST /api/threads/{id}/repair", 200, "Makes a conversation whole again where its runs are damaged.", threads.Repair, ForOthers()),
		Row("POST /api/import", "Brings back a conversation that was exported as bundle, sent in a part named file.", Parts(), Also[Imported](201)),
		row("GET /api/threads/{id}/export", 200, "A conversation as a file.", exports.Write),
		row("GET /api/threads/{id}/export/lacking", 200, "The scripts that the PDF of a conversation would not show.", exports.Lacking),
		row("POST /api/threads/{id}/note", 201, "Saves an answer as a note in the folder of the settings.", exports.SaveNote, Sample(`{"run":"run_aaaaaaaaaaaaaaaaaaaaaaaaaa"}`, "run"), OfHost()),
	}
}

func (s *Services) sourceRoutes() []Route {
	sources := s.Sources
	return []Route{
		row("GET /api/sources/{id}", 200, "A source as it was read.", sources.Get),
		row("GET /api/sources/{id}/text", 200, "A stretch of a source's text, with what is to be highlighted.", sources.Text),
		Row("GET /api/sources/{id}/page/{n}", "A page of a document as a picture.", Bytes(200, "image/png")),
		row("GET /api/sources/{id}/image", 200, "The stored preview of a source.", sources.Image),
		row("GET /api/sources/{id}/file", 200, "The original bytes of a file.", sources.File),
		row("POST /api/sources/{id}/open", 204, "Opens a file in the system's own program.", sources.Open, OfHost()),
		row("GET /api/passages/{id}", 200, "A passage with the ones around it.", sources.Passage),
	}
}

func (s *Services) libraryRoutes() []Route {
	library, sets, notes := s.Library, s.Collections, s.Notes
	return []Route{
		row("POST /api/library", 202, "Adds files and folders, which are read in place.", library.Add, Sample(`{"paths":["/home/ann/Documents"],"watch":true}`, "paths"), OfHost()),
		row("POST /api/library/sample", 202, "Adds the sample library that the program brings along.", library.AddSample, OfHost()),
		row("POST /api/library/zotero", 200, "Adds the files, annotations and collections of a library of Zotero, which is only read.", library.AddZotero, Sample(`{"folder":""}`), OfHost()),
		row("POST /api/library/cite-keys", 200, "Keeps the cite keys of a BibTeX file for exports.", library.AddCiteKeys, Sample(`{"text":"@article{roe1999, doi = {10.1000/x}}","folder":""}`), OfHost(), ForOthers()),
		Row("POST /api/library/uploads", "Takes files, each in a part named file, and keeps them in the data folder.", Parts(), Also[Uploads](202), OfHost()),
		row("GET /api/library", 200, "What the library holds and how far the work is.", library.Status),
		row("GET /api/library/folders", 200, "The folders in a folder that can be added; without a path, where to begin.", library.Folders, OfHost()),
		row("GET /api/library/files", 200, "Lists files.", library.Files),
		row("GET /api/library/files/{id}", 200, "A file.", library.File),
		row("GET /api/library/files/{id}/why", 200, "Why a file is found for a question, or not.", library.Why),
		row("GET /api/library/about", 200, "What a file, folder or collection is about: sentences that say most of it, and three questions that it answers.", library.About),
		row("POST /api/library/rescan", 202, "Reads again what has changed.", library.Rescan, Sample(`{"ids":[]}`), OfHost()),
		row("DELETE /api/library/{id}", 204, "Forgets a file or a root; the files themselves stay.", library.Remove, OfHost()),
		row("GET /api/library/search", 200, "Finds passages by words.", library.Search),
		row("GET /api/library/count", 200, "Counts the files that mention something, exactly.", library.Count),
		stream("GET /api/library/events", "What happens in the library: replay, then live.", library.Events),
		row("GET /api/collections", 200, "Lists named sets of files and folders.", sets.List),
		row("POST /api/collections", 201, "Makes a collection.", sets.Add, Sample(`{"name":"Bridges","files":[],"folders":["/home/ann/Bridges"]}`, "name")),
		row("GET /api/collections/{id}", 200, "A collection.", sets.Get, ForOthers()),
		row("POST /api/collections/{id}", 200, "Gives a collection another name or other members.", sets.Change, Sample(`{"name":"Old bridges"}`)),
		row("DELETE /api/collections/{id}", 204, "Forgets a collection with its notes; its files and conversations stay.", sets.Remove),
		row("GET /api/collections/{id}/notes", 200, "Lists the notes of a collection, newest first.", notes.List),
		row("POST /api/collections/{id}/notes", 201, "Writes a note, with or without words of a source.", notes.Add, Sample(`{"text":"The bridge is older than the road."}`)),
		row("PATCH /api/notes/{id}", 200, "Writes a note anew; what it quotes stays.", notes.Change, Sample(`{"text":"The road is older than the bridge."}`)),
		row("DELETE /api/notes/{id}", 204, "Deletes a note.", notes.Remove),
	}
}

func (s *Services) modelRoutes() []Route {
	models, jobs, engines := s.Models, s.Jobs, s.Engines
	return []Route{
		row("GET /api/models", 200, "The providers with their models, and which model has which role.", models.List),
		row("POST /api/models/test", 200, "Makes a short round trip with a model.", models.Test, Sample(`{"model":"ollama/qwen3:8b"}`, "model"), OfHost()),
		row("POST /api/models/list", 200, "Asks a provider for its models.", models.Of, Sample(`{"provider":"openai"}`, "provider"), OfHost()),
		row("POST /api/models/pull", 202, "Has a local server fetch a model.", models.Pull, Sample(`{"model":"ollama/qwen3:8b"}`, "model"), OfHost()),
		row("PUT /api/models/roles", 200, "Gives models their roles.", models.SetRoles, Sample(`{"chat":"ollama/qwen3:8b"}`), OfHost()),
		stream("GET /api/jobs/{id}/events", "How a job stands until it ends.", jobs.Follow),
		row("DELETE /api/jobs/{id}", 204, "Ends a job.", jobs.Stop),
		row("GET /api/engines", 200, "The search engines and how they stand.", engines.List),
		row("POST /api/engines/{name}/test", 200, "Asks an engine something small.", engines.Test),
	}
}

func (s *Services) settingRoutes() []Route {
	settings, keys, personas, lenses, consents := s.Settings, s.Keys, s.Personas, s.Lenses, s.Consents
	return []Route{
		row("GET /api/settings", 200, "The settings, their defaults and where each comes from.", settings.List),
		row("PUT /api/settings", 200, "Changes settings; a bad value changes nothing.", settings.Put, Sample(`{"ask.mode":"speed","rank.floor":0.2}`), OfHost()),
		row("PUT /api/keys/{name}", 204, "Stores a key, which is never read back.", keys.Set, Sample(`{"value":"sk-…"}`, "value"), OfHost()),
		row("DELETE /api/keys/{name}", 204, "Forgets a key.", keys.Remove, OfHost()),
		row("GET /api/update", 200, "Whether a newer version is known; nothing is asked.", s.Updates.State, OfHost()),
		row("POST /api/update", 200, "Asks now whether there is a newer version; nothing is fetched.", s.Updates.Check, OfHost()),
		row("GET /api/health", 200, "How the program is.", settings.Health),
		row("POST /api/data/open", 204, "Shows the data folder in the system's file manager.", settings.OpenData, OfHost()),
		row("GET /api/personas", 200, "Lists system prompts by name.", personas.List),
		row("POST /api/personas", 201, "Adds a persona.", personas.Add, Sample(`{"name":"Brief","text":"Answer in one sentence."}`, "name", "text")),
		row("PUT /api/personas/{id}", 200, "Changes a persona.", personas.Change, Sample(`{"name":"Brief","text":"Answer in two sentences."}`, "name", "text")),
		row("DELETE /api/personas/{id}", 204, "Removes a persona.", personas.Remove),
		row("GET /api/lenses", 200, "The domains and folders that come first, last or never.", lenses.List),
		row("PUT /api/lenses", 200, "Replaces the lenses.", lenses.Set, Sample(`[{"pattern":"example.org","action":"boost","note":""}]`)),
		row("GET /api/consents", 200, "The providers that may be sent text of files.", consents.List),
		row("PUT /api/consents/{provider}", 204, "Allows a provider to be sent text of files.", consents.Give),
		row("DELETE /api/consents/{provider}", 204, "Takes that back.", consents.Withdraw),
	}
}

func (s *Services) tableRoutes() []Route {
	tables := s.Tables
	return []Route{
		row("GET /api/tables", 200, "Lists evidence tables, newest first.", tables.List),
		row("POST /api/tables", 201, "Makes an evidence table: each file is asked each question, and each cell has its passage.", tables.Add,
			Sample(`{"title":"Bridges","files":[],"folders":["/home/ann/Bridges"],"questions":["When was it opened?"]}`, "questions")),
		row("GET /api/tables/{id}", 200, "An evidence table with its cells.", tables.Get),
		row("PATCH /api/tables/{id}", 200, "Renames an evidence table, or gives it other questions or more files; cells of what stays are kept.", tables.Change, Sample(`{"title":"Old bridges","questions":["When was it opened?","Who built it?"]}`)),
		row("DELETE /api/tables/{id}", 204, "Deletes an evidence table; its files stay.", tables.Remove),
		row("POST /api/tables/{id}/stop", 200, "Asks nothing more; what is filled stays.", tables.Stop),
		row("POST /api/tables/{id}/fill", 200, "Goes on with a table that was stopped, and asks again what could not be read.", tables.Fill),
		stream("GET /api/tables/{id}/events", "The cells of a table as they are filled: replay, then live, until none is empty.", tables.Follow),
		row("GET /api/tables/{id}/export", 200, "An evidence table as a file with links to the passages.", tables.Export),
	}
}

func (s *Services) sharingRoutes() []Route {
	sharing := s.Sharing
	return []Route{
		row("GET /api/threads/{id}/shares", 200, "With whom a conversation is shared.", sharing.Shares),
		row("POST /api/threads/{id}/shares", 201, "Shares a conversation with a person or group of the team, or by a link for the team; each sees of its answers what they may read.", sharing.Give, Sample(`{"name":"bob","link":false}`)),
		row("DELETE /api/threads/{id}/shares/{share}", 204, "Ends a share at once.", sharing.Take),
		row("GET /api/shared", 200, "Lists conversations that others share.", sharing.List),
		row("POST /api/shared/open", 200, "Opens what a link shows.", sharing.Open, Sample(`{"secret":"…"}`, "secret")),
		row("GET /api/shared/{id}", 200, "A conversation of somebody else as far as one may see it: an answer is whole to who may read all that it had.", sharing.Get),
		row("GET /api/shared/{id}/export", 200, "The same as a file.", sharing.Export, ForOthers()),
		row("POST /api/shared/{id}/copy", 201, "Makes a conversation of one's own of it, to ask further.", sharing.Copy),
		stream("GET /api/shared/{id}/runs/{run}/events", "The text of a run of somebody else as it is written, and its end, to who may read all that it has.", sharing.Follow, ForOthers()),
	}
}

func (s *Services) discoveryRoutes() []Route {
	discovery := s.Discovery
	return []Route{
		row("POST /api/images", 200, "Finds pictures.", discovery.Images, Sample(`{"query":"Lorne bridge"}`, "query"), ForOthers()),
		row("POST /api/videos", 200, "Finds videos.", discovery.Videos, Sample(`{"query":"Lorne bridge"}`, "query"), ForOthers()),
		row("POST /api/suggestions", 200, "Completes a question that is being typed.", discovery.Suggestions, Sample(`{"query":"when was the"}`), ForOthers()),
		row("POST /api/discover", 200, "Finds what was published of late.", discovery.News, Sample(`{"topic":"bridges"}`), ForOthers()),
		row("POST /api/warm", 204, "Opens connections to the model and the engines that the reader chose, while a question is typed; never while the web is off.", discovery.Warm, Sample(`{"model":""}`)),
		Row("GET /api/openapi.json", "This description.", Also[map[string]any](200)),
	}
}
