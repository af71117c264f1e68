// Package engine lists the search engines that are asked alike; each folder below
// is one.
package engine

import (
	"footnote/backend/answer/gather"
	"footnote/backend/web"
	"footnote/backend/web/engine/arxiv"
	"footnote/backend/web/engine/brave"
	"footnote/backend/web/engine/crossref"
	"footnote/backend/web/engine/duckduckgo"
	"footnote/backend/web/engine/europepmc"
	"footnote/backend/web/engine/exa"
	"footnote/backend/web/engine/hackernews"
	"footnote/backend/web/engine/keenable"
	"footnote/backend/web/engine/lemmy"
	"footnote/backend/web/engine/mojeek"
	"footnote/backend/web/engine/openalex"
	"footnote/backend/web/engine/pubmed"
	"footnote/backend/web/engine/semanticscholar"
	"footnote/backend/web/engine/serper"
	"footnote/backend/web/engine/stackexchange"
	"footnote/backend/web/engine/tavily"
)

// Makers make an engine, by its name in the registry.
var Makers = map[string]func(web.Access) gather.Finder{
	"arxiv": arxiv.New, "brave": brave.New, "crossref": crossref.New, "duckduckgo": duckduckgo.New, "europepmc": europepmc.New, "exa": exa.New,
	"hackernews": hackernews.New, "keenable": keenable.New, "lemmy": lemmy.New, "mojeek": mojeek.New, "openalex": openalex.New, "pubmed": pubmed.New,
	"semanticscholar": semanticscholar.New, "serper": serper.New, "stackexchange": stackexchange.New, "tavily": tavily.New,
}
