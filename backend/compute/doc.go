// Package compute works out what needs no search: arithmetic with powers, roots
// and percentages, conversion of units, differences of dates, and constants.
//
// words.go turns a question into an expression, parse.go the expression into a
// value, value.go has numbers with dimensions, units.go the units and constants,
// dates.go the questions about dates. Everything is exact as long as it can be.
package compute
