// Package formattest reads files for the tests of the readers and holds what every document promises.
package formattest
