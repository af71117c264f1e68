// Package meaning tells how near passages are to a question by the sentence
// encoder: one way for the reader's files and for pages of the web.
//
//	reranker Cosines of the best candidates, within a deadline
//	near     how near in meaning the sentences of an answer are, in any language
//	match    Matches of sentences, token by token, for quoted answers
//	recall   vectors already made: in memory, else in the store
//	worker   the rest in the background, then the whole library
//	flat     the whole library at once, when all of it is encoded (Nearest)
//	hold     who pauses the worker: questions, answers, an empty battery
//	pack     vectors of a passage as stored bytes
package meaning
