// Package web is the only room that dials strangers: the guarded HTTP client,
// the page reader with its cache, and what search engines share.
//
// The map. guard.go decides which addresses may be dialled, blocks.go lists
// those that may not, client.go and endpoint.go make the two kinds of client,
// body.go reads answers within limits. reader.go turns a page into a Document:
// charset.go, clean.go, formula.go, blocks_html.go, metadata.go, refusal.go each
// do one step; special.go is for sites that are read in their own way, drawn.go
// for pages that scripts draw; cache.go keeps pages for some hours. adapter.go,
// lead.go, query.go, engine_answer.go serve the engines, one folder each below
// engine; engine_registry.go keeps them, search.go asks several, media.go for other things
// than pages; polite.go, breaker.go and recall.go decorate one; warm.go opens
// connections while a question is typed.
//
// Two classes of address. Pages, pictures and results come from strangers: only
// public addresses on web ports, checked at dial time. Endpoints are set by the
// user (models, SearXNG): any address, but exactly one scheme, host and port.
// Both obey the privacy scope where connections are made.
package web
