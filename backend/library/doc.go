// Package library holds the reader's own files: it adds them in place, watches,
// has them extracted and split, keeps words and vectors searchable, and forgets
// them when asked.
//
// Map: library.go starts and stops, add.go takes and gives back paths, walk.go
// and exclude.go look at folders, scan.go compares them with the catalog. A file
// goes through intake.go (queue), read.go (digest, extract, split), one commit to
// the Catalog, then words.go and vectors.go (index). watch.go follows changes,
// search.go and keystroke.go answer what query.go understands and narrow.go
// restricts, count.go counts, why.go explains, attach.go reads files for one question
// and prune.go lets go of them, collections.go names sets of files and named.go finds
// names in questions, again.go has files read once more when more of them can be, topics.go says what a file is about, events.go and
// progress.go tell what happens. catalog.go and ports.go declare
// what the room needs from others.
//
// Words. A root is what the reader added; a file stands under one. A text is what
// was read, named by the digest of its bytes: files with equal bytes share it, and
// a file that moves keeps it. The catalog is the truth; the index is a cache that
// learns from the catalog's list of unindexed texts, at first, after a crash and
// when it is rebuilt alike.
//
// Delivery of events. Each has a number; the last 4096 are kept. Nobody waits for
// a subscriber: one that falls further behind is ended and may come back by number.
package library
