// Package times reads what texts say of times: the years, months, days and quarters of a question,
// of the head of a column, of a cell, of the name of a file.
package times
