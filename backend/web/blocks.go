package web

import "net/netip"

// blockedIPv4 are the ranges no stranger's name may lead to. netip's predicates
// alone miss the shared, benchmark, documentation and reserved ones.
var blockedIPv4 = prefixes(
	"0.0.0.0/8",        // this host
	"10.0.0.0/8",       // private
	"100.64.0.0/10",    // shared address space; also a cloud's metadata
	"127.0.0.0/8",      // loopback
	"168.63.129.16/32", // a cloud's host agent on a public number
	"169.254.0.0/16",   // link-local, metadata
	"172.16.0.0/12",    // private
	"192.0.0.0/24",     // protocol assignments
	"192.0.2.0/24",     // documentation
	"192.31.196.0/24",  // AS112
	"192.52.193.0/24",  // multicast tunnelling
	"192.88.99.0/24",   // 6to4 relays
	"192.168.0.0/16",   // private
	"192.175.48.0/24",  // AS112
	"198.18.0.0/15",    // benchmarks
	"198.51.100.0/24",  // documentation
	"203.0.113.0/24",   // documentation
	"224.0.0.0/4",      // multicast
	"240.0.0.0/4",      // reserved, broadcast
)

// globalIPv6 is the only part of IPv6 that is routed for everyone; loopback,
// mapped, translated (64:ff9b::/96), unique local and link-local addresses all
// lie outside it.
var globalIPv6 = netip.MustParsePrefix("2000::/3")

var blockedIPv6 = prefixes(
	"2001::/23",         // protocol assignments: Teredo, benchmarks, ORCHID
	"2001:db8::/32",     // documentation
	"2002::/16",         // 6to4: an IPv4 address inside
	"2620:4f:8000::/48", // AS112
	"3ffe::/16",         // the old test network
	"3fff::/20",         // documentation
)

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, len(list))
	for i, s := range list {
		out[i] = netip.MustParsePrefix(s)
	}
	return out
}

// public reports whether an address may be dialled for a stranger's name.
func public(addr netip.Addr) bool {
	if !addr.IsValid() || addr.Zone() != "" {
		return false
	}
	addr = addr.Unmap()
	if addr.Is4() {
		return !within(addr, blockedIPv4)
	}
	return globalIPv6.Contains(addr) && !within(addr, blockedIPv6) && !isatap(addr)
}

func within(addr netip.Addr, list []netip.Prefix) bool {
	for _, p := range list {
		if p.Contains(addr) {
			return true
		}
	}
	return false
}

// isatap reports whether the interface part wraps an IPv4 address for a tunnel.
func isatap(addr netip.Addr) bool {
	b := addr.As16()
	return (b[8]&^0x02) == 0 && b[9] == 0 && b[10] == 0x5e && b[11] == 0xfe
}
