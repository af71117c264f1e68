// Package europepmc asks Europe PMC, the life sciences with full texts.
package europepmc

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/web"
)

// New makes the engine.
func New(c web.Access) gather.Finder {
	return web.Adapter{
		Access: c, Kind: evidence.Paper, QueryRunes: 1000,
		Ask: func(ctx context.Context, q gather.WebQuery) (*http.Request, error) {
			v := url.Values{"query": {q.Text}, "format": {"json"}, "resultType": {"core"}, "pageSize": {strconv.Itoa(q.N)}}
			return web.Get(ctx, c.Base+"/europepmc/webservices/rest/search", v)
		},
		Read: web.ListIn(hit, "resultList", "result"),
	}
}

func hit(i int, r web.Fields) web.Hit {
	date := r.Text("firstPublicationDate", "pubYear")
	return web.Hit{
		Title: r.Text("title"), Address: address(r), Published: web.ParseDate(date), Score: 1 / float64(i+1),
		Snippet: web.Paper(r.Text("abstractText"), []string{r.Text("authorString")}, r.At("journalInfo", "journal").Text("title"), date),
	}
}

// address is the article's own page there; a work without one has its DOI.
func address(r web.Fields) string {
	source, id := r.Text("source"), r.Text("id")
	switch {
	case r.Text("pmcid") != "":
		return "https://europepmc.org/article/PMC/" + url.PathEscape(r.Text("pmcid"))
	case source != "" && id != "":
		return "https://europepmc.org/article/" + url.PathEscape(source) + "/" + url.PathEscape(id)
	case r.Text("doi") != "":
		return "https://doi.org/" + r.Text("doi")
	}
	return ""
}
