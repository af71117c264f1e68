// Package cite ties the sentences of an answer to the passages they rest on,
// with code alone: no model, no network, no clock.
//
// Parser reads an answer while it is written and makes every mark of a source
// [n]. Claims cuts the finished answer into cited sentences. Checker says how a
// passage bears on a claim and which of its sentences prove it. Report counts
// what an answer cites. VerbatimQuote holds quotation marks to their word.
//
// Words. A mark is what a model writes; a Marker is its canonical form [n]; a
// claim is the part of a sentence that a marker stands for. Offsets are bytes.
package cite
