// Package queries makes what is searched for out of what was asked, by rules: the
// question in full, its parts, keywords for an engine, addresses to be read.
package queries
