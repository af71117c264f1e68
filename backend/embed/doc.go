// Package embed is the built-in embedder: weights in the binary, pure Go and its
// own assembly, nothing downloaded, nothing asked of a network.
//
//	fnw        a weights file: header, checks, tensors as views
//	model      the files in the binary and the vocabulary that both tiers read
//	wordpiece  text → ids of word pieces (uncased BERT): English
//	unigram    text → ids of the likeliest pieces: many languages
//	static     tier 1: ids → one vector a text, the sum of token rows
//	piece      tier 2: a passage or question → what the encoder reads at once
//	encoder    pieces → vectors; forward is its layers, simd their arithmetic,
//	           quantised its weights of 4 bits
//	tokens     pieces → a vector a token, to match sentences (English)
//	vector     a unit vector in 388 bytes
//
// Folder meaning is the encoder as searches use it: cached, in time, in the
// background.
package embed
