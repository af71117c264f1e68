// Package compute works out what needs no search: arithmetic, percentages, units,
// money, dates and constants, asked in signs or in words.
//
// reading.go takes off the words around a question and puts signs in the place of
// those that stand for one (tables/ has them, for four languages), lexer.go cuts
// it up, parse.go builds the expression, tree.go evaluates it and writes the
// working. value.go has numbers with dimensions, measure.go the units a value is
// shown in, dates.go and days.go the questions about dates. doubt.go tells what
// only looks like a sum. Everything is exact as long as it can be.
package compute
