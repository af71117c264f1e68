// Package asked reads a search of files as a person typed it, with its operators, and
// says what of a text it asks for: words, phrases, and what a snippet marks.
package asked

import (
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/lang"
	"footnote/backend/rank"
)

// Search is a search as it was understood: the words, and what people may add to
// them.
//
//	"exact words"          found only where they stand like this
//	-word  -"exact words"  left out: the word in all its forms, the words as written
//	type:pdf               files of a kind: an extension, or one of kinds
//	folder:name            files anywhere below a folder of this name
//	after:2023-01          files changed on or after a day, month or year
//	before:2024            files changed before it
//
// Several types, or several folders, are alternatives. What is none of these is
// a plain word. Words is compared by words and by meaning.
type Search struct {
	Words   string    `json:"words"`
	Phrases []string  `json:"phrases"`
	Without []string  `json:"without"`
	Types   []string  `json:"types"`
	Folders []string  `json:"folders"`
	After   time.Time `json:"after,omitzero"`
	Before  time.Time `json:"before,omitzero"`

	growing bool // the last of Words may still be typed
	phrases []rank.Phrase
	barred  []rank.Phrase // exact words to leave out
	not     []string      // words to leave out in any form
}

// kinds are the families of file types that type: knows by name.
var kinds = map[string][]string{
	"doc":    {"doc", "docx", "docm", "odt", "rtf", "pages"},
	"sheet":  {"xls", "xlsx", "xlsm", "ods", "csv", "tsv", "numbers"},
	"slides": {"ppt", "pptx", "pptm", "odp", "key"},
	"mail":   {"eml", "mbox", "msg", "emlx"},
	"book":   {"epub", "mobi", "fb2"},
	"web":    {"html", "htm", "xhtml", "mhtml", "mht"},
	"text":   {"txt", "md", "markdown", "rst", "org", "log", "tex"},
	"image":  {"png", "jpg", "jpeg", "gif", "tif", "tiff", "webp", "bmp", "heic"},
	"code": {"go", "py", "js", "ts", "jsx", "tsx", "java", "c", "h", "cc", "cpp", "hpp", "cs", "rs", "rb", "php", "swift", "kt", "scala", "sh", "bash",
		"ps1", "sql", "r", "jl", "lua", "pl", "hs", "clj", "ex", "erl", "dart", "svelte", "vue", "css", "scss", "json", "yaml", "yml", "toml", "xml", "ipynb"},
}

// kindNames are other names of kinds.
var kindNames = map[string]string{
	"document": "doc", "documents": "doc", "docs": "doc", "word": "doc", "sheets": "sheet", "spreadsheet": "sheet", "excel": "sheet", "table": "sheet",
	"slide": "slides", "presentation": "slides", "powerpoint": "slides", "email": "mail", "mails": "mail", "emails": "mail", "books": "book", "ebook": "book",
	"images": "image", "picture": "image", "photo": "image", "page": "web",
}

// Understand reads a search as a person typed it.
func Understand(text string) Search { return understand(text, false) }

// Question reads what is asked in words. In a sentence that asks, a minus before a
// word leaves nothing out: it is part of a name, "What does -k do?".
func Question(text string) Search { return understand(text, asks(text)) }

func asks(text string) bool {
	if strings.ContainsAny(text, "?？؟") {
		return true
	}
	code := lang.Detect(text)
	return slices.ContainsFunc(strings.Fields(strings.ToLower(text)), func(w string) bool {
		_, ok := code.AskForm(w)
		return ok
	})
}

func understand(text string, asks bool) Search {
	a := Search{Phrases: []string{}, Without: []string{}, Types: []string{}, Folders: []string{}}
	var plain []string
	for _, f := range fieldsOf(text) {
		if asks && f.barred && !f.quoted {
			f.barred = false
		}
		if a.growing = !a.take(f); a.growing {
			plain = append(plain, f.text)
		}
	}
	a.growing = a.growing && len(text) > 0 && !unicode.IsSpace(lastRune(text))
	a.Words = strings.Join(plain, " ")
	return a
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

// Text is all that is asked for in words, phrases first.
func (a Search) Text() string { return strings.Join(append(slices.Clone(a.Phrases), a.Words), " ") }

// Empty reports whether there are no words and no phrases: nothing to find.
func (a Search) Empty() bool { return strings.TrimSpace(a.Text()) == "" }

// Plain reports whether the search is words alone.
func (a Search) Plain() bool { return !a.Filtered() && !a.Exacting() && len(a.not) == 0 }

// Filtered reports whether only some files are wanted.
func (a Search) Filtered() bool {
	return len(a.Types)+len(a.Folders) > 0 || !a.After.IsZero() || !a.Before.IsZero()
}

// Exacting reports whether only a passage's text can tell if it is wanted.
func (a Search) Exacting() bool { return len(a.phrases)+len(a.barred) > 0 }

// field is a part of a search: up to a space, or to the closing quote.
type field struct {
	text   string // as typed
	barred bool   // after a minus
	key    string // before a colon; empty when there is none
	value  string
	quoted bool
}

// Growing reports whether the last word may still be typed.
func (a Search) Growing() bool { return a.growing }

// Exactly are the phrases that must stand as they are.
func (a Search) Exactly() []rank.Phrase { return a.phrases }

// Loosely is the search without its quotation marks: nothing must stand as quoted.
func (a Search) Loosely() Search {
	a.phrases = nil
	return a
}

// Not are the words to leave out in any form.
func (a Search) Not() []string { return a.not }

// fieldsOf cuts a search at spaces outside of quotes. A quote that is not closed
// yet is a plain mark.
func fieldsOf(text string) (fields []field) {
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		if text == "" {
			return fields
		}
		f, used := fieldOf(text)
		fields = append(fields, f)
		text = text[used:]
	}
}

func fieldOf(text string) (f field, used int) {
	at := 0
	if rest, ok := strings.CutPrefix(text, "-"); ok && startsWord(rest) {
		f.barred, at = true, 1
	}
	if n := keyLength(text[at:]); n > 0 && !f.barred {
		f.key, at = strings.ToLower(text[:n]), n+1
	}
	if value, n := quotation(text[at:]); n > 0 {
		f.value, f.quoted, f.text = value, true, text[:at+n]
		return f, at + n
	}
	end := strings.IndexFunc(text[at:], unicode.IsSpace)
	if end < 0 {
		end = len(text) - at
	}
	f.value, f.text = text[at:at+end], text[:at+end]
	return f, at + end
}

// startsWord reports whether a minus before s can mean "without": a word or
// quotation follows, and no number.
func startsWord(s string) bool {
	if _, n := quotation(s); n > 0 {
		return true
	}
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r)
}

// keyLength is the number of letters before a colon that s starts with.
func keyLength(s string) int {
	n := strings.IndexByte(s, ':')
	if n <= 0 || strings.ContainsFunc(s[:n], func(r rune) bool { return r >= utf8.RuneSelf || !unicode.IsLetter(r) }) {
		return 0
	}
	return n
}

var quoteMarks = []struct{ open, close string }{{`"`, `"`}, {"“", "”"}, {"„", "“"}, {"«", "»"}}

// quotation is what stands in the quotes that s starts with, and the bytes they
// take; 0 when they are not closed.
func quotation(s string) (value string, n int) {
	for _, q := range quoteMarks {
		rest, ok := strings.CutPrefix(s, q.open)
		if !ok {
			continue
		}
		if end := strings.Index(rest, q.close); end >= 0 {
			return rest[:end], len(q.open) + end + len(q.close)
		}
	}
	return "", 0
}

// take sees to a field that is more than a plain word.
func (a *Search) take(f field) bool {
	switch {
	case f.key != "":
		return a.filter(f.key, f.value)
	case f.barred:
		return a.bar(f)
	case f.quoted:
		p := rank.NewPhrase(f.value)
		if p.Empty() {
			return true
		}
		a.Phrases, a.phrases = append(a.Phrases, f.value), append(a.phrases, p)
		return true
	}
	return false
}

func (a *Search) bar(f field) bool {
	p := rank.NewPhrase(f.value)
	if p.Empty() {
		return false
	}
	a.Without = append(a.Without, f.value)
	if words := p.Telling(); !f.quoted && len(words) == 1 {
		a.not = append(a.not, words...)
		return true
	}
	a.barred = append(a.barred, p)
	return true
}

// filter takes key:value; false when it is no operator.
func (a *Search) filter(key, value string) bool {
	switch key {
	case "type":
		return a.ofType(strings.TrimPrefix(strings.ToLower(value), "."))
	case "folder":
		name := strings.Trim(value, `/\ `)
		if name != "" {
			a.Folders = append(a.Folders, name)
		}
		return name != ""
	case "after":
		day, ok := dayOf(value)
		if ok {
			a.After = day
		}
		return ok
	case "before":
		day, ok := dayOf(value)
		if ok {
			a.Before = day
		}
		return ok
	}
	return false
}

const longestExtension = 8

func (a *Search) ofType(name string) bool {
	if kind, ok := kindNames[name]; ok {
		name = kind
	}
	plain := name != "" && len(name) <= longestExtension && !strings.ContainsFunc(name, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	if plain {
		a.Types = append(a.Types, name)
	}
	return plain
}

// dayOf reads a year, month or day as its first moment here.
func dayOf(value string) (time.Time, bool) {
	for _, layout := range []string{"2006-01-02", "2006-1-2", "2006-01", "2006-1", "2006"} {
		if day, err := time.ParseInLocation(layout, value, time.Local); err == nil {
			return day, true
		}
	}
	return time.Time{}, false
}

// Fits reports whether a file is one of those that are wanted, by its path and the
// time of its last change.
func (a Search) Fits(path string, changed time.Time) bool {
	return a.fitsType(path) && a.fitsFolder(path) &&
		(a.After.IsZero() || !changed.Before(a.After)) && (a.Before.IsZero() || changed.Before(a.Before))
}

func (a Search) fitsType(path string) bool {
	ext := Extension(path)
	return len(a.Types) == 0 || slices.ContainsFunc(a.Types, func(t string) bool { return t == ext || slices.Contains(kinds[t], ext) })
}

// Extension is that of a file's name, in lower case, without its point.
func Extension(path string) string {
	return strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
}

func (a Search) fitsFolder(path string) bool {
	if len(a.Folders) == 0 {
		return true
	}
	dir := strings.ToLower(filepath.ToSlash(filepath.Dir(path))) + "/"
	return slices.ContainsFunc(a.Folders, func(name string) bool {
		return strings.Contains(dir, "/"+strings.ToLower(filepath.ToSlash(name))+"/")
	})
}

// Exact reports whether a passage has what has to be there word by word.
func (a Search) Exact(p evidence.Passage, names string) bool {
	in := func(phrase rank.Phrase) bool {
		return phrase.In(p.Text) || phrase.In(p.At.Heading) || phrase.In(names)
	}
	for _, phrase := range a.phrases {
		if !in(phrase) {
			return false
		}
	}
	return !slices.ContainsFunc(a.barred, in)
}
