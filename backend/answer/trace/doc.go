// Package trace is what is kept of how an answer came to be: how its evidence was
// ranked, so that it can be ranked anew under other weights, and what models said.
package trace
