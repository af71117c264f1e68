// Package wolfram asks Wolfram Alpha to compute, with the reader's key.
package wolfram

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"footnote/backend/answer"
	"footnote/backend/fault"
	"footnote/backend/web"
)

const (
	mostChars = "2000"
	mostRunes = 400
)

// Engine implements answer.Computer.
type Engine struct {
	c    web.Access
	form func() string
}

var _ answer.Computer = (*Engine)(nil)

// New makes the engine. form gives web.compute.wolfram as it is now: which of
// the service's forms is asked, llm-api, result or query; none switches it off.
func New(c web.Access, form func() string) *Engine { return &Engine{c, form} }

// Ready reports whether there is a key and a form.
func (e *Engine) Ready() bool { return e.c.Secret() != "" && e.form() != "none" }

// Compute gives what the service says to a question, and the page that shows it.
// A question it does not understand is not-found; other errors are those of a
// search engine.
func (e *Engine) Compute(ctx context.Context, question string) (answer.Computation, error) {
	question, err := web.Query(question, mostRunes)
	if err != nil {
		return answer.Computation{}, err
	}
	path, v := "/api/v1/llm-api", url.Values{"appid": {e.c.Secret()}, "input": {question}, "maxchars": {mostChars}}
	switch e.form() {
	case "result":
		path, v = "/api/v1/result", url.Values{"appid": {e.c.Secret()}, "i": {question}}
	case "query":
		path, v = "/api/v2/query", url.Values{"appid": {e.c.Secret()}, "input": {question}, "output": {"json"}, "format": {"plaintext"}}
	}
	req, err := web.Get(ctx, e.c.Base+path, v)
	if err != nil {
		return answer.Computation{}, web.EngineError(e.c.Label, err)
	}
	text, err := e.read(req)
	if err != nil {
		return answer.Computation{}, err
	}
	return answer.Computation{By: e.c.Label, Text: text, Address: "https://www.wolframalpha.com/input?" + url.Values{"i": {question}}.Encode()}, nil
}

func (e *Engine) read(req *http.Request) (string, error) {
	resp, err := e.c.Client.Do(req)
	if err != nil {
		return "", web.EngineError(e.c.Label, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusNotImplemented {
		return "", e.notUnderstood()
	}
	if err := web.EngineStatus(e.c.Label, resp, e.c.Now()); err != nil {
		return "", err
	}
	body, err := web.EngineBody(resp)
	if err != nil {
		return "", web.EngineError(e.c.Label, err)
	}
	if e.form() != "query" {
		return e.said(string(body))
	}
	f, err := web.Object(body)
	if err != nil {
		return "", web.NotUnderstood(e.c.Label, err)
	}
	var lines []string
	for _, pod := range f.At("queryresult").List("pods") {
		for _, sub := range pod.List("subpods") {
			if text := strings.TrimSpace(sub.Text("plaintext")); text != "" {
				lines = append(lines, pod.Text("title")+": "+text)
			}
		}
	}
	return e.said(strings.Join(lines, "\n"))
}

// said is the text without the lines that speak of the service itself.
func (e *Engine) said(text string) (string, error) {
	var lines []string
	for line := range strings.Lines(text) {
		if strings.Contains(line, "wolframalpha.com/") || strings.HasPrefix(strings.ToLower(strings.TrimSpace(line)), "image:") {
			continue
		}
		if text := web.PlainText(line, 500); text != "" { // of a line of tags nothing is left
			lines = append(lines, text)
		}
	}
	if len(lines) == 0 {
		return "", e.notUnderstood()
	}
	return strings.Join(lines, "\n"), nil
}

func (e *Engine) notUnderstood() error {
	return fault.New(fault.NotFound, e.c.Label+" does not understand this question.", "Put it another way, or ask it with another focus.")
}
