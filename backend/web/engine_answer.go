package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"

	"footnote/backend/fault"
)

// Block is the hidden cause of a fault by which an engine refused to search. The
// breaker reads it.
type Block struct {
	Why        string        // BlockForbidden, BlockTooMany, BlockCaptcha, BlockAuth, BlockCredit
	RetryAfter time.Duration // what the engine asked for; 0 when it did not say
}

// Kinds of refusal.
const (
	BlockForbidden = "forbidden"
	BlockTooMany   = "too-many"
	BlockCaptcha   = "captcha"
	BlockAuth      = "auth"
	BlockCredit    = "credit"
)

// Error names the refusal for the log.
func (b *Block) Error() string { return "engine refused: " + b.Why }

// Blocked makes the fault of a refusal in the words a reader sees.
func Blocked(engine string, b *Block, now time.Time) *fault.Fault {
	switch b.Why {
	case BlockTooMany:
		message := engine + " is rate-limited."
		if b.RetryAfter > 0 {
			message = engine + " is rate-limited until " + now.Add(b.RetryAfter).Format("15:04") + "."
		}
		return fault.Wrap(b, fault.SearchBlocked, message, "Wait, or use another search engine.")
	case BlockAuth:
		return fault.Wrap(b, fault.SearchBlocked, "The key for "+engine+" was refused.", "Enter a valid key in the settings.")
	case BlockCaptcha:
		return fault.Wrap(b, fault.SearchBlocked, "The search was blocked by "+engine+": it asks whether a person is there.", "Use another search engine for a while.")
	}
	return fault.Wrap(b, fault.SearchBlocked, "The search was blocked by "+engine+".", "Wait a few minutes, or use another search engine.")
}

// EngineError turns a failed request to an engine into a fault: offline,
// search-timeout, local-only or search-failed. A cancelled context stays what it
// is.
func EngineError(engine string, err error) error {
	var f *fault.Fault
	switch {
	case err == nil:
		return nil
	case errors.As(err, &f):
		return f
	case errors.Is(err, context.Canceled):
		return context.Canceled
	case Unreachable(err):
		return fault.Wrap(err, fault.Offline, engine+" could not be reached: the network does not know the way.", "Check the network connection, or its address in the settings.")
	case errors.Is(err, syscall.ECONNREFUSED):
		return fault.Wrap(&passing{err}, fault.SearchFailed, engine+" is not running at its address.", "Start it, correct its address in the settings, or use another search engine.")
	case timedOut(err):
		return fault.Wrap(err, fault.SearchTimeout, engine+" did not answer in time.", "Try again, or use another search engine.")
	}
	return fault.Wrap(&passing{err}, fault.SearchFailed, engine+" did not answer.", "Check its address, or use another search engine.")
}

// passing marks a failure that may be gone at the next try.
type passing struct{ error }

func (p *passing) Unwrap() error { return p.error }

// EngineStatus turns a status other than 200 into a fault; nil means success.
func EngineStatus(engine string, resp *http.Response, now time.Time) error {
	var b Block
	switch resp.StatusCode {
	case http.StatusOK:
		return nil
	case http.StatusForbidden:
		b.Why = BlockForbidden
	case http.StatusTooManyRequests:
		b.Why, b.RetryAfter = BlockTooMany, RetryAfter(resp.Header.Get("Retry-After"), now)
	case http.StatusUnauthorized:
		b.Why = BlockAuth
	case http.StatusPaymentRequired:
		return fault.Wrap(&Block{Why: BlockCredit}, fault.SearchBlocked, "The key for "+engine+" has no credit left.", "Add credit at the company, or use another search engine.")
	default:
		return fault.Wrap(statusCause(resp), fault.SearchFailed, engine+" answered with an error (status "+strconv.Itoa(resp.StatusCode)+").", "Try again later, or use another search engine.")
	}
	return Blocked(engine, &b, now)
}

func statusCause(resp *http.Response) error {
	err := errors.New("status " + resp.Status)
	if resp.StatusCode >= 500 {
		return &passing{err}
	}
	return err
}

// RetryAfter reads the header of that name, seconds or a date; 0 when it says
// nothing usable.
func RetryAfter(value string, now time.Time) time.Duration {
	value = strings.TrimSpace(value)
	if s, err := strconv.Atoi(value); err == nil && s > 0 {
		return time.Duration(min(s, 86400)) * time.Second
	}
	if t, err := http.ParseTime(value); err == nil && t.After(now) {
		return min(t.Sub(now), 24*time.Hour)
	}
	return 0
}

const engineBytes = 5 << 20

// EngineBody reads the answer of an engine, at most 5 MB. A larger one is an
// error.
func EngineBody(resp *http.Response) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(resp.Body, engineBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read search results: %w", err)
	}
	if len(body) > engineBytes {
		return nil, fmt.Errorf("read search results: %w", ErrCut)
	}
	return body, nil
}
