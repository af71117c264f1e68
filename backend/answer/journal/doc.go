// Package journal is a run in progress: every fact of it is an event, numbered,
// written into the journal and then shown to who follows; it can be cut short,
// asked back and gone on with, and what it used is counted.
package journal
