package llm

import (
	"errors"
	"fmt"
	"regexp"
	"time"
)

// ErrDropped is in the chain of a fault when the connection ended before the
// reply did.
var ErrDropped = errors.New("connection lost")

// StatusError is the cause of a fault when a server refused a call: as an HTTP
// status or as an error inside its stream. Text is what the server said, cut
// and without keys.
type StatusError struct {
	Status     int
	RetryAfter time.Duration // 0 when the server named none
	Spent      bool          // the account has no quota left: waiting does not help
	Text       string
}

// Error is for the log.
func (e *StatusError) Error() string { return fmt.Sprintf("status %d: %s", e.Status, e.Text) }

// retryable reports whether the same call may work a little later.
func (e *StatusError) retryable() bool {
	return e.Status == 429 && !e.Spent || e.Status >= 500 && e.Status != 501
}

var noTools = regexp.MustCompile(`(?i)(does not|doesn't|not) support (function|tool)|tools? (is|are) not supported|tools param requires|unsupported.{0,20}\btools\b`)

// RefusesTools reports whether a server refused a call because its model takes
// no tools. The same call without tools may work.
func RefusesTools(err error) bool {
	var status *StatusError
	return errors.As(err, &status) && status.Status >= 400 && noTools.MatchString(status.Text)
}
