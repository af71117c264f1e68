package web

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"time"

	"footnote/backend/answer/gather"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/registry"
)

// Access is what an engine needs to be asked. Name, Label and Base, an address,
// are those of its entry in the registry, Base unless the reader has set another;
// Key gives the key as it is now, empty without one; Mail is the contact that
// polite pools ask for.
type Access struct {
	Name   string
	Label  string // for people
	Base   string
	Client *http.Client
	Guard  *Guard
	Now    func() time.Time
	Key    func() string
	Mail   func() string
}

// Of is the access to an engine of the registry at its own address.
func (a Access) Of(e registry.Engine) Access {
	a.Name, a.Label, a.Base = e.Name, e.Label, e.Base
	return a
}

// Secret is the key, or empty.
func (a Access) Secret() string {
	if a.Key == nil {
		return ""
	}
	return a.Key()
}

// Contact is the mail address, or empty.
func (a Access) Contact() string {
	if a.Mail == nil {
		return ""
	}
	return a.Mail()
}

// Adapter is an engine told by how it is asked and how its answer is read. It
// implements answer.Finder; everything that engines have in common is here.
type Adapter struct {
	Access
	Kind       evidence.Kind // of what it finds; Web when empty
	QueryRunes int           // the engine's own limit; 0 = QueryRunes
	Pages      bool          // gives further pages
	Ask        func(ctx context.Context, q gather.WebQuery) (*http.Request, error)
	Read       func(body []byte) ([]Hit, error) // a fault is passed on, a Block told, any other error means "not understood"
}

var _ gather.Finder = Adapter{}

const mostLeads = 50 // of one page

// Find asks the engine. Errors are faults: search-failed, search-blocked,
// search-timeout, offline, local-only.
func (a Adapter) Find(ctx context.Context, q gather.WebQuery) ([]evidence.Lead, error) {
	text, err := Query(q.Text, a.QueryRunes)
	if err != nil || q.Page > 1 && !a.Pages {
		return nil, err
	}
	q.Text, q.N, q.Page = text, max(1, min(q.N, mostLeads)), max(1, q.Page)
	req, err := a.Ask(ctx, q)
	if err != nil {
		return nil, EngineError(a.Label, err)
	}
	body, err := a.Access.Fetch(req, a.Label)
	if err != nil {
		return nil, err
	}
	hits, err := a.Read(body)
	if refused, ok := err.(*Block); ok {
		return nil, Blocked(a.Label, refused, a.Now())
	}
	if err != nil {
		return nil, NotUnderstood(a.Label, err)
	}
	return OfKind(a.Kind, a.Guard.Leads(a.Name, hits, q.N)), nil
}

// Fetch sends a request to an engine and gives the body of a good answer.
// Errors are faults, but for a cancelled context.
func (a Access) Fetch(req *http.Request, label string) ([]byte, error) {
	resp, err := a.Client.Do(req)
	if err != nil {
		return nil, EngineError(label, err)
	}
	defer resp.Body.Close()
	if err := EngineStatus(label, resp, a.Now()); err != nil {
		return nil, err
	}
	body, err := EngineBody(resp)
	if err != nil {
		return nil, EngineError(label, err)
	}
	return body, nil
}

// NotUnderstood is the fault of an answer that is not what the engine sends; a
// fault stays what it is.
func NotUnderstood(label string, err error) error {
	if f, ok := err.(*fault.Fault); ok {
		return f
	}
	return fault.Wrap(err, fault.SearchFailed, "The answer of "+label+" could not be understood.", "Try again later, or use another search engine.")
}

// Get makes a request for JSON with a query. Headers are names and values in
// turn; an empty value sets none.
func Get(ctx context.Context, address string, v url.Values, headers ...string) (*http.Request, error) {
	if len(v) > 0 {
		address += "?" + v.Encode()
	}
	return request(ctx, http.MethodGet, address, nil, headers)
}

// Post makes a request with a JSON body; headers are as in Get.
func Post(ctx context.Context, address string, body any, headers ...string) (*http.Request, error) {
	data, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return request(ctx, http.MethodPost, address, bytes.NewReader(data), append([]string{"Content-Type", "application/json"}, headers...))
}

func request(ctx context.Context, method, address string, body io.Reader, headers []string) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		if headers[i+1] != "" {
			req.Header.Set(headers[i], headers[i+1])
		}
	}
	return req, nil
}
