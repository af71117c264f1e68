// Package refresh keeps answers fresh: it asks their questions again by the clock
// or when a file they cite changes, and tells whether they still hold.
package refresh
