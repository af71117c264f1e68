package extract

import "footnote/backend/extract/format"

// The words that the rooms below share, as other rooms know them.
type (
	Error  = format.Error
	Limits = format.Limits
)

// Codes of Error.
const (
	Encrypted   = format.Encrypted
	Malformed   = format.Malformed
	TooLarge    = format.TooLarge
	Timeout     = format.Timeout
	Memory      = format.Memory
	Crashed     = format.Crashed
	NotStarted  = format.NotStarted
	Unsupported = format.Unsupported
	Empty       = format.Empty
	Unreadable  = format.Unreadable
)

// RecognitionTime is the Limits.OCR that the product ships with, where the reader
// has not switched recognition off.
const RecognitionTime = format.RecognitionTime

// DefaultLimits are the limits the product ships with, without recognition.
func DefaultLimits() Limits { return format.DefaultLimits() }

func fail(code, reason string, cause error) *Error { return format.Fail(code, reason, cause) }

func tooLarge(size, limit int64) *Error { return format.TooLargeFile(size, limit) }

func timeoutError(lim Limits) *Error { return format.TimedOut(lim) }
