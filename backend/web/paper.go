package web

import (
	"fmt"
	"strings"
)

const namedAuthors = 3

// Paper is the snippet of a scholarly work: its abstract, behind it who wrote it
// where and when, which is all there is of a work without one.
func Paper(abstract string, authors []string, venue, date string) string {
	var named []string
	for _, a := range authors {
		if a = strings.TrimSpace(a); a != "" {
			named = append(named, a)
		}
	}
	if len(named) > namedAuthors {
		named = append(named[:namedAuthors:namedAuthors], "and others")
	}
	var origin []string
	for _, part := range []string{strings.Join(named, ", "), venue, date} {
		if part = strings.TrimSpace(part); part != "" {
			origin = append(origin, part)
		}
	}
	by := strings.Join(origin, ". ")
	abstract = PlainText(abstract, snippetRunes-160)
	switch {
	case abstract == "":
		return by
	case by == "":
		return abstract
	}
	return fmt.Sprintf("%s (%s)", abstract, by)
}
