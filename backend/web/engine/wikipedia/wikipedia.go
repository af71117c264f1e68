// Package wikipedia asks Wikipedia's search, in the language of the query. It
// needs no key and is the default for definitions and entities.
package wikipedia

import (
	"context"
	"net/url"
	"strconv"
	"strings"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/web"
)

const (
	queryRunes = 300 // the search refuses longer ones
)

// Engine implements answer.Finder. The base of its access has {lang} where the
// language stands.
type Engine struct {
	c    web.Access
	lang func() string
}

var _ gather.Finder = (*Engine)(nil)

// New makes the engine. language gives ask.language as it is now; nil, empty or
// "auto" means the query's own.
func New(c web.Access, language func() string) *Engine { return &Engine{c, language} }

// Find searches the articles. When nothing is found and Wikipedia suggests
// another spelling, that one is tried once. Errors are faults: search-failed,
// search-blocked, search-timeout, offline, local-only.
func (e *Engine) Find(ctx context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	query, err := web.Query(q.Text, queryRunes)
	if err != nil || q.Page > 1 {
		return nil, err
	}
	base := strings.ReplaceAll(e.c.Base, "{lang}", e.language(query))
	hits, suggestion, err := e.ask(ctx, base, query, q.N)
	if err == nil && len(hits) == 0 && suggestion != "" {
		hits, _, err = e.ask(ctx, base, suggestion, q.N)
	}
	return e.c.Guard.Leads(e.c.Name, hits, q.N), err
}

func (e *Engine) language(query string) string {
	if e.lang != nil {
		if l := e.lang(); knownLanguage(l) {
			return l
		}
	}
	return languageOf(query)
}

// ask gives what was found, and the spelling that Wikipedia suggests instead.
func (e *Engine) ask(ctx context.Context, base, query string, n int) (hits []web.Hit, suggestion string, err error) {
	req, err := web.Get(ctx, base+"/w/api.php", url.Values{
		"action": {"query"}, "list": {"search"}, "format": {"json"}, "srsearch": {query}, "srlimit": {strconv.Itoa(max(1, min(n, 50)))},
		"srprop": {"snippet|timestamp"}, "srinfo": {"suggestion"},
	})
	if err != nil {
		return nil, "", web.EngineError(e.c.Label, err)
	}
	body, err := e.c.Fetch(req, e.c.Label)
	if err != nil {
		return nil, "", err
	}
	f, err := web.Object(body)
	if err != nil {
		return nil, "", web.NotUnderstood(e.c.Label, err)
	}
	if code := f.At("error").Text("code"); code != "" {
		return nil, "", fault.New(fault.SearchFailed, "Wikipedia could not search ("+web.PlainText(code, 60)+").", "Try again later.")
	}
	for i, r := range f.At("query").List("search") {
		title := r.Text("title")
		hits = append(hits, web.Hit{Title: title, Address: base + "/wiki/" + pathOf(title), Snippet: r.Text("snippet"), Published: r.Time("timestamp"), Score: 1 / float64(i+1)})
	}
	return hits, f.At("query", "searchinfo").Text("suggestion"), nil
}

// pathOf writes a title as Wikipedia's own links do: blanks as underscores, and
// brackets, commas and colons as they are.
func pathOf(title string) string {
	escaped := url.PathEscape(strings.ReplaceAll(title, " ", "_"))
	return strings.NewReplacer("%2C", ",", "%3A", ":", "%28", "(", "%29", ")", "%21", "!").Replace(escaped)
}
