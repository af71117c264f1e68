// Package legacy reads the binary formats of Word, Excel and PowerPoint up to 2003.
package legacy
