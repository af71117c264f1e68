package main

import "footnote/backend/server"

// Images finds pictures on the web.
func (a *App) Images(query string) (server.Page[server.ThingView], error) {
	return a.verbs.Images(a.ctx, server.LookRequest{Query: query})
}

// Videos finds videos.
func (a *App) Videos(query string) (server.Page[server.ThingView], error) {
	return a.verbs.Videos(a.ctx, server.LookRequest{Query: query})
}

// Suggestions completes a question that is being typed.
func (a *App) Suggestions(query string) (server.Page[string], error) {
	return a.verbs.Suggestions(a.ctx, server.LookRequest{Query: query})
}

// Discover finds what was published of late, about a topic or anything.
func (a *App) Discover(topic string) (server.Page[server.ThingView], error) {
	return a.verbs.Discover(a.ctx, server.DiscoverRequest{Topic: topic})
}

// Warm opens connections while a question to a model is typed.
func (a *App) Warm(model string) error {
	return a.verbs.Warm(a.ctx, server.WarmRequest{Model: model})
}
