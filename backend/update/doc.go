// Package update tells whether a newer Footnote was published. It asks one address
// for one signed text, at most once a day and only where the reader said so; it
// fetches and installs nothing.
//
//	checker.go  when it is asked for, and what is kept of it
//	offer       the signed text: who may write it, how it is read
package update
