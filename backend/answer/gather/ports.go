package gather

import (
	"context"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
)

// WebQuery is what a search engine is asked.
type WebQuery struct {
	Text     string
	N        int    // leads wanted at most
	Page     int    // of results, from 1; 0 = 1
	Since    string // day, week, month or year; empty = any time
	Category string // general, news, it, science, social media; empty = general
}

// Finder asks one search engine. It returns at most N leads, best first, each
// with title, http(s) address and domain; no leads and no error means the engine
// found nothing, or has no further page. Errors are faults: search-failed,
// search-blocked, search-timeout, offline, local-only. Safe for concurrent use.
type Finder interface {
	Find(ctx context.Context, q WebQuery) ([]evidence.Lead, error)
}

// Reader reads the page of a lead through the guarded client. A page that
// cannot be read is an *UnreadError; its text is never returned. fromCache
// tells whether the network was left alone.
type Reader interface {
	Read(ctx context.Context, lead evidence.Lead) (doc evidence.Document, fromCache bool, err error)
}

// UnreadError says why a page gave no text: timeout, too-large, blocked,
// paywall, captcha, consent, not-text, empty, private-address, robots,
// http-404 …
type UnreadError struct {
	Code   string
	Reason string // for people
	Cause  error
}

func (e *UnreadError) Error() string { return e.Code + ": " + e.Reason }

// Unwrap gives the cause.
func (e *UnreadError) Unwrap() error { return e.Cause }

// Shelf searches the reader's own files. Passages come best first, with words
// and vectors fused; an empty scope means the whole library.
type Shelf interface {
	Search(ctx context.Context, query string, scope contract.Scope, n int) ([]evidence.Found, error)
}

// TextSearch is a Shelf that reads passages which have all of some words, those that
// have them most first, and gives up to n whose text is wanted. It reads so many at
// most as a question can wait for.
type TextSearch interface {
	SearchTexts(ctx context.Context, words string, wanted func(text string) bool, scope contract.Scope, n int) ([]evidence.Found, error)
}

// WebSearch asks the engines that the settings name, beside each other, and
// calls each for every one that ended. It returns when the result set closes:
// all have answered, or the time for late ones is over. names restricts to
// these engines; nil means the settings' order. No usable engine calls each
// once with an empty name and the reason.
type WebSearch interface {
	Search(ctx context.Context, q WebQuery, names []string, each func(EngineResult))
}

// EngineResult is what one engine answered.
type EngineResult struct {
	Engine string
	Leads  []evidence.Lead
	Err    error
	Took   time.Duration
}

// Stocked is a Shelf that can also say how many texts a scope has to search.
type Stocked interface {
	Stock(ctx context.Context, scope contract.Scope) (texts int, err error)
}

// Texts gives what was read from the bytes with a digest: the whole text with
// its places. An unknown digest is fault not-found.
type Texts interface {
	Text(ctx context.Context, digest string) (text string, blocks []evidence.Block, err error)
}
