package wire

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

var (
	keyShaped  = regexp.MustCompile(`\b(sk|pk|rk|gsk|xai|hf|key|nvapi)[-_][\w*.\-]{5,}|\bAIza[\w\-]{10,}|(?i:bearer) +[\w.\-]{5,}`)
	tooLong    = regexp.MustCompile(`(?i)context[_ ](length|window|size)|maximum context|exceeds? the (available )?context|too many (input )?tokens|(prompt|input) is too long|reduce the length of|exceeds? (the )?(maximum number of tokens|context limit)`)
	noCredit   = regexp.MustCompile(`(?i)credit balance is too low|insufficient balance`)
	badKey     = regexp.MustCompile(`(?i)api key (not valid|expired|not found)|invalid (x-)?api[- ]key`)
	windowSize = regexp.MustCompile(`(?i)(?:context length (?:is|of)|context window (?:is|of)|n_ctx\D{0,6}|tokens > |tokens allowed \()\D{0,3}(\d{1,8})`)
)

// Refused is the fault for a refusal. It names provider, cause and next step.
func (s *Server) Refused(model string, e *llm.StatusError) *fault.Fault {
	code, message, hint := s.judge(model, e)
	f := fault.Wrap(e, code, message, hint).With("provider", s.Name).With("status", e.Status)
	if m := windowSize.FindStringSubmatch(e.Text); code == fault.ContextTooLong && m != nil {
		if n, err := strconv.Atoi(m[1]); err == nil {
			f = f.With("window", n)
		}
	}
	if e.RetryAfter > 0 {
		f = f.With("retry_after_s", int(e.RetryAfter.Seconds()))
	}
	return f
}

func (s *Server) judge(model string, e *llm.StatusError) (code fault.Code, message, hint string) {
	switch {
	case e.Status == 413 || e.Status >= 400 && tooLong.MatchString(e.Text):
		return fault.ContextTooLong, fmt.Sprintf("The prompt is too long for %s.", model), "Use fewer or shorter sources, or a model with a larger window."
	case e.Status == 401 || e.Status == 400 && badKey.MatchString(e.Text):
		return fault.ModelAuth, s.Name + " did not accept the key.", "Enter or renew the key for " + s.Name + " in the settings."
	case e.Status == 403:
		return fault.ModelAuth, s.Name + " does not allow this account to use " + model + ".", "Check what the key for " + s.Name + " may do, or choose another model."
	case e.Status == 402 || e.Spent || e.Status == 400 && noCredit.MatchString(e.Text):
		return fault.ModelQuota, "The account at " + s.Name + " has no credit left.", "Add credit at " + s.Name + ", or choose another model."
	case e.Status == 429:
		return fault.ModelQuota, s.Name + " allows no more requests for now" + waitWords(e.RetryAfter) + ".", "Wait and ask again, or choose another model."
	case e.Status == 404:
		return fault.ModelMissing, said(fmt.Sprintf("%s has no model %q", s.Name, model), e.Text), "Choose a model that " + s.Name + " lists, or check its address in the settings."
	case e.Status >= 500:
		return fault.ModelRefused, said(s.Name+" failed", e.Text), "Try again in a moment, or choose another model."
	}
	return fault.ModelRefused, said(s.Name+" refused the request", e.Text), "Choose another model, or check the settings of " + s.Name + "."
}

func said(what, text string) string {
	if text == "" {
		return what + "."
	}
	return what + ": " + strings.TrimRight(text, ".") + "."
}

func waitWords(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < 2*time.Minute:
		return fmt.Sprintf("; it asks to wait %d seconds", int(d.Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("; it asks to wait %d minutes", int(d.Minutes()))
	}
	return fmt.Sprintf("; it asks to wait %d hours", int(d.Hours()))
}

// Dropped is the fault for a connection that ended before the reply did.
func (s *Server) Dropped(err error) *fault.Fault {
	return fault.Wrap(fmt.Errorf("%w: %w", llm.ErrDropped, s.masked(err)), fault.ModelUnreachable,
		"The connection to "+s.Name+" was lost before the answer was complete.", "Ask again; check that "+s.Name+" is still running.")
}

// Nonsense is the fault for an answer that is not of this protocol.
func (s *Server) Nonsense(err error) *fault.Fault {
	return fault.Wrap(s.masked(err), fault.ModelRefused, s.Name+" sent something that is not an answer of a model.",
		"Check that the address of "+s.Name+" in the settings belongs to a model server.")
}

func (s *Server) slow(what string, limit time.Duration) *fault.Fault {
	return fault.New(fault.ModelTimeout, fmt.Sprintf("%s %s: nothing came for %s.", s.Name, what, limit),
		"Ask again, choose a smaller model, or raise the limit in the settings.")
}

func (s *Server) crawls(limit time.Duration) *fault.Fault {
	return fault.New(fault.ModelTimeout, fmt.Sprintf("%s answers too slowly: it fell %s behind a word a second.", s.Name, limit),
		"Choose a smaller model, or ask for a shorter answer.")
}

func (s *Server) unreachable(err error) *fault.Fault {
	return fault.Wrap(s.masked(err), fault.ModelUnreachable, fmt.Sprintf("%s does not answer at %s.", s.Name, s.Origin()),
		"Start "+s.Name+" or correct its address in the settings, or choose another model.")
}

// masked keeps an error's text for the log without anything key-shaped.
func (s *Server) masked(err error) error {
	if text := s.hide(err.Error()); text != err.Error() {
		return errors.New(text)
	}
	return err
}

func (s *Server) hide(text string) string {
	if s.Mask != nil {
		text = s.Mask(text)
	}
	return keyShaped.ReplaceAllString(text, "(hidden)")
}

// isDial reports whether nobody was reached at all.
func isDial(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	var cert *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var record tls.RecordHeaderError
	var address *url.Error
	return errors.As(err, &op) && op.Op == "dial" || errors.As(err, &dns) || errors.As(err, &cert) || errors.As(err, &unknown) ||
		errors.As(err, &record) || errors.As(err, &address) && address.Op == "parse"
}

func (s *Server) statusError(response *http.Response, body []byte) *llm.StatusError {
	e := s.readError(body)
	e.Status = response.StatusCode
	if after := s.retryAfter(response.Header); after > 0 {
		e.RetryAfter = after
	}
	return e
}

// retryAfter reads seconds or a date; what lies in the past is 0.
func (s *Server) retryAfter(h http.Header) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds >= 0 && seconds < 1e8 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(s.Now()))
	}
	return 0
}

// ErrorIn is the fault that an answer or event carries instead of a reply, nil
// when there is none: {"error": "…"} or {"error": {"message": …, "code": …}}.
func (s *Server) ErrorIn(model string, body []byte) error {
	if !bytes.Contains(body, []byte(`"error"`)) {
		return nil
	}
	var outer struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(body, &outer) != nil || isNothing(outer.Error) {
		return nil
	}
	return s.Refused(model, s.readError(body))
}

func isNothing(raw json.RawMessage) bool {
	switch strings.TrimSpace(string(raw)) {
	case "", "null", `""`, "{}", "false":
		return true
	}
	return false
}

// readError understands the error objects in use. Status is a guess from code
// and type, 500 at worst; for an HTTP error the real one replaces it.
func (s *Server) readError(body []byte) *llm.StatusError {
	body = bytes.TrimSpace(body)
	var list []json.RawMessage
	if json.Unmarshal(body, &list) == nil && len(list) > 0 {
		body = list[0]
	}
	var outer struct {
		Error           json.RawMessage
		Message, Detail any
	}
	if json.Unmarshal(body, &outer) != nil {
		return &llm.StatusError{Status: 500, Text: s.clean(string(body))}
	}
	var inner struct {
		Message, Code, Type any
		Details             json.RawMessage
	}
	text := ""
	if json.Unmarshal(outer.Error, &text) != nil && json.Unmarshal(outer.Error, &inner) == nil {
		text = asText(inner.Message)
	}
	for _, other := range []any{outer.Message, outer.Detail} {
		if text == "" {
			text = asText(other)
		}
	}
	words := strings.ToLower(asText(inner.Code) + " " + asText(inner.Type))
	e := &llm.StatusError{Status: guessStatus(words), Text: s.clean(text), Spent: strings.Contains(words, "insufficient_quota")}
	e.RetryAfter = retryDelay(inner.Details)
	if strings.Contains(words, "context_length") && !tooLong.MatchString(e.Text) {
		e.Text = strings.TrimSpace("context_length_exceeded " + e.Text)
	}
	return e
}

// retryDelay finds the wait that Google names inside an error; 0 when there is
// none.
func retryDelay(details json.RawMessage) time.Duration {
	var list []struct {
		RetryDelay string `json:"retryDelay"`
	}
	if json.Unmarshal(details, &list) != nil {
		return 0 // other servers put other things there
	}
	for _, d := range list {
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil && wait > 0 {
			return wait
		}
	}
	return 0
}

func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

func guessStatus(words string) int {
	for field := range strings.FieldsSeq(words) {
		if n, err := strconv.Atoi(field); err == nil && n >= 400 && n < 600 {
			return n
		}
	}
	for _, known := range []struct {
		word   string
		status int
	}{{"rate_limit", 429}, {"quota", 429}, {"overloaded", 529}, {"billing", 402}, {"too_large", 413}, {"authentication", 401}, {"permission", 403}, {"not_found", 404}, {"context_length", 400}, {"invalid_request", 400}} {
		if strings.Contains(words, known.word) {
			return known.status
		}
	}
	return 500
}

// clean is what of a server's words may be shown: one line, no markup, nothing
// key-shaped, at most 200 characters.
func (s *Server) clean(text string) string {
	if strings.HasPrefix(strings.TrimSpace(text), "<") {
		return ""
	}
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, strings.ToValidUTF8(text, ""))
	runes := []rune(s.hide(strings.Join(strings.Fields(text), " ")))
	if len(runes) > 200 {
		runes = append(runes[:200], '…')
	}
	return string(runes)
}
