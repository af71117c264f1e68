package web

import (
	"context"
	"errors"
	"io"
	"net"
	"net/url"
	"os"
	"syscall"

	"footnote/backend/answer/gather"
	"footnote/backend/fault"
)

// networkAway reports errors of the way, not of the other side.
func networkAway(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) || errors.Is(err, syscall.ENETUNREACH) || errors.Is(err, syscall.EHOSTUNREACH) || errors.Is(err, syscall.ENETDOWN)
}

func timedOut(err error) bool {
	var t interface{ Timeout() bool }
	return errors.Is(err, errIdle) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) ||
		(errors.As(err, &t) && t.Timeout())
}

// unread says in a reader's words why a request gave no page. A cancelled
// context stays what it is.
func unread(err error) error {
	var already *gather.UnreadError
	var f *fault.Fault
	var parse *url.Error
	switch {
	case errors.As(err, &already):
		return already
	case errors.Is(err, context.Canceled):
		return err
	case errors.As(err, &f):
		return refuse(string(f.Code), f.Message, f)
	case networkAway(err) && !timedOutLookup(err):
		return refuse("unreachable", "The site's name could not be looked up or no way leads there.", err)
	case timedOut(err):
		return refuse("timeout", "The page did not arrive in time.", err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.ECONNREFUSED):
		return refuse("connection", "The site ended the connection.", err)
	case errors.As(err, &parse):
		return refuse("bad-response", "The site did not answer as a web server does.", err)
	}
	return refuse("bad-response", "The answer of the site could not be read.", err)
}

func timedOutLookup(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsTimeout
}
