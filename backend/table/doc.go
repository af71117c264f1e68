// Package table fills evidence tables: rows are files, columns are questions, and
// each cell is what its file alone answers, with the passage that says so.
package table
