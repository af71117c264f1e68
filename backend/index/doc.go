// Package index is the rebuildable cache of words and vectors: delete its folder
// and library fills it again from the store.
//
//	index    Open, Close, Generation, Count: one folder, one writer
//	write    Put, PutVectors, Drop: batches into the postings, vectors in memory
//	maker    a passage → the terms that the postings keep
//	search   what a query means: words and their forms, prefixes, one typing error
//	postings words → BM25 with rank's arithmetic, on all cores
//	vectors  chromem below 20,000 vectors, a flat int8 scan above
//	checksum are the files of the postings whole?
//	sequence is the last batch among them?
//	probe    is a folder fit to be opened? (the body of a child process)
//	watch    a writer of scorch that died ends waits instead of holding them
//
// bleve's scorch keeps the postings; its own scoring is not used, because its
// square of idf and root of frequency are not BM25. Text is not kept, vectors
// are not on disk: both are in the store.
package index
