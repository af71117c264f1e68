package main

import "footnote/backend/app"

// App is what the window's page may call. The runtime names what is bound by its
// package and type, and so the page finds it as window.go.main.App.
type App struct{ *app.Bindings }

func bind(b *app.Bindings) any { return &App{b} }

// Box is what the page of the box may call: window.go.main.Box.
type Box struct{ *app.BoxBindings }

func bindBox(b *app.BoxBindings) any { return &Box{b} }
