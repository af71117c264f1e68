// Package export takes conversations away: one model of a document, written in
// the forms that other programs read.
//
//	export.go     Document, Turn, Source; Of makes them from runs; Write picks a form
//	prose.go      an answer's Markdown → blocks of styled text with its markers
//	markdown.go   html.go   docx*.go   pdf.go      the document for people (paper sets pages)
//	note.go       one answer for a folder of notes
//	references.go BibTeX, RIS, CSL-JSON: its sources for reference managers
//	bundle*.go    the reproducible bundle: everything an answer rests on, checked when it comes back
//	replay.go     its answers made again of what the model said then
//	words.go      text as every form can hold it
//
// The same runs always give the same bytes: nothing here reads a clock. What the
// checker doubted is said beside its footnote in every form.
package export

import (
	"slices"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// Thread is a conversation to be taken away, its runs in order.
type Thread struct {
	ID      contract.ThreadID `json:"id"`
	Title   string            `json:"title"`
	Type    string            `json:"type"`
	Created time.Time         `json:"created"`
	Updated time.Time         `json:"updated"`
	Runs    []contract.Run    `json:"-"`
}

// Document is a conversation as people read it. Style is how footnotes are
// written: [1] or [^1]. Fonts are folders of fonts for a PDF; nil are those of
// this computer.
type Document struct {
	Title   string
	Style   string
	Fonts   []string
	KeyOf   func(Source) string // the key that the reader cites a source by; nil or empty makes one
	Updated time.Time
	Turns   []Turn
}

// Turn is one question with what became of it.
type Turn struct {
	Question string
	Asked    time.Time
	Text     string   // the answer as written, markers as [n]
	Marks    []Mark   // of Text, in order
	Prose    []Block  // Text as blocks
	Sources  []Source // by number
	Remarks  []string // what a reader should know: how it was written, where sources differ
}

// Mark is a footnote of a text.
type Mark struct {
	N       int
	Span    evidence.Span // of [n], in bytes of the text
	Quote   string        // what the source says; empty when nothing there carries the claim
	Verdict contract.Verdict
}

// Doubt says what the checker doubted, in words; empty when it did not.
func (m Mark) Doubt() string { return doubts[m.Verdict] }

var doubts = map[contract.Verdict]string{
	contract.Partly: "partly supported", contract.NotFound: "not found in the passage", contract.Contradicted: "contradicted by the passage",
	contract.Unchecked: "not checked",
}

// Source is a numbered source of a turn. Quotes are what the answer cites of it,
// each once.
type Source struct {
	contract.SourceCard
	Read   time.Time // when the answer was written
	Quotes []Mark
	Unused bool // read, and not cited
}

// cited are the sources that an answer cites, or is closest to where nothing
// answers.
func (t Turn) cited() []Source { return t.sources(false) }

// alsoRead are those that it does not cite.
func (t Turn) alsoRead() []Source { return t.sources(true) }

func (t Turn) sources(unused bool) []Source {
	var list []Source
	for _, s := range t.Sources {
		if s.Unused == unused {
			list = append(list, s)
		}
	}
	return list
}

// alsoReadTitle stands above what an answer does not cite, in every form.
const alsoReadTitle = "Also read"

// Where is the address of a source, with the place in it.
func (s Source) Where() string {
	place := s.URL
	switch s.Kind {
	case evidence.File:
		place = s.file()
	case evidence.Pasted:
		place = "with the question"
	}
	switch {
	case s.Locator.Place != "":
		return joined(", ", place, s.Locator.Place)
	case s.Locator.Page > 0 && s.Kind == evidence.File:
		return joined(", ", place, "page "+number(s.Locator.Page))
	}
	return place
}

// file is the name of a file without the folders above it: they tell of the
// computer that the answer was written on, and lead nowhere on another.
func (s Source) file() string {
	return baseName(s.Path)
}

// label is the number that an answer cites a source by, before its name.
func (s Source) label() string {
	if s.Unused {
		return ""
	}
	return "[" + number(s.N) + "] "
}

// plain is a source with its place, without what it says.
func (s Source) plain() string { return joined(" — ", oneLine(s.Title), oneLine(s.Where())) }

// line is a source as plain text without its number.
func (s Source) line() string {
	line := s.plain()
	for i, q := range s.Quotes {
		lead := "; "
		if i == 0 {
			lead = ": "
		}
		line += lead + q.words()
	}
	return line
}

// words are the quote of a mark with its doubt.
func (m Mark) words() string {
	quote := ""
	if m.Quote != "" {
		quote = "“" + m.Quote + "”"
	}
	if doubt := m.Doubt(); doubt != "" {
		return joined(" ", quote, "("+doubt+")")
	}
	return quote
}

// Of makes the document of a thread. style is [1] or [^1].
func Of(t Thread, style string) Document {
	d := Document{Title: oneLine(t.Title), Style: style, Updated: t.Updated.UTC()}
	for _, run := range t.Runs {
		d.Turns = append(d.Turns, turnOf(run))
	}
	if cut, was := strings.CutSuffix(d.Title, "…"); was && len(d.Turns) == 1 && strings.HasPrefix(d.Turns[0].Question, cut) {
		d.Title = d.Turns[0].Question // whole: there is room
	}
	return d
}

// named reports whether a turn is all of a document that has its question for title:
// it is not said twice.
func (d Document) named(t Turn) bool { return len(d.Turns) == 1 && t.Question == d.Title }

func turnOf(run contract.Run) Turn {
	t := Turn{Question: oneLine(run.Question.Text), Asked: run.Started.UTC()}
	if run.Answer == nil {
		t.Text = strings.TrimSpace(run.Partial)
		t.Prose = prose(t.Text, nil)
		t.Remarks = append(t.Remarks, unfinished(run))
		return t
	}
	a := *run.Answer
	t.Text = strings.TrimSpace(a.Answer)
	lead := len(a.Answer) - len(strings.TrimLeftFunc(a.Answer, func(r rune) bool { return strings.ContainsRune(" \t\r\n", r) }))
	marks := marksOf(t.Text, []rune(a.Answer[:lead]), a)
	numbers := numbersOf(marks, a.Sources)
	t.Text, t.Marks = renumbered(t.Text, marks, numbers)
	t.Prose = prose(t.Text, t.Marks)
	for _, card := range a.Sources {
		card.N = numbers[card.N]
		uncited := a.Outcome != contract.NoEvidence && !slices.ContainsFunc(t.Marks, func(m Mark) bool { return m.N == card.N })
		t.Sources = append(t.Sources, Source{SourceCard: card, Read: a.Timestamp.Time(), Quotes: quotesOf(card.N, t.Marks), Unused: uncited})
	}
	slices.SortStableFunc(t.Sources, func(a, b Source) int { return a.N - b.N })
	t.Remarks = remarks(a, numbers)
	return t
}

func unfinished(run contract.Run) string {
	if run.Failure != nil && run.Failure.Message != "" {
		return "This answer was not finished: " + run.Failure.Message
	}
	return "This answer was not finished."
}

// marksOf finds the markers of a text and the citation of each: of those of its
// source, the last one whose claim began before it.
func marksOf(text string, before []rune, a contract.Answer) []Mark {
	var marks []Mark
	at, runes := 0, len(before)
	for _, m := range cite.Markers(text, len(a.Sources)) {
		runes += len([]rune(text[at:m.Span.Start]))
		at = m.Span.Start
		mark := Mark{N: m.N, Span: m.Span, Verdict: contract.Unchecked}
		for _, c := range a.Citations {
			if c.Marker == m.N && c.Claim.Start <= runes {
				mark.Verdict, mark.Quote = c.Verdict, quoteOf(c)
			}
		}
		marks = append(marks, mark)
	}
	return marks
}

const longestQuote = 400 // characters

// quoteOf is what a citation quotes. One that rests on nothing quotes nothing.
func quoteOf(c contract.Citation) string {
	if c.Verdict == contract.NotFound || len(c.Highlight) == 0 {
		return ""
	}
	quote := []rune(oneLine(c.Quote.Text))
	if len(quote) <= longestQuote {
		return string(quote)
	}
	return string(quote[:longestQuote]) + "…"
}

func quotesOf(n int, marks []Mark) []Mark {
	var quotes []Mark
	for _, m := range marks {
		known := slices.ContainsFunc(quotes, func(q Mark) bool { return q.Quote == m.Quote && q.Verdict == m.Verdict })
		if m.N == n && !known && m.words() != "" {
			quotes = append(quotes, m)
		}
	}
	return quotes
}

// remarks tell how an answer was written, and where its sources differ.
func remarks(a contract.Answer, numbers map[int]int) []string {
	var said []string
	switch a.Outcome {
	case contract.Extracted:
		said = append(said, strings.TrimSpace("Extracted from the sources; no model was used. "+a.Sureness()))
	case contract.Computed:
		said = append(said, "Computed.")
	}
	if cut := a.CutOff(); cut != "" {
		said = append(said, cut)
	}
	for _, d := range a.Disagreements {
		said = append(said, differing(d, a, numbers))
	}
	return said
}

func differing(d contract.Disagreement, a contract.Answer, numbers map[int]int) string {
	sides := make([]string, 0, len(d.Sides))
	for _, side := range d.Sides {
		mark := ""
		if i := slices.IndexFunc(a.Sources, func(s contract.SourceCard) bool { return s.ID == side.Source }); i >= 0 {
			mark = "[" + number(numbers[a.Sources[i].N]) + "] "
		}
		date := side.Date
		if date == "" {
			date = "no date"
		}
		sides = append(sides, mark+oneLine(side.Value)+" ("+date+")")
	}
	return "Sources disagree: " + oneLine(d.Claim) + " — " + strings.Join(sides, "; ")
}

// File is a conversation in one form.
type File struct {
	Extension, MediaType string
	Body                 []byte
}

// form is a way to write a document.
type form struct {
	name, extension, mediaType string
	write                      func(Document) ([]byte, error)
}

var forms = []form{
	{"md", ".md", "text/markdown; charset=utf-8", texts(markdown)},
	{"html", ".html", "text/html; charset=utf-8", texts(page)},
	{"docx", ".docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", docx},
	{"pdf", ".pdf", "application/pdf", writePDF},
	{"bibtex", ".bib", "application/x-bibtex; charset=utf-8", texts(bibtex)},
	{"ris", ".ris", "application/x-research-info-systems; charset=utf-8", texts(ris)},
	{"csl", ".csl.json", "application/vnd.citationstyles.csl+json", csl},
}

func texts(write func(Document) string) func(Document) ([]byte, error) {
	return func(d Document) ([]byte, error) { return []byte(write(d)), nil }
}

// Formats names the forms that Write knows.
func Formats() []string {
	names := make([]string, len(forms))
	for i, f := range forms {
		names[i] = f.name
	}
	return names
}

// Write writes a document in a form. An unknown one is fault not-acceptable.
func Write(d Document, format string) (File, error) {
	at := slices.IndexFunc(forms, func(f form) bool { return f.name == format })
	if at < 0 {
		return File{}, fault.New(fault.NotAcceptable, "Threads are not exported as “"+oneLine(format)+"”.", "Use "+strings.Join(Formats(), ", ")+", json, jsonl or bundle.")
	}
	body, err := forms[at].write(d)
	return File{forms[at].extension, forms[at].mediaType, body}, err
}
