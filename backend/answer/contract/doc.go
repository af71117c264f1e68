// Package contract is what everyone sees of questions and answers: Question, Run,
// Answer and the numbered events of a run, in the form in which they are stored,
// sent and shown.
package contract
