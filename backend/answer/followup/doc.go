// Package followup says in full what a question means after the ones before it:
// "and the pro plan?", "in 2023?", "why?", "who wrote it?". It knows no model; the
// words that carry the form of a question are in the tables of lang.
package followup
