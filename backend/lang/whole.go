package lang

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// whole is a kind of lines: words of a question for what all of the reader's files are
// about. Value "all" is what stands for them, "ask" what asks for that, "aside" how.
const whole = "whole"

const (
	longestWhole    = 6  // words of a form
	longestUnspaced = 14 // characters of one, where words are not parted
)

// AsksOfAll reports whether a question, read in a language, asks what all files are about:
// "What is in this folder?" Every word of it must belong to such a question; rest is one
// part of it that does not, which may name a folder.
func AsksOfAll(code Code, question string) (rest string, ok bool) {
	terms := wholeTerms(code, question)
	has := func(means string) bool {
		return slices.ContainsFunc(terms, func(t Term) bool { return t.Means == means })
	}
	if !has("all") || !has("ask") {
		return "", false
	}
	start, end := -1, -1
	for _, t := range terms {
		if t.Means != Content {
			continue
		}
		if start >= 0 && strings.ContainsFunc(question[end:t.Start], unicode.IsLetter) {
			return "", false
		}
		if start < 0 {
			start = t.Start
		}
		end = t.End
	}
	if start < 0 {
		return "", true
	}
	path := start > 0 && strings.ContainsRune("/.\\", rune(question[start-1])) // of the system that a file speaks of
	return question[start:end], !path && namesFolder(code, question)
}

// namesFolder reports whether a question speaks of a folder, and not of files alone.
func namesFolder(code Code, question string) bool {
	return slices.ContainsFunc(Terms(code, question), func(t Term) bool { return t.Means == "folder" })
}

func wholeTerms(code Code, question string) (all []Term) {
	if code == Chinese || code == Japanese || code == Korean {
		return unspacedWhole(code, question)
	}
	w := wordsAt(question, 0, len(question))
	for at := 0; at < len(w); {
		n, means := 1, Content
		for most := min(longestWhole, len(w)-at); most > 0; most-- {
			if m := meansOfAll(code, key(question[w[at].Start:w[at+most-1].End])); m != "" {
				n, means = most, m
				break
			}
		}
		all = append(all, Term{Start: w[at].Start, End: w[at+n-1].End, Means: means})
		at += n
	}
	return all
}

func unspacedWhole(code Code, question string) (all []Term) {
	for _, run := range wordsAt(question, 0, len(question)) {
		for at := run.Start; at < run.End; {
			n, means := longestOfAll(code, question[at:])
			if n == 0 {
				n, means = runeOrName(question[at:run.End]), Content
			}
			all = append(all, Term{Start: at, End: at + n, Means: means})
			at += n
		}
	}
	return inOrder(all)
}

// longestOfAll is the longest form that a text begins with.
func longestOfAll(code Code, text string) (n int, means string) {
	runes := 0
	for at, r := range text {
		if runes++; runes > longestUnspaced {
			break
		}
		end := at + utf8.RuneLen(r)
		if !unicode.IsLetter(r) && !unicode.IsMark(r) {
			continue
		}
		if m := meansOfAll(code, key(text[:end])); m != "" {
			n, means = end, m
		}
	}
	return n, means
}

// meansOfAll is what a form is in a question of all files; empty for what it has none of.
func meansOfAll(code Code, form string) string {
	if means, ok := tables()[code][whole][form]; ok {
		return means
	}
	switch tables()[code][library][form] {
	case Filler, "show", "list", "all", "have", "and":
		return Filler
	}
	if _, asks := tables()[code][ask][form]; asks {
		return Filler
	}
	if IsFunctionWord(code, form) || code.Has(Requests, form) || code.Has(AsksWith, form) || code.Has(Determiner, form) || code.Has(SpokenTo, form) || code.Has(Possessive, form) || code.Has(Pointing, form) {
		return Filler
	}
	return ""
}
