// Package notebook has what a reader writes down beside a set of sources: the
// sets are the library's collections (ADR 49).
package notebook
