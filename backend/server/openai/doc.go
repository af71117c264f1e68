// Package openai is how OpenAI's clients ask: their requests put into Footnote's words, and answers put into theirs.
//
//	chat.go          a chat: what is asked, and what is refused rather than ignored
//	responses.go     the same of the newer Responses API
//	content.go       text, or parts of text          long.go    a message too long to be a question
//	limits.go        max_tokens and stop             thread.go  which conversation a request goes on in
//	chores.go        titles, tags and the like, which clients ask for beside the conversation
//	shape.go         answers of a JSON schema        reply.go, events.go  answers, whole and in pieces
//
// It knows no HTTP: the server asks the engine with what is made here.
package openai
