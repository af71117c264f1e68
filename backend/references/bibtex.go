package references

import (
	"path/filepath"
	"strings"
	"unicode"

	"footnote/backend/fault"
)

// Entry is a work of a .bib file. Fields have their names in small letters, their
// values without the outer braces.
type Entry struct {
	Type, Key string
	Fields    map[string]string
}

// mostEntries of one file are read.
const mostEntries = 200_000

// ParseBibTeX reads the entries of a .bib file in order. Comments, preambles and
// abbreviations are passed over. An entry that does not end is fault invalid-request
// and names its key.
func ParseBibTeX(text string) ([]Entry, error) {
	var entries []Entry
	p := &bibParser{rest: text}
	for p.next() {
		kind := strings.ToLower(p.word())
		if open := p.skip(); open != '{' && open != '(' {
			continue
		}
		p.rest = p.rest[1:]
		if kind == "comment" || kind == "preamble" || kind == "string" {
			p.balanced('}')
			continue
		}
		e, ok := p.entry(kind)
		if !ok {
			return entries, fault.New(fault.InvalidRequest, "The entry "+e.Key+" of the BibTeX file does not end.", "Close its braces, or export the file again.")
		}
		if entries = append(entries, e); len(entries) > mostEntries {
			return nil, fault.New(fault.TooLarge, "The BibTeX file has more entries than Footnote reads.", "Export a part of your library.")
		}
	}
	return entries, nil
}

type bibParser struct{ rest string }

// next goes behind the next @.
func (p *bibParser) next() bool {
	at := strings.IndexByte(p.rest, '@')
	if at < 0 {
		return false
	}
	p.rest = p.rest[at+1:]
	return true
}

// word takes a name.
func (p *bibParser) word() string {
	p.skip()
	end := strings.IndexFunc(p.rest, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`{}(),="#`, r) })
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word
}

// skip passes blanks and tells what stands behind them; 0 at the end.
func (p *bibParser) skip() byte {
	if p.rest = strings.TrimLeftFunc(p.rest, unicode.IsSpace); p.rest == "" {
		return 0
	}
	return p.rest[0]
}

func (p *bibParser) entry(kind string) (Entry, bool) {
	e := Entry{Type: kind, Key: p.word(), Fields: map[string]string{}}
	for {
		switch p.skip() {
		case ',':
			p.rest = p.rest[1:]
		case '}', ')':
			p.rest = p.rest[1:]
			return e, true
		case 0:
			return e, false
		default:
			name := strings.ToLower(p.word())
			if p.skip() != '=' || name == "" {
				return e, false
			}
			p.rest = p.rest[1:]
			value, ok := p.value()
			if !ok {
				return e, false
			}
			e.Fields[name] = value
		}
	}
}

// value takes what stands behind =: parts in braces, quotation marks or bare, joined
// by #.
func (p *bibParser) value() (string, bool) {
	var b strings.Builder
	for {
		part, ok := "", true
		switch p.skip() {
		case '{':
			p.rest = p.rest[1:]
			part, ok = p.balanced('}')
		case '"':
			p.rest = p.rest[1:]
			part, ok = p.balanced('"')
		default:
			part = p.word()
			ok = part != ""
		}
		if !ok {
			return "", false
		}
		b.WriteString(part)
		if p.skip() != '#' {
			return b.String(), true
		}
		p.rest = p.rest[1:]
	}
}

// balanced takes text up to a sign outside of braces, and the sign.
func (p *bibParser) balanced(end byte) (string, bool) {
	depth := 0
	for i := 0; i < len(p.rest); i++ {
		switch c := p.rest[i]; {
		case c == '\\':
			i++
		case c == end && depth == 0:
			text := p.rest[:i]
			p.rest = p.rest[i+1:]
			return text, true
		case c == '{':
			depth++
		case c == '}':
			depth--
		}
	}
	return "", false
}

// files are the paths of an entry, as reference managers write them: alone, or as
// description:path:type, several by semicolons. Relative ones lie below the folder
// of the .bib file.
func (e Entry) files(folder string) []string {
	var paths []string
	for _, one := range splitEscaped(e.Fields["file"], ';') {
		parts := splitEscaped(one, ':')
		path := one
		switch {
		case len(parts) == 3:
			path = parts[1]
		case len(parts) == 4 && len(parts[1]) == 1: // C:\…
			path = parts[1] + ":" + parts[2]
		}
		path = filepath.FromSlash(strings.NewReplacer(`\:`, ":", `\;`, ";", `\\`, `\`, `\_`, "_", `\&`, "&").Replace(strings.TrimSpace(path)))
		if path == "" {
			continue
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(folder, path)
		}
		paths = append(paths, path)
	}
	return paths
}

func splitEscaped(s string, by byte) []string {
	var parts []string
	from := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case by:
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	if from < len(s) {
		parts = append(parts, s[from:])
	}
	return parts
}
