package server

import (
	"footnote/backend/answer"
	"footnote/backend/store"
	"footnote/backend/web"
)

// settingOperations are models, engines, settings and what else the reader sets
// down; then what needs no token.
func settingOperations() []operation {
	return []operation{
		op("GET /api/models", "The providers with their models, and which model has which role.", gives[ModelsView](200)),
		op("POST /api/models/test", "Makes a short round trip with a model.", takes[modelNamed](`{"model":"ollama/qwen3:8b"}`, "model"), gives[TestView](200)),
		op("POST /api/models/list", "Asks a provider for its models.", takes[providerNamed](`{"provider":"openai"}`, "provider"), gives[ProviderView](200)),
		op("POST /api/models/pull", "Has a local server fetch a model.", takes[modelNamed](`{"model":"ollama/qwen3:8b"}`, "model"), gives[JobStarted](202)),
		op("PUT /api/models/roles", "Gives models their roles.", takes[RolesChange](`{"chat":"ollama/qwen3:8b"}`), gives[Roles](200)),
		op("GET /api/jobs/{id}/events", "How a job stands until it ends.", asks("after", "The number of the last event that was seen"), streams()),
		op("DELETE /api/jobs/{id}", "Ends a job.", nothing()),
		op("GET /api/engines", "The search engines and how they stand.", gives[Page[web.Standing]](200)),
		op("POST /api/engines/{name}/test", "Asks an engine something small.", takes[struct{}](`{}`), gives[TestView](200)),
		op("GET /api/settings", "The settings, their defaults and where each comes from.", gives[SettingsView](200)),
		op("PUT /api/settings", "Changes settings; a bad value changes nothing.", takes[map[string]any](`{"ask.mode":"speed","rank.floor":0.2}`), gives[SettingsView](200)),
		op("PUT /api/keys/{name}", "Stores a key, which is never read back.", takes[keyValue](`{"value":"sk-…"}`, "value"), nothing()),
		op("DELETE /api/keys/{name}", "Forgets a key.", nothing()),
		op("GET /api/health", "How the program is.", gives[HealthView](200)),
		op("GET /api/personas", "Lists system prompts by name.", gives[Page[store.Persona]](200)),
		op("POST /api/personas", "Adds a persona.", takes[PersonaText](`{"name":"Brief","text":"Answer in one sentence."}`, "name", "text"), gives[store.Persona](201)),
		op("PUT /api/personas/{id}", "Changes a persona.", takes[PersonaText](`{"name":"Brief","text":"Answer in two sentences."}`, "name", "text"), gives[store.Persona](200)),
		op("DELETE /api/personas/{id}", "Removes a persona.", nothing()),
		op("GET /api/lenses", "The domains and folders that come first, last or never.", gives[Page[answer.Lens]](200)),
		op("PUT /api/lenses", "Replaces the lenses.", takes[answer.Lenses](`[{"pattern":"example.org","action":"boost","note":""}]`), gives[Page[answer.Lens]](200)),
		op("GET /api/consents", "The providers that may be sent text of files.", gives[Page[string]](200)),
		op("PUT /api/consents/{provider}", "Allows a provider to be sent text of files.", takes[struct{}](`{}`), nothing()),
		op("DELETE /api/consents/{provider}", "Takes that back.", nothing()),
		op("POST /api/images", "Finds pictures.", takes[LookRequest](`{"query":"Lorne bridge"}`, "query"), gives[Page[ThingView]](200)),
		op("POST /api/videos", "Finds videos.", takes[LookRequest](`{"query":"Lorne bridge"}`, "query"), gives[Page[ThingView]](200)),
		op("POST /api/suggestions", "Completes a question that is being typed.", takes[LookRequest](`{"query":"when was the"}`, "query"), gives[Page[string]](200)),
		op("POST /api/discover", "Finds what was published of late.", takes[DiscoverRequest](`{"topic":"bridges"}`), gives[Page[ThingView]](200)),
		op("POST /api/warm", "Opens connections to the model and the engines that the reader chose, while a question is typed; never while the web is off.", takes[WarmRequest](`{"model":""}`), nothing()),

		op("GET /health", "Whether the server is there.", free(), gives[map[string]string](200)),
		op("GET /launch", "Lets a browser in, once.", asks("code", "As printed at the start"), free(), givesBytes(303, "text/html")),
		op("GET /opensearch.xml", "Tells browsers how to search here.", free(), givesBytes(200, "application/opensearchdescription+xml")),
		op("GET /", "The pages of the program; a question in the address is asked when the reader typed the address.", asks("q", "A question"), free(), givesBytes(200, "text/html")),
		op("GET /api/openapi.json", "This description.", gives[map[string]any](200)),
	}
}
