package format

import "fmt"

// Codes of Error.
const (
	Encrypted   = "encrypted"   // a password is needed
	Malformed   = "malformed"   // damaged, or not what its name says
	TooLarge    = "too-large"   // over one of Limits
	Timeout     = "timeout"     // over Limits.Time
	Memory      = "memory"      // the child reached Limits.Memory
	Crashed     = "crashed"     // the child ended for another reason
	NotStarted  = "not-started" // there was no child to read with: the file is not to blame
	Unsupported = "unsupported" // a format that is not read
	Empty       = "empty"       // no text inside: blank, or pictures of pages
	Unreadable  = "unreadable"  // missing, forbidden, or no regular file
)

// Error says why a file gave no text. Code is one of the constants of this
// package, Reason a sentence for people; the cause is for the log.
type Error struct {
	Code   string
	Reason string
	cause  error
}

// Fail makes an Error; cause may be nil.
func Fail(code, reason string, cause error) *Error {
	return &Error{Code: code, Reason: reason, cause: cause}
}

// Error gives code, reason and cause, for the log.
func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Reason, e.cause)
	}
	return e.Code + ": " + e.Reason
}

// Unwrap gives the cause.
func (e *Error) Unwrap() error { return e.cause }
