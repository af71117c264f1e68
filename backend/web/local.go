package web

import (
	"net/netip"
	"net/url"
)

// Local reports whether a service is on this computer or on a network that counts
// as local: by its number, or because its origin is one of those listed.
func Local(address string, listedOrigins []string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	if onLoopback(u) || listed(originOf(u), listedOrigins) {
		return true
	}
	addr, err := netip.ParseAddr(u.Hostname())
	return err == nil && !public(addr)
}
