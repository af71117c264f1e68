// Package cells tells which cell of a table a question asks for, and works out what
// it asks of several: a difference, a share, an average, the most.
package cells
