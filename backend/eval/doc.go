// Package eval measures Footnote with its own code over labelled data. It writes
// nothing to the user's folders: what it needs stands in a temporary one.
//
//	dataset    corpus.jsonl, queries.jsonl, qrels.tsv → a Set
//	collection a Set split, indexed and embedded as the library does it
//	retrieval  methods over a collection → one Row a set and method
//	citations  labelled pairs of claim and passage, through the checker
//	ask        questions put to the whole product, through a Program that the mouth hands in
//	research   the same by deep research: sections, quotes, gold pages, time against a plan done in turn
//	documents  files read as the library reads them, against reference texts
//	pages      pages of the web against what people marked
//	words      texts as bags of words
//	measure    nDCG, recall, reciprocal rank, percentiles
package eval
