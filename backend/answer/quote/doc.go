// Package quote answers without a model: from ranked passages and a question it
// chooses the sentences and the rows of tables that answer it, and composes them
// into a text of quotations.
package quote
