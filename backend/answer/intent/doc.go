// Package intent tells what a message is before anything is searched: small talk,
// a question about Footnote itself, something to be counted or to be looked up. It
// has the words of English questions that rules read.
package intent
