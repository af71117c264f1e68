// Package registry is the list of model providers and search engines: what each
// is called, how it is spoken with and what it needs. It knows no code of theirs.
package registry
