package web

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/idna"

	"footnote/backend/answer/gather"
)

const maxAddress = 8 << 10 // bytes of an address; longer ones are no link a person follows

// webPorts are the ports that pages live on.
var webPorts = []string{"80", "443", "8080", "8443"}

// Guard decides which addresses of strangers may be fetched. It is asked twice:
// about the address as written, before anything is looked up, and about every
// resolved number, right before that number is dialled.
type Guard struct {
	allowed func() []string
	blocked func(host string) bool // nil = none
}

// NewGuard makes a guard. allowed gives the setting
// privacy.allowed_private_origins as it is now, each an exact scheme://host:port;
// nil means none.
func NewGuard(allowed func() []string) *Guard {
	if allowed == nil {
		allowed = func() []string { return nil }
	}
	return &Guard{allowed: allowed}
}

// Blocking makes the guard refuse hosts that the reader wants nothing of, with
// code blocked-by-reader, wherever an address of theirs turns up.
func (g *Guard) Blocking(blocked func(host string) bool) *Guard {
	g.blocked = blocked
	return g
}

// CheckURL refuses an address that must not be fetched whatever its name
// resolves to. The error is an *answer.UnreadError with code private-address,
// scheme, port, credentials or bad-address.
func (g *Guard) CheckURL(raw string) error {
	u, err := parseAddress(raw)
	if err != nil {
		return err
	}
	return g.check(u)
}

func parseAddress(raw string) (*url.URL, error) {
	if raw == "" || len(raw) > maxAddress {
		return nil, refuse("bad-address", "The address is empty or too long.", nil)
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, refuse("bad-address", "The address cannot be understood.", err)
	}
	return u, nil
}

func (g *Guard) check(u *url.URL) error {
	if u.Scheme != "http" && u.Scheme != "https" {
		return refuse("scheme", "Only http and https addresses are read.", nil)
	}
	if u.User != nil {
		return refuse("credentials", "Addresses that carry a user name are not read.", nil)
	}
	host, err := canonicalHost(u.Hostname())
	if err != nil || u.Opaque != "" {
		return refuse("bad-address", "The address has no usable host name.", err)
	}
	if g.blocked != nil && g.blocked(host) {
		return refuse("blocked-by-reader", "You blocked "+host+".", nil)
	}
	if g.excepted(u) {
		return nil
	}
	if p := u.Port(); p != "" && !slices.Contains(webPorts, p) {
		return refuse("port", "Pages are read on the web's own ports only.", nil)
	}
	return checkHost(host)
}

func checkHost(host string) error {
	if addr, err := netip.ParseAddr(host); err == nil {
		if !public(addr) {
			return private(host)
		}
		return nil
	}
	if localName(host) || endsInNumber(host) || !strings.Contains(host, ".") {
		return private(host)
	}
	return nil
}

// localName reports names that mean this machine, its network or a cloud's
// metadata service, whatever a resolver says.
func localName(host string) bool {
	for _, suffix := range []string{"localhost", "localdomain", "local", "internal", "home.arpa", "onion"} {
		if host == suffix || strings.HasSuffix(host, "."+suffix) {
			return true
		}
	}
	return slices.Contains([]string{"metadata", "instance-data", "metadata.oraclecloud.com"}, host)
}

// endsInNumber reports hosts that a lenient parser would read as an IPv4
// address (2130706433, 0x7f.1, 127.1): the last label is a number.
func endsInNumber(host string) bool {
	last := host[strings.LastIndexByte(host, '.')+1:]
	if strings.Trim(last, "0123456789") == "" {
		return true
	}
	hex, found := strings.CutPrefix(last, "0x")
	return found && strings.Trim(hex, "0123456789abcdef") == ""
}

var hostProfile = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false), idna.CheckHyphens(false))

var errHost = errors.New("no valid host name")

// canonicalHost maps a host to the form that is looked up: lower case, ASCII,
// no dot at the end. Circled digits and ideographic dots become plain ones.
func canonicalHost(host string) (string, error) {
	if strings.Contains(host, ":") { // an IPv6 literal: url.Parse took the brackets off
		addr, err := netip.ParseAddr(host)
		if err != nil || addr.Zone() != "" {
			return "", errHost
		}
		return addr.String(), nil
	}
	ascii, err := hostProfile.ToASCII(host)
	if err != nil {
		return "", err
	}
	ascii = strings.TrimSuffix(strings.ToLower(ascii), ".")
	if ascii == "" || len(ascii) > 253 {
		return "", errHost
	}
	for label := range strings.SplitSeq(ascii, ".") {
		if label == "" || len(label) > 63 || strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
			return "", errHost
		}
	}
	return ascii, nil
}

// originOf is scheme://host:port with the port spelled out; empty when the
// address has none.
func originOf(u *url.URL) string {
	host, err := canonicalHost(u.Hostname())
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") {
		return ""
	}
	return u.Scheme + "://" + net.JoinHostPort(host, portOf(u))
}

func portOf(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}

// excepted reports whether the user allowed exactly this private origin.
func (g *Guard) excepted(u *url.URL) bool {
	return listed(originOf(u), g.allowed())
}

func listed(origin string, list []string) bool {
	if origin == "" {
		return false
	}
	return slices.ContainsFunc(list, func(entry string) bool {
		u, err := url.Parse(strings.TrimSpace(entry))
		return err == nil && u.User == nil && originOf(u) == origin
	})
}

func private(host string) error {
	return refuse("private-address", strconv.Quote(host)+" is on this computer or a private network.", nil)
}

func refuse(code, reason string, cause error) *gather.UnreadError {
	return &gather.UnreadError{Code: code, Reason: reason, Cause: cause}
}
