// Package people keeps what people of a team have with each other: groups, and
// conversations that are shared; and takes one person's data out, or away.
//
//	groups.go  groups    shares.go  what is shared, with whom    shown.go  what it shows to whom it is shared with
//	dossier.go  what is kept of one person
package people
