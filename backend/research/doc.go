// Package research answers a question with a report: a plan of subquestions, a
// study of each in passes, and sections whose every sentence is footnoted.
package research
