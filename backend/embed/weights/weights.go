// Package weights holds the weights of the built-in models. It holds nothing else,
// so that whatever changes beside them is compiled without them.
package weights

import _ "embed" // the files

// Static is the model of static vectors.
//
//go:embed static-256.fnw
var Static string

// Encoder is the encoder of sentences, with the vocabulary that all three share.
//
//go:embed minilm-l6-int8.fnw
var Encoder string

// Multilingual is the encoder of sentences in many languages, with its vocabulary.
//
//go:embed e5-small-q4.fnw
var Multilingual string

// Cross is the cross-encoder.
//
//go:embed cross-l12-int8.fnw
var Cross string

// Joint is the upper layers of the multilingual encoder where it reads a question and a
// text together.
//
//go:embed joint-e5-int8.fnw
var Joint string

// Questions is what the vectors of questions in many languages have in common, 384
// float32: go run ./build train centre.
//
//go:embed e5-small-questions.f32
var Questions string
