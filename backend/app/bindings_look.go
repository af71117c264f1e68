package app

import "footnote/backend/server"

// Images finds pictures on the web.
func (b *Bindings) Images(query string) (server.Page[server.ThingView], error) {
	return b.verbs.Images(b.ctx, server.LookRequest{Query: query})
}

// Videos finds videos.
func (b *Bindings) Videos(query string) (server.Page[server.ThingView], error) {
	return b.verbs.Videos(b.ctx, server.LookRequest{Query: query})
}

// Suggestions completes a question that is being typed.
func (b *Bindings) Suggestions(query string) (server.Page[string], error) {
	return b.verbs.Suggestions(b.ctx, server.LookRequest{Query: query})
}

// Discover finds what was published of late, about a topic or anything.
func (b *Bindings) Discover(topic string) (server.Page[server.ThingView], error) {
	return b.verbs.Discover(b.ctx, server.DiscoverRequest{Topic: topic})
}

// Warm opens connections while a question to a model is typed.
func (b *Bindings) Warm(model string) error {
	return b.verbs.Warm(b.ctx, server.WarmRequest{Model: model})
}
