package app

import "footnote/backend/server"

// Preview lists the text of files that a model was or would be sent for a run.
func (b *Bindings) Preview(run string) (server.Page[server.SentFile], error) {
	return b.verbs.Preview(b.ctx, run)
}

// Consents lists the providers that may be sent file text.
func (b *Bindings) Consents() (server.Page[string], error) { return b.verbs.Consents(b.ctx) }

// Consent lets a provider be sent file text, or not any more.
func (b *Bindings) Consent(provider string, allowed bool) error {
	return b.verbs.Consent(b.ctx, provider, allowed)
}
