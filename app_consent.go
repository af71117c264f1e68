package main

import "footnote/backend/server"

// Preview lists the text of files that a model was or would be sent for a run.
func (a *App) Preview(run string) (server.Page[server.SentFile], error) {
	return a.verbs.Preview(a.ctx, run)
}

// Consents lists the providers that may be sent file text.
func (a *App) Consents() (server.Page[string], error) { return a.verbs.Consents(a.ctx) }

// Consent lets a provider be sent file text, or not any more.
func (a *App) Consent(provider string, allowed bool) error {
	return a.verbs.Consent(a.ctx, provider, allowed)
}
