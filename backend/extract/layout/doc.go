// Package layout puts words with places on a page into the order they are read in: rows, columns, paragraphs,
// headings.
package layout
