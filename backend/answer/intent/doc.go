// Package intent tells what a message is before anything is searched: small talk,
// a question about Footnote itself, or something to be looked up.
package intent
