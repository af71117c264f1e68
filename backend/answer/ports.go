package answer

import (
	"context"

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

// Records keeps threads and runs. Begin creates the thread when it is new.
// CloseOpen marks runs that were left running as failed with interrupted,
// appends the missing last event to each and returns how many there were.
type Records interface {
	Begin(ctx context.Context, run contract.Run, title string) error
	End(ctx context.Context, run contract.Run) error
	History(ctx context.Context, thread contract.ThreadID, before contract.RunID, n int) ([]contract.Turn, error)
	CloseOpen(ctx context.Context) (int, error)
}

// Archive keeps what was read, under its digest, so that a citation can always
// be shown. Keep stores all or nothing and is idempotent.
type Archive interface {
	Keep(ctx context.Context, texts ...Kept) error
}

// Kept is a text that was read, with the passages of it that may be cited.
type Kept struct {
	evidence.Document
	Passages []evidence.Passage
}

// Texts gives what was read from the bytes with a digest: the whole text with
// its places. An unknown digest is fault not-found.
type Texts interface {
	Text(ctx context.Context, digest string) (text string, blocks []evidence.Block, err error)
}
