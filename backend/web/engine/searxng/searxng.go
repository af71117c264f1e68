// Package searxng asks a SearXNG instance that the user runs or trusts.
package searxng

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"footnote/backend/answer/gather"
	"footnote/backend/bounded"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/web"
)

// Engine is one instance. It implements answer.Finder.
type Engine struct{ c web.Access }

var _ gather.Finder = (*Engine)(nil)

// New makes the engine of an instance, whose base may have a path. The client of
// its access is a web.NewEndpointClient of the same origin.
func New(c web.Access) *Engine { return &Engine{c} }

const mostResults = 200 // of an answer that are looked at

// timeRanges are those that every engine behind an instance knows: a week is
// asked for as a month.
var timeRanges = map[string]string{"day": "day", "week": "month", "month": "month", "year": "year"}

const jsonOff = "This SearXNG has its JSON format switched off."

// JSONHint is the line to add to an instance's settings.
const JSONHint = "Add to its settings.yml under \"search:\" the line \"formats: [html, json]\", and restart it."

// Find asks the instance. Errors are faults: search-failed, search-blocked,
// search-timeout, offline, local-only.
func (e *Engine) Find(ctx context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	text, err := web.Query(q.Text, 0)
	q.Text = text
	if err != nil {
		return nil, err
	}
	answer, err := e.ask(ctx, q)
	if err != nil {
		return nil, web.EngineError(e.c.Label, err)
	}
	leads := e.c.Guard.Leads(e.c.Name, answer.hits(), q.N)
	if len(leads) == 0 && len(answer.Results) == 0 && len(answer.Unresponsive) > 0 {
		return nil, refusedBehind(answer.unresponsive())
	}
	return leads, nil
}

// Doctor asks for a harmless word and says what is wrong with the instance; nil
// means that it serves. The faults are those of Find.
func (e *Engine) Doctor(ctx context.Context) error {
	leads, err := e.Find(ctx, gather.WebQuery{Text: "wikipedia", N: 5})
	if err == nil && len(leads) == 0 {
		return fault.New(fault.SearchFailed, "SearXNG answers, but found nothing for a common word.", "Check which engines are switched on in it.")
	}
	return err
}

func (e *Engine) base() (*url.URL, error) {
	base, err := url.Parse(strings.TrimRight(strings.TrimSpace(e.c.Base), "/"))
	if err != nil || base.Host == "" {
		return nil, fault.New(fault.InvalidSetting, "The address of SearXNG cannot be understood.", "Write it like http://127.0.0.1:8888.")
	}
	return base, nil
}

func (e *Engine) address(q gather.WebQuery) (string, error) {
	base, err := e.base()
	if err != nil {
		return "", err
	}
	u := base.JoinPath("search")
	v := url.Values{"q": {q.Text}, "format": {"json"}, "pageno": {strconv.Itoa(max(1, q.Page))}}
	if since := timeRanges[q.Since]; since != "" {
		v.Set("time_range", since)
	}
	if q.Category != "" {
		v.Set("categories", q.Category)
	}
	u.RawQuery = v.Encode()
	return u.String(), nil
}

func (e *Engine) ask(ctx context.Context, q gather.WebQuery) (response, error) {
	address, err := e.address(q)
	if err != nil {
		return response{}, err
	}
	req, err := web.Get(ctx, address, nil)
	if err != nil {
		return response{}, err
	}
	resp, err := e.c.Client.Do(req)
	if err != nil {
		return response{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusForbidden {
		return response{}, fault.New(fault.SearchFailed, jsonOff, JSONHint)
	}
	if err := web.EngineStatus(e.c.Label, resp, e.c.Now()); err != nil {
		return response{}, err
	}
	body, err := web.EngineBody(resp)
	if err != nil {
		return response{}, err
	}
	return parse(body)
}

// response is the part of an answer that is used. Engines behind an instance put
// anything into results: fields are looked at one by one, and what is no object is
// nil.
type response struct {
	Results      []web.Fields      `json:"results"`
	Unresponsive []json.RawMessage `json:"unresponsive_engines"`
}

func parse(body []byte) (response, error) {
	var r response
	if strings.HasPrefix(strings.TrimSpace(string(body[:min(len(body), 200)])), "<") {
		return r, fault.New(fault.SearchFailed, "This address answers with a web page instead of SearXNG's data.",
			"Check the address; the JSON format must be switched on: "+JSONHint)
	}
	if err := bounded.Unmarshal(body, bounded.Usual, &r); err != nil {
		var kind *json.UnmarshalTypeError
		if errors.As(err, &kind) && len(r.Results) > 0 {
			return r, nil
		}
		return r, fault.Wrap(err, fault.SearchFailed, "The answer of SearXNG could not be understood.", "Check that the address is SearXNG's.")
	}
	return r, nil
}

func (r response) hits() []web.Hit {
	results := r.Results[:min(len(r.Results), mostResults)]
	hits := make([]web.Hit, 0, len(results))
	for _, r := range results {
		if r != nil { // else it was no object
			hits = append(hits, hit(r))
		}
	}
	return hits
}

func hit(r web.Fields) web.Hit {
	h := web.Hit{
		Title: r.Text("title"), Address: r.Text("url"), Snippet: r.Text("content"), Published: r.Time("publishedDate", "pubdate"),
		Score: r.Number("score"), Image: r.Text("thumbnail", "thumbnail_src", "img_src"),
	}
	if r["title"] == nil { // an engine behind the instance lost it: the address is known and can be read
		h.Title = strings.TrimPrefix(strings.TrimPrefix(h.Address, "https://"), "http://")
	}
	return h
}

// unresponsive lists the engines behind the instance with their reasons.
func (r response) unresponsive() []string {
	var names []string
	for _, raw := range r.Unresponsive {
		var pair []any
		if json.Unmarshal(raw, &pair) != nil || len(pair) == 0 {
			continue
		}
		name, _ := pair[0].(string)
		if len(pair) > 1 {
			if why, ok := pair[1].(string); ok {
				name += " (" + why + ")"
			}
		}
		if name = web.PlainText(name, 80); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names[:min(len(names), 6)]
}

func refusedBehind(names []string) error {
	who := "its engines"
	if len(names) > 0 {
		who = strings.Join(names, ", ")
	}
	return fault.New(fault.SearchBlocked, "The search was blocked by the engines behind this SearXNG: "+who+".",
		"Wait, or switch on other engines in SearXNG.")
}
