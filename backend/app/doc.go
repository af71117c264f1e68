// Package app is the composition: it builds each room from the settings and
// joins them to a mouth.
//
// program.go is what the root starts, house.go builds the rooms, serve.go answers
// over HTTP, window.go opens the window (built with the desktop tag) and bindings*.go
// are what its page may call. providers.go and engines.go are the tables of what
// is asked.
package app
