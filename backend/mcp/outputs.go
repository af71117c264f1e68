package mcp

import "encoding/json"

// outputs are the schemas of what tools give beside their text, by tool. They name
// what a client may rely on; results have more.
func outputs() map[string]json.RawMessage {
	const (
		text, number, optional = `{"type":"string"}`, `{"type":"integer"}`, `{"type":["number","null"]}`
		passage                = `{"type":"object","properties":{"source":` + text + `,"passage":` + text + `,"title":` + text + `,"path":` + text + `,"locator":{"type":"object"},"text":` + text + `,"score":{"type":"number"}},"required":["source","passage","title","path","text"]}`
		page                   = `{"type":"object","properties":{"title":` + text + `,"url":` + text + `,"snippet":` + text + `,"published":` + text + `,"engine":` + text + `},"required":["title","url","snippet"]}`
		thread                 = `{"type":"object","properties":{"id":` + text + `,"title":` + text + `,"updated":` + text + `,"runs":` + number + `},"required":["id","title","updated"]}`
		span                   = `{"type":"object","properties":{"start":` + number + `,"end":` + number + `,"text":` + text + `},"required":["text"]}`
		citation               = `{"type":"object","properties":{"marker":` + number + `,"source_id":` + text + `,"passage_id":` + text + `,"claim":` + span + `,"quote":` + span + `,"verdict":` + text + `},"required":["marker","source_id","passage_id","claim","quote","verdict"]}`
		source                 = `{"type":"object","properties":{"n":` + number + `,"id":` + text + `,"kind":` + text + `,"title":` + text + `,"url":` + text + `,"path":` + text + `},"required":["n","id","kind","title"]}`
		answer                 = `{"type":"object","properties":{"question":` + text + `,"answer":` + text + `,"outcome":` + text + `,"grade":` + text + `,"confidence":` + optional + `,` +
			`"citations":{"type":"array","items":` + citation + `},"sources":{"type":"array","items":` + source + `},"run":` + text + `,"thread":` + text + `},"required":["answer","outcome","citations","sources","run","thread"]}`
		stretch = `{"type":"object","properties":{"id":` + text + `,"title":` + text + `,"url":` + text + `,"path":` + text + `,"start":` + number + `,"end":` + number + `,"total":` + number + `,"text":` + text + `},"required":["title","start","end","total","text"]}`
		file    = `{"type":"object","properties":{"source":` + text + `,"title":` + text + `,"path":` + text + `,"section":` + text + `,"start":` + number + `},"required":["source","path","start"]}`
		places  = `{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"start":` + number + `,"end":` + number + `,"level":` + number + `,"text":` + text + `},"required":["start","end","text"]}},"total":` + number + `},"required":["items","total"]}`
		cell    = `{"type":"object","properties":{"row":` + number + `,"column":` + number + `,"state":` + text + `,"text":` + text + `},"required":["row","column","state"]}`
		cells   = `{"type":"object","properties":{"questions":{"type":"array","items":` + text + `},"files":{"type":"array","items":{"type":"object"}},"cells":{"type":"array","items":` + cell + `}},"required":["questions","files","cells"]}`
	)
	list := func(of string) json.RawMessage {
		return json.RawMessage(`{"type":"object","properties":{"items":{"type":"array","items":` + of + `}},"required":["items"]}`)
	}
	return map[string]json.RawMessage{
		"ask": json.RawMessage(answer), "deep_research": json.RawMessage(answer), "search_library": list(passage), "search_web": list(page),
		"find_files": list(file), "outline": json.RawMessage(places), "grep": json.RawMessage(places),
		"read_source": json.RawMessage(stretch), "table": json.RawMessage(cells), "list_threads": list(thread),
	}
}
