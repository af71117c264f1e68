package mcp

import (
	"encoding/json"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"footnote/backend/answer/contract"
)

// askModes are those of ask; the fourth, a long report, is a tool of its own.
var askModes = []string{string(contract.ModeSpeed), string(contract.ModeBalanced), string(contract.ModeAgent)}

// tools are what a client may call. None of them writes; those of which nothing
// leaves this computer say that they only read.
func tools() []*sdk.Tool {
	const focuses = `["all","local","web","academic","video","community","compute","writing"]`
	modes := `["` + strings.Join(askModes, `","`) + `"]`
	tool := func(name, title, says, properties, needed string, world bool) *sdk.Tool {
		t := &sdk.Tool{
			Name: name, Title: title, Description: says,
			InputSchema:  json.RawMessage(`{"type":"object","properties":{` + properties + `},"required":[` + needed + `]}`),
			OutputSchema: outputs()[name],
			Annotations:  &sdk.ToolAnnotations{Title: title, ReadOnlyHint: !world, OpenWorldHint: &world, DestructiveHint: new(bool)},
		}
		return t
	}
	text := func(name, says string) string { return `"` + name + `":{"type":"string","description":"` + says + `"}` }
	number := func(name, says, most string) string {
		return `"` + name + `":{"type":"integer","minimum":0,"maximum":` + most + `,"description":"` + says + `"}`
	}
	choice := func(name, says, list string) string {
		return `"` + name + `":{"type":"string","enum":` + list + `,"description":"` + says + `"}`
	}
	return []*sdk.Tool{
		tool("ask", "Ask a question", "Answers a question from the user's files and the web. Each sentence cites a source as [n]; the quotes that prove it come with the answer.",
			text("question", "The question, up to 1000 characters")+","+choice("focus", "Where to look; all = files and web", focuses)+","+
				choice("mode", "How much work it gets; for a long report use deep_research", modes)+`,"files":{"type":"array","items":{"type":"string"},"description":"Only these files of the library, by id or path"},`+
				`"offline":{"type":"boolean","description":"Leave the network alone"}`, `"question"`, true),
		tool("search_library", "Search the user's files", "Finds passages in the user's own files.",
			text("query", "Words or a question")+","+number("limit", "How many passages; 12 unless said otherwise", "50"), `"query"`, false),
		tool("find_files", "Find files", "Finds the user's files on a matter, with where the best passage of each begins. Read on with outline, grep and read_source.",
			text("query", "Words or a question")+","+number("limit", "How many files; 8 unless said otherwise", "50"), `"query"`, false),
		tool("outline", "Outline a source", "Gives the headings of a source and where each begins; read a section with read_source.", text("id", "The id of a source, src_…"), `"id"`, false),
		tool("grep", "Find words in a source", "Gives the lines of one source that have all of some words, and where each begins; read around it with read_source.",
			text("id", "The id of a source, src_…")+","+text("query", "Words that all stand in the line")+","+number("limit", "How many lines; 12 unless said otherwise", "50"), `"id","query"`, false),
		tool("search_web", "Search the web", "Finds pages on the web: titles, addresses and snippets. Read one with read_source.",
			text("query", "Keywords, as for a search engine")+","+number("limit", "How many results; 10 unless said otherwise", "50")+","+
				choice("category", "What kind of pages", `["general","news","it","science","social media"]`)+","+choice("time_range", "How old they may be", `["day","week","month","year"]`), `"query"`, true),
		tool("read_source", "Read a source", "Reads the text of a source by its id, or of a page by its address, which a search or an answer gave. Long texts come in parts.",
			text("id", "The id of a source, src_…")+","+text("url", "The address of a page on the web")+","+
				number("start", "First character wanted", "100000000")+","+number("end", "Character to stop before", "100000000"), "", true),
		tool("deep_research", "Research a question", "Researches a question over many minutes and writes a report with footnotes. Tells its progress.",
			text("question", "What is to be found out, up to 500 characters")+","+choice("mode", "What kind of report", `["deep-research","due-diligence"]`), `"question"`, true),
		tool("table", "Ask files the same questions", "Asks each of several of the user's files the same questions, without a model. Each cell is a quotation with its passage, “not sure”, or “not in this file”.",
			`"files":{"type":"array","items":{"type":"string"},"minItems":1,"description":"Files and folders of the library, by id or path"},`+
				`"questions":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":20,"description":"What each file is asked"}`, `"files","questions"`, false),
		tool("list_threads", "List conversations", "Lists earlier conversations; read one as footnote://thread/<id>.",
			text("query", "Words in them"), "", false),
	}
}

// resources are what can be read by an address, by the kind of thing.
func resources() map[string]*sdk.ResourceTemplate {
	return map[string]*sdk.ResourceTemplate{
		"source": {Name: "source", Title: "Source", URITemplate: "footnote://source/{id}{#passage}", MIMEType: "text/plain", Description: "The text of a file or page as it was read, by its id."},
		"thread": {Name: "thread", Title: "Conversation", URITemplate: "footnote://thread/{id}", MIMEType: "text/markdown", Description: "The questions and answers of a conversation, by its id."},
	}
}
