// Package references reads what reference managers hold, and changes nothing there:
// a library of Zotero with its collections, files and annotations, and the keys
// under which works are cited, of Zotero or of BibTeX.
//
//	zotero.go   Zotero's database → items, collections
//	notes.go    an item's annotations and notes as a text that can be cited
//	bibtex.go   entries of a .bib file
//	keys.go     the keys that are kept, by identifier, address, file and title
package references
