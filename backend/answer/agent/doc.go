// Package agent is the mode in which a model looks for the evidence of a question
// by itself: a loop, its hooks, and the tools it may call.
package agent
