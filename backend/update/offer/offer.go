// Package offer holds the signed text that tells of a new version: who may write
// it, and how it is read.
package offer

import (
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"

	"footnote/backend/fault"
	"footnote/backend/minisign"
)

// Comment is what the signature of an offer says that it is of, so that nothing
// else that the key has signed passes for one.
const Comment = "file:update.json"

// Offer is a version that was published.
type Offer struct {
	Version string `json:"version"` // three numbers with dots
	Date    string `json:"date"`    // year-month-day
	Page    string `json:"page"`    // where it is described and downloaded: https
}

// envelope is the file as it is served: an offer as text, and its signature in the
// form of minisign.
type envelope struct {
	Offer     string `json:"offer"`
	Signature string `json:"signature"`
}

// Seal signs an offer.
func Seal(o Offer, key minisign.Secret) ([]byte, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(envelope{string(text), string(key.Sign(text, Comment))}, "", "  ")
}

// Open reads a signed offer. What the key did not sign, or what is no offer, is
// the fault not-acceptable.
func Open(body []byte, key minisign.Public) (Offer, error) {
	var e envelope
	if err := json.Unmarshal(body, &e); err != nil {
		return Offer{}, refused(fmt.Errorf("read what was published: %w", err))
	}
	comment, err := key.Verify([]byte(e.Offer), []byte(e.Signature))
	if err != nil {
		return Offer{}, refused(err)
	}
	if comment != Comment {
		return Offer{}, refused(fmt.Errorf("the signature is of %q", comment))
	}
	var o Offer
	if err := json.Unmarshal([]byte(e.Offer), &o); err != nil {
		return Offer{}, refused(fmt.Errorf("read the offer: %w", err))
	}
	if err := o.check(); err != nil {
		return Offer{}, refused(err)
	}
	return o, nil
}

func refused(err error) error {
	return fault.Wrap(err, fault.NotAcceptable, "What tells of new versions is not signed by who made this Footnote.", "Nothing was changed. Look for new versions where you got this one.")
}

var date = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}$`)

func (o Offer) check() error {
	if _, err := numbers(o.Version); err != nil {
		return err
	}
	if !date.MatchString(o.Date) {
		return fmt.Errorf("%q is no date", o.Date)
	}
	if u, err := url.Parse(o.Page); err != nil || u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%q is no https address", o.Page)
	}
	return nil
}

// Newer reports whether an offer is of a later version than the one given. A
// version that is none is older than every other.
func (o Offer) Newer(than string) bool {
	offered, err := numbers(o.Version)
	if err != nil {
		return false
	}
	running, err := numbers(than)
	if err != nil {
		return true
	}
	for i := range offered {
		if offered[i] != running[i] {
			return offered[i] > running[i]
		}
	}
	return false
}

func numbers(version string) (parts [3]int, err error) {
	words := strings.Split(version, ".")
	if len(words) != len(parts) {
		return parts, fmt.Errorf("%q is no version", version)
	}
	for i, w := range words {
		n, err := strconv.ParseUint(w, 10, 31)
		if err != nil {
			return parts, fmt.Errorf("%q is no version", version)
		}
		parts[i] = int(n)
	}
	return parts, nil
}
