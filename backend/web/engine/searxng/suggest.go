package searxng

import (
	"context"
	"net/url"
	"strings"

	"footnote/backend/bounded"
	"footnote/backend/fault"
	"footnote/backend/web"
)

const (
	mostSuggestions = 10
	suggestionRunes = 200
)

var _ web.Suggester = (*Engine)(nil)

// Suggest asks the instance how what was typed may go on. Errors are those of
// Find; an instance without a completer suggests nothing.
func (e *Engine) Suggest(ctx context.Context, typed string) ([]string, error) {
	base, err := e.base()
	if err != nil {
		return nil, err
	}
	u := base.JoinPath("autocompleter")
	u.RawQuery = url.Values{"q": {typed}}.Encode()
	req, err := web.Get(ctx, u.String(), nil, "X-Requested-With", "XMLHttpRequest")
	if err != nil {
		return nil, web.EngineError(e.c.Label, err)
	}
	body, err := e.c.Fetch(req, e.c.Label)
	if err != nil {
		return nil, err
	}
	return parseSuggestions(body)
}

// parseSuggestions reads both forms in which instances answer: a list of texts,
// and the typed text with a list of texts.
func parseSuggestions(body []byte) ([]string, error) {
	var items []any
	if err := bounded.Unmarshal(body, bounded.Usual, &items); err != nil {
		return nil, fault.Wrap(err, fault.SearchFailed, "The answer of SearXNG could not be understood.", "Check that the address is SearXNG's.")
	}
	for _, item := range items[:min(len(items), 2)] {
		if list, ok := item.([]any); ok {
			items = list
			break
		}
	}
	found := []string{}
	for _, item := range items {
		text, ok := item.(string)
		if text = strings.TrimSpace(web.PlainText(text, suggestionRunes)); ok && text != "" && len(found) < mostSuggestions {
			found = append(found, text)
		}
	}
	return found, nil
}
