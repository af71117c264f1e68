package lang

import (
	"regexp"
	"slices"
	"strings"
)

const summary = "overview" // a kind of lines: questions for what _ says as a whole; value "file": only where _ is a file

// extension ends the name of a file.
var extension = regexp.MustCompile(`\.[\p{L}][\p{L}\p{N}]{0,4}$`)

// AsksOverview tells what a question wants an overview of, in any language; ok is
// false for other questions. Words for a file and small words are left out: of is empty where no
// file is named by more than them. With its extension, a name is given without it.
func AsksOverview(question string) (of string, ok bool) {
	first := Detect(question)
	for _, code := range append([]Code{first}, codes...) {
		if of, file, ok := code.overviewOf(question); ok {
			name, named := code.fileName(of)
			if file && !named && extension.FindString(of) == "" {
				continue
			}
			return name, true
		}
	}
	return "", false
}

// overviewOf finds the longest form that a question is made of.
func (c Code) overviewOf(question string) (of string, file, ok bool) {
	text := strings.Trim(strings.ReplaceAll(c.withoutPoliteness(question), "’", "'"), " ?!.？！。؟¿¡")
	longest := 0
	for form, value := range tables()[c][summary] {
		before, after, _ := strings.Cut(form, "_")
		if unspaced(c) {
			before, after = strings.TrimSpace(before), strings.TrimSpace(after)
		}
		low := lower(text)
		if len(form) <= longest || len(low) != len(text) || len(low) <= len(before)+len(after) || !strings.HasPrefix(low, before) || !strings.HasSuffix(low, after) {
			continue
		}
		longest, of, file, ok = len(form), strings.Trim(text[len(before):len(text)-len(after)], " \"'“”„«»「」『』:"), value == "file", true
	}
	return of, file, ok && of != ""
}

// withoutPoliteness is CutRequest for questions whose verb may itself be a request: it
// takes off only what stands before another one.
func (c Code) withoutPoliteness(text string) string {
	for {
		rest, ok := c.CutFront(Requests, text)
		if !ok || rest == "" || c.startsOverview(text) {
			return text
		}
		text = rest
	}
}

func (c Code) startsOverview(text string) bool {
	low := lower(strings.TrimLeft(text, " ¿¡"))
	for form := range tables()[c][summary] {
		if before, _, _ := strings.Cut(form, "_"); strings.TrimSpace(before) != "" && strings.HasPrefix(low, before) {
			return true
		}
	}
	return false
}

// fileName is a name without words for a file and without its extension. named is
// set where it has such a word.
func (c Code) fileName(of string) (name string, named bool) {
	of = extension.ReplaceAllString(of, "")
	if !strings.ContainsAny(of, " ") && unspaced(c) {
		for form, value := range tables()[c][library] {
			if value == "file" && of == form {
				return "", true
			}
		}
		return of, false
	}
	fields := strings.Fields(of)
	kept := slices.DeleteFunc(slices.Clone(fields), func(w string) bool {
		means := tables()[c][library][key(w)]
		isFile := means == "file" || strings.HasPrefix(means, "type:")
		named = named || isFile
		return isFile || IsFunctionWord(c, w)
	})
	return strings.Join(kept, " "), named
}
