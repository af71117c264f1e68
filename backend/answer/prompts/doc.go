// Package prompts is what models are asked: templates, and how a question, its
// history and its evidence stand in them.
package prompts
