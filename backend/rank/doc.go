// Package rank puts what was found in order: pure functions, no clock, no
// network, no state.
//
//	terms    text → index terms (Terms), the one analyser of words everywhere
//	bm25     the reference BM25 over texts at hand; Okapi for other postings
//	gate     may vectors speak for this question? (GateOf, Embeddable; gates: GatesOf an embedder)
//	fuse     words and vectors of one search → one order (S1, S2, FuseHits, Reorder)
//	score    four scores and their composite for a run's candidates (Rank)
//	diverse  duplicates, domains, balance of files and web
//	fit      token budget and the order in the prompt
//	preset   which weights fit a question
//	filename years, versions and periods in file names
package rank
