// Package fault holds errors a person can act on: a stable code, a message, a
// hint that names the next step, and the hidden cause for the log.
//
// A Fault crosses every room unchanged; server turns codes into HTTP statuses
// and main turns them into exit codes, each in one table.
package fault

import (
	"context"
	"errors"
	"fmt"
)

// Code is the stable name of a kind of failure, as listed in the API (§2).
type Code string

// Codes that cross rooms. A room may not invent others: clients switch on them.
const (
	InvalidRequest   Code = "invalid-request"
	InvalidJSON      Code = "invalid-json"
	QuestionEmpty    Code = "question-empty"
	QuestionTooLong  Code = "question-too-long"
	InvalidFocus     Code = "invalid-focus-mode"
	InvalidMode      Code = "invalid-mode"
	InvalidModel     Code = "invalid-model"
	InvalidSetting   Code = "invalid-setting"
	MissingID        Code = "missing-id"
	NotRunning       Code = "not-running"
	Unauthorized     Code = "unauthorized"
	ForbiddenHost    Code = "forbidden-host"
	ForbiddenOrigin  Code = "forbidden-origin"
	OriginNotAllowed Code = "origin-not-allowed"
	LocalOnly        Code = "local-only"
	PathNotAllowed   Code = "path-not-allowed"
	NotFound         Code = "not-found"
	MethodNotAllowed Code = "method-not-allowed"
	NotAcceptable    Code = "not-acceptable"
	RequestTimeout   Code = "request-timeout"
	AlreadyEnded     Code = "already-ended"
	NotWaiting       Code = "not-waiting"
	ConfirmNeeded    Code = "confirm-needed"
	DataInUse        Code = "data-in-use"
	TooLarge         Code = "too-large"
	UnsupportedMedia Code = "unsupported-media-type"
	RateLimited      Code = "rate-limited"
	Internal         Code = "internal"
	SearchFailed     Code = "search-failed"
	SearchBlocked    Code = "search-blocked"
	ModelRefused     Code = "model-refused"
	ModelAuth        Code = "model-auth"
	ModelQuota       Code = "model-quota"
	ContextTooLong   Code = "context-too-long"
	Busy             Code = "busy"
	ModelMissing     Code = "model-missing"
	ModelUnreachable Code = "model-unreachable"
	Offline          Code = "offline"
	DiskFull         Code = "disk-full"
	IndexRebuilding  Code = "index-rebuilding"
	SearchTimeout    Code = "search-timeout"
	ModelTimeout     Code = "model-timeout"
	BudgetExceeded   Code = "budget-exceeded"
	Interrupted      Code = "interrupted"
	DataDamaged      Code = "data-damaged"
	DataLocked       Code = "data-locked"
)

// Fault is an error with a code, a message and a hint for people. The cause is
// for the log only and is never shown or sent.
type Fault struct {
	Code    Code
	Message string
	Hint    string
	Details map[string]any
	cause   error
}

// New makes a fault without a cause.
func New(code Code, message, hint string) *Fault {
	return &Fault{Code: code, Message: message, Hint: hint}
}

// Wrap makes a fault whose cause is err. A nil err gives a fault without cause.
func Wrap(err error, code Code, message, hint string) *Fault {
	return &Fault{Code: code, Message: message, Hint: hint, cause: err}
}

// With returns a copy that carries one more detail.
func (f *Fault) With(key string, value any) *Fault {
	g := *f
	g.Details = make(map[string]any, len(f.Details)+1)
	for k, v := range f.Details {
		g.Details[k] = v
	}
	g.Details[key] = value
	return &g
}

// Error is for the log: code, message and cause.
func (f *Fault) Error() string {
	if f.cause != nil {
		return fmt.Sprintf("%s: %s: %v", f.Code, f.Message, f.cause)
	}
	return fmt.Sprintf("%s: %s", f.Code, f.Message)
}

// Unwrap gives the hidden cause.
func (f *Fault) Unwrap() error { return f.cause }

// Of finds the fault in an error chain. An error without one becomes Internal,
// with a message that shows nothing of the cause; nil gives nil. A cancelled
// context is not a fault of ours: ask errors.Is(err, context.Canceled) first.
func Of(err error) *Fault {
	if err == nil {
		return nil
	}
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	if errors.Is(err, context.DeadlineExceeded) {
		return Wrap(err, RequestTimeout, "That took longer than its time limit.", "Try again.")
	}
	return Wrap(err, Internal, "Footnote could not finish this because of an internal error.", "Try again; the log has the details.")
}

// CodeOf is the code of the fault in err, Internal when there is none, and
// empty for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return Of(err).Code
}
