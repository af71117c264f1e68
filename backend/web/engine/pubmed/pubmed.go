// Package pubmed asks PubMed in two steps: the numbers of articles, then the
// articles with their abstracts.
package pubmed

import (
	"context"
	"encoding/xml"
	"net/url"
	"strconv"
	"strings"

	"footnote/backend/answer/gather"
	"footnote/backend/bounded"
	"footnote/backend/evidence"
	"footnote/backend/web"
)

const (
	queryRunes = 1000
)

// Engine implements answer.Finder.
type Engine struct{ c web.Access }

var _ gather.Finder = (*Engine)(nil)

// New makes the engine.
func New(c web.Access) gather.Finder { return &Engine{c} }

// Find asks for numbers and then for their articles. Errors are faults:
// search-failed, search-blocked, search-timeout, offline, local-only.
func (e *Engine) Find(ctx context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	query, err := web.Query(q.Text, queryRunes)
	if err != nil || q.Page > 1 {
		return nil, err
	}
	ids, err := e.numbers(ctx, query, max(1, min(q.N, 50)))
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	body, err := e.ask(ctx, "efetch.fcgi", url.Values{"db": {"pubmed"}, "id": {strings.Join(ids, ",")}, "retmode": {"xml"}})
	if err != nil {
		return nil, err
	}
	hits, err := read(body)
	if err != nil {
		return nil, web.NotUnderstood(e.c.Label, err)
	}
	return web.OfKind(evidence.Paper, e.c.Guard.Leads(e.c.Name, hits, q.N)), nil
}

func (e *Engine) ask(ctx context.Context, program string, v url.Values) ([]byte, error) {
	v.Set("tool", "footnote")
	if mail := e.c.Contact(); mail != "" {
		v.Set("email", mail)
	}
	if key := e.c.Secret(); key != "" {
		v.Set("api_key", key)
	}
	req, err := web.Get(ctx, e.c.Base+"/entrez/eutils/"+program, v)
	if err != nil {
		return nil, web.EngineError(e.c.Label, err)
	}
	return e.c.Fetch(req, e.c.Label)
}

func (e *Engine) numbers(ctx context.Context, query string, n int) ([]string, error) {
	body, err := e.ask(ctx, "esearch.fcgi", url.Values{"db": {"pubmed"}, "term": {query}, "retmode": {"json"}, "retmax": {strconv.Itoa(n)}, "sort": {"relevance"}})
	if err != nil {
		return nil, err
	}
	f, err := web.Object(body)
	if err == nil && !f.At("esearchresult").Has("idlist") {
		err = web.ErrShape
	}
	if err != nil {
		return nil, web.NotUnderstood(e.c.Label, err)
	}
	ids := f.At("esearchresult").Texts("idlist")
	for _, id := range ids {
		if _, err := strconv.ParseUint(id, 10, 63); err != nil {
			return nil, web.NotUnderstood(e.c.Label, err)
		}
	}
	return ids, nil
}

type articleSet struct {
	XMLName  xml.Name `xml:"PubmedArticleSet"`
	Articles []struct {
		ID       string   `xml:"MedlineCitation>PMID"`
		Title    inner    `xml:"MedlineCitation>Article>ArticleTitle"`
		Abstract []inner  `xml:"MedlineCitation>Article>Abstract>AbstractText"`
		Journal  string   `xml:"MedlineCitation>Article>Journal>Title"`
		Year     string   `xml:"MedlineCitation>Article>Journal>JournalIssue>PubDate>Year"`
		Authors  []author `xml:"MedlineCitation>Article>AuthorList>Author"`
	} `xml:"PubmedArticle"`
}

type inner struct {
	Text string `xml:",innerxml"`
}

type author struct {
	Last string `xml:"LastName"`
	Fore string `xml:"ForeName"`
}

func read(body []byte) ([]web.Hit, error) {
	var set articleSet
	if err := bounded.UnmarshalXML(body, &set); err != nil {
		return nil, err
	}
	var hits []web.Hit
	for i, a := range set.Articles {
		var abstract []string
		for _, part := range a.Abstract {
			abstract = append(abstract, part.Text)
		}
		var authors []string
		for _, w := range a.Authors {
			authors = append(authors, strings.TrimSpace(w.Fore+" "+w.Last))
		}
		if _, err := strconv.ParseUint(a.ID, 10, 63); err != nil {
			continue
		}
		hits = append(hits, web.Hit{
			Title: a.Title.Text, Address: "https://pubmed.ncbi.nlm.nih.gov/" + a.ID + "/", Published: web.ParseDate(a.Year), Score: 1 / float64(i+1),
			Snippet: web.Paper(strings.Join(abstract, " "), authors, a.Journal, a.Year),
		})
	}
	return hits, nil
}
