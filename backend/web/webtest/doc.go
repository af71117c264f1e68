// Package webtest holds what proves the web room and what stands in for it: a
// conformance suite that every search engine's adapter passes, and a frozen web
// of pages in memory for the tests of those who search and read.
//
// conformance.go is the suite, frozen.go the frozen web. Neither touches a
// network beyond loopback.
package webtest
