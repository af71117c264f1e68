package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"footnote/backend/evidence"
)

// reference is a cited source of a document as reference managers know it. One
// that several turns cite stands once.
type reference struct {
	key    string // a name that is its own in this document
	source Source
	issued time.Time // zero when unknown
	doi    string
	note   string // what the answers doubt about it
}

func references(d Document) []reference {
	var refs []reference
	taken := map[string]bool{}
	for _, t := range d.Turns {
		for _, s := range t.cited() {
			at := slices.IndexFunc(refs, func(r reference) bool { return r.source.ID == s.ID && r.source.Where() == s.Where() })
			if at < 0 {
				r := reference{source: s, doi: s.DOI()}
				if s.Published != nil {
					r.issued, _ = time.Parse(time.DateOnly, *s.Published) // not a date: none is known
				}
				r.key = r.name(d, taken)
				refs, at = append(refs, r), len(refs)
			}
			refs[at].note = joined("; ", refs[at].note, doubtful(s))
		}
	}
	return refs
}

// doubtful says which claims on a source the checker doubted, by their verdict.
func doubtful(s Source) string {
	var said []string
	for _, q := range s.Quotes {
		if doubt := q.Doubt(); doubt != "" && !slices.Contains(said, "cited for a claim that is "+doubt) {
			said = append(said, "cited for a claim that is "+doubt)
		}
	}
	return strings.Join(said, "; ")
}

// doiOf is the identifier in an address of doi.org.
func doiOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() != "doi.org" && u.Hostname() != "dx.doi.org" {
		return ""
	}
	return strings.TrimPrefix(u.Path, "/")
}

// DOI is the identifier in the address of a source; empty without one.
func (s Source) DOI() string { return doiOf(s.URL) }

// name is the key that the reader cites the source by, or one made of the first words
// of the title and the year.
func (r reference) name(d Document, taken map[string]bool) string {
	if d.KeyOf != nil {
		if key := d.KeyOf(r.source); key != "" && !taken[key] {
			taken[key] = true
			return key
		}
	}
	var b strings.Builder
	for _, word := range strings.FieldsFunc(strings.ToLower(r.source.Title), func(c rune) bool { return c > unicode.MaxASCII || !unicode.IsLetter(c) && !unicode.IsDigit(c) }) {
		if b.Len()+len(word) > 24 {
			break
		}
		b.WriteString(word)
	}
	if b.Len() == 0 {
		b.WriteString("source")
	}
	if !r.issued.IsZero() {
		fmt.Fprintf(&b, "%d", r.issued.Year())
	}
	key := b.String()
	for n := 2; taken[key]; n++ {
		key = fmt.Sprintf("%s-%d", b.String(), n)
	}
	taken[key] = true
	return key
}

// form is how each kind of source is called: in BibTeX, RIS and CSL.
func (r reference) form() (bib, risType, cslType string) {
	switch r.source.Kind {
	case evidence.Paper:
		return "article", "JOUR", "article-journal"
	case evidence.Video:
		return "misc", "VIDEO", "motion_picture"
	case evidence.Discussion:
		return "misc", "ELEC", "post"
	case evidence.File, evidence.Pasted:
		return "misc", "GEN", "document"
	}
	return "misc", "ELEC", "webpage"
}

func bibtex(d Document) string {
	var b strings.Builder
	for i, r := range references(d) {
		if i > 0 {
			b.WriteByte('\n')
		}
		kind, _, _ := r.form()
		fmt.Fprintf(&b, "@%s{%s", kind, r.key)
		field := func(name, value string) {
			if value != "" {
				fmt.Fprintf(&b, ",\n  %s = {%s}", name, value)
			}
		}
		field("title", "{"+latex(oneLine(r.source.Title))+"}")
		field("publisher", latex(r.source.Domain))
		if !r.issued.IsZero() {
			field("year", r.issued.Format("2006"))
			field("month", r.issued.Format("01"))
			field("date", r.issued.Format(time.DateOnly))
		}
		field("doi", braced(r.doi))
		field("url", braced(r.source.URL))
		field("file", braced(r.source.file()))
		if !r.source.Read.IsZero() {
			field("urldate", r.source.Read.Format(time.DateOnly))
		}
		field("note", latex(joined("; ", placeOf(r.source), r.note)))
		b.WriteString("\n}\n")
	}
	return b.String()
}

// placeOf is the place within a source, without its address.
func placeOf(s Source) string {
	return strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(s.Where(), s.URL), s.file()), ", ")
}

var latexSigns = []string{`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`}

var (
	pairedBraces = strings.NewReplacer(append(slices.Clone(latexSigns), "{", `\{`, "}", `\}`)...)
	loneBraces   = strings.NewReplacer(append(slices.Clone(latexSigns), "{", `\textbraceleft{}`, "}", `\textbraceright{}`)...)
)

// latex writes a text so that LaTeX prints it and its braces stay in pairs: for
// BibTeX an escaped one counts as well.
func latex(s string) string {
	open := 0
	for _, r := range s {
		switch {
		case r == '{':
			open++
		case r == '}' && open == 0:
			return loneBraces.Replace(s)
		case r == '}':
			open--
		}
	}
	if open > 0 {
		return loneBraces.Replace(s)
	}
	return pairedBraces.Replace(s)
}

// braced writes an address, which is taken as it is, with its braces encoded.
func braced(s string) string {
	return strings.NewReplacer("{", "%7B", "}", "%7D").Replace(oneLine(s))
}

func ris(d Document) string {
	var b strings.Builder
	for _, r := range references(d) {
		_, kind, _ := r.form()
		line := func(tag, value string) {
			if value = oneLine(value); value != "" {
				fmt.Fprintf(&b, "%s  - %s\r\n", tag, value)
			}
		}
		line("TY", kind)
		line("ID", r.key)
		line("TI", r.source.Title)
		line("T2", r.source.Domain)
		if !r.issued.IsZero() {
			line("PY", r.issued.Format("2006"))
			line("DA", r.issued.Format("2006/01/02"))
		}
		line("DO", r.doi)
		line("UR", r.source.URL)
		line("L1", r.source.file())
		if !r.source.Read.IsZero() {
			line("Y2", r.source.Read.Format("2006/01/02"))
		}
		line("SP", placeOf(r.source))
		line("N1", r.note)
		b.WriteString("ER  - \r\n\r\n")
	}
	return b.String()
}

// cslItem is an entry of CSL-JSON.
type cslItem struct {
	ID        string   `json:"id"`
	Type      string   `json:"type"`
	Title     string   `json:"title"`
	Container string   `json:"container-title,omitempty"`
	Issued    *cslDate `json:"issued,omitempty"`
	Accessed  *cslDate `json:"accessed,omitempty"`
	DOI       string   `json:"DOI,omitempty"`
	URL       string   `json:"URL,omitempty"`
	Archive   string   `json:"archive_location,omitempty"` // path of a file
	Locator   string   `json:"locator,omitempty"`
	Note      string   `json:"note,omitempty"`
}

type cslDate struct {
	Parts [][3]int `json:"date-parts"`
}

func cslDay(t time.Time) *cslDate {
	if t.IsZero() {
		return nil
	}
	return &cslDate{[][3]int{{t.Year(), int(t.Month()), t.Day()}}}
}

func csl(d Document) ([]byte, error) {
	items := []cslItem{}
	for _, r := range references(d) {
		_, _, kind := r.form()
		items = append(items, cslItem{
			ID: r.key, Type: kind, Title: oneLine(r.source.Title), Container: r.source.Domain, Issued: cslDay(r.issued), Accessed: cslDay(r.source.Read),
			DOI: r.doi, URL: r.source.URL, Archive: r.source.file(), Locator: placeOf(r.source), Note: r.note,
		})
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(items)
	return b.Bytes(), err
}
