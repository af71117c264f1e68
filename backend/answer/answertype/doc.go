// Package answertype is the kind of thing that a question asks for, a price, a date,
// a name, an amount or a reason, and finds it in a text.
package answertype
