// Package postgres keeps a library of several people in PostgreSQL: the seams
// library.Catalog and library.Index, each as one person sees them, behind
// row-level security. It passes the suites of library/librarytest, as the rooms
// store and index do.
//
// What it serves now: people, groups and rights (people.go), collections with their
// files, texts and vectors (files.go, texts.go, vectors.go, books.go), searches by
// words and vectors in which rights and scope are conditions of the query (index.go,
// search.go), the schema and its migrations (migrate.go).
//
// What is missing, and why no command and no setting leads here yet: signing in,
// sessions and tokens; threads and journals of runs, which are in store alone; what
// an answer that was given shows after a right was taken away; workers that share a
// queue of files. ADR 63 has the plan.
package postgres
