// Package about says what files are about, without a model: the sentences that say
// most of them, and questions that they answer.
package about
