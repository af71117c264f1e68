// Package along tells which cell of a row a question asks for, and works out what it asks along a
// row and the rows around it: a difference, a share, an average, the most.
package along
