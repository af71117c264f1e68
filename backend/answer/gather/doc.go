// Package gather is the stage that searches and reads: a Task and its Plan in,
// Evidence out. It asks the web and the reader's files beside each other, early
// where that saves time, and through one gate that no word of a file leaves by.
package gather
