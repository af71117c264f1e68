// Package answer is the one engine that turns a question into an answer whose
// every citation is checked.
//
// The path: plan → gather → select → compose → check → finish. Speed, balanced,
// agent and deep are longer or shorter plans of this path, not other pipelines.
// Every fact about a run is an Event, journaled first and then published; a
// reader follows a run by number and may leave and come back.
//
// The package declares what it needs (ports.go, gather/ports.go) and knows no database, no
// vendor and no screen.
package answer
