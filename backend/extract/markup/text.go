package markup

import (
	"context"
	"encoding/csv"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// codeLines is how many lines of code make one block.
const codeLines = 100

// textOf decodes data, of which no more than the limit is read.
func textOf(b *format.Builder, data []byte, declared string, lim format.Limits) string {
	if len(data) > lim.Text {
		data = data[:lim.Text]
		b.Partly("Only the first 20 MB of the text were read.")
	}
	return b.Decode(data, declared)
}

// ReadPlain reads prose: paragraphs between blank lines. Lines that were
// wrapped at a fixed width flow together; others keep their line ends.
func ReadPlain(_ context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	lines := strings.Split(textOf(b, data, "", lim), "\n")
	set := sheetOf(lines)
	titled := false
	var before []string
	for at, end := paragraphAt(lines, 0); at < len(lines); {
		next, after := paragraphAt(lines, end)
		level := set.title(before, lines[at:end], lines[next:after])
		if level == 1 && titled {
			level = 2
		}
		titled = titled || level == 1
		from := at
		if level > 0 {
			b.Add(evidence.Block{Kind: evidence.Heading, Level: min(level, 6), Line: at + 1}, lines[at])
			from++
		}
		if from < end {
			addParagraph(b, lines[from:end], from+1)
		}
		before, at, end = lines[at:end], next, after
	}
	return nil
}

// paragraphAt is where the lines between two blank ones stand, from line i on.
func paragraphAt(lines []string, i int) (start, end int) {
	for i < len(lines) && strings.TrimSpace(lines[i]) == "" {
		i++
	}
	end = i
	for end < len(lines) && strings.TrimSpace(lines[end]) != "" {
		end++
	}
	return i, end
}

var bullet = regexp.MustCompile(`^\s*([-*+•–·]|\(?[0-9]{1,3}[.)]|\(?[a-z][.)])\s+\S`)
var underline = regexp.MustCompile(`^\s*(={3,}|-{3,}|~{3,}|\^{3,}|#{3,}|\*{3,})\s*$`)

// addParagraph writes the lines between two blank ones; the first has number n.
func addParagraph(b *format.Builder, lines []string, n int) {
	if len(lines) >= 2 && underline.MatchString(lines[1]) && len(lines[0]) < 120 {
		level := strings.IndexByte("=-~^#*", strings.TrimSpace(lines[1])[0]) + 1
		b.Add(evidence.Block{Kind: evidence.Heading, Level: level, Line: n}, lines[0])
		if len(lines) > 2 {
			addParagraph(b, lines[2:], n+2)
		}
		return
	}
	set := typeset(lines)
	divided := false
	for i, l := range lines {
		block := evidence.Block{Kind: evidence.Paragraph, Line: n + i}
		if bullet.MatchString(l) {
			block.Kind = evidence.ListItem
		}
		before := divided
		if divided = i+1 < len(lines) && endsDivided(l, lines[i+1]); divided {
			l = strings.TrimSuffix(l, hyphen)
		}
		switch {
		case i == 0 || block.Kind == evidence.ListItem:
			b.Add(block, l)
		case before:
			block.Kind = b.Blocks[max(0, len(b.Blocks)-1)].Kind
			b.Append("", block, l)
		case set.flows(i):
			block.Kind = b.Blocks[max(0, len(b.Blocks)-1)].Kind
			b.Flow(block, l)
		case set.items[i]:
			block.Kind, block.Level = evidence.ListItem, evidence.Nested{Depth: 1, GoesOn: true}.Level()
			b.AddLine(block, l)
		default:
			b.AddLine(block, l)
		}
	}
}

// hyphen is the character that typesetters such as groff divide words with; the
// plain "-" may belong to the word.
const hyphen = "\u2010"

// endsDivided reports whether a word that line ends with goes on in next.
func endsDivided(line, next string) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(next, " \t"))
	return strings.HasSuffix(line, hyphen) && unicode.IsLower(first) && !bullet.MatchString(next)
}

// ReadCode reads a format whose lines matter, as it stands.
func ReadCode(_ context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	addCode(b, textOf(b, data, "", lim), 1, "")
	return nil
}

// indent is what a tab in code is written as: its lines keep their depth.
const indent = "    "

// longestLanguage is the longest name of a language, in bytes; longer ones are none.
const longestLanguage = 30

func shortLanguage(name string) string {
	if len(name) > longestLanguage {
		return ""
	}
	return name
}

// addCode writes lines as they stand, in blocks of at most codeLines, of a
// language as the file names it.
func addCode(b *format.Builder, text string, line int, language string) {
	language = shortLanguage(language)
	text = strings.ReplaceAll(text, "\t", indent)
	for text != "" && !b.Full() {
		end, n := 0, 0
		for n < codeLines && end < len(text) {
			i := strings.IndexByte(text[end:], '\n')
			if i < 0 {
				end = len(text)
				break
			}
			end, n = end+i+1, n+1
		}
		part := text[:end]
		skipped := len(part) - len(strings.TrimLeft(part, "\n"))
		b.Append("\n", evidence.Block{Kind: evidence.Code, Line: line + skipped, Label: language}, strings.TrimRight(part, "\n"))
		text, line = text[end:], line+n
	}
}

// ReadTable reads comma or tab separated rows, each with its line. What is no
// table after all is read as lines.
func ReadTable(_ context.Context, b *format.Builder, name string, data []byte, lim format.Limits) error {
	text := textOf(b, data, "", lim)
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.ReuseRecord = separator(name, text), -1, true, true
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			b.Partly("The table breaks off: a row could not be read.")
			return nil
		}
		line, _ := r.FieldPos(0)
		b.AddRow(evidence.Block{Line: line}, cells)
	}
}

const separated = 60 // lines that tell what parts the cells of a table

// separator is the one of , ; tab and | that most lines have as often as one another: notes above
// a table have their own commas, and figures theirs.
func separator(name, text string) rune {
	if strings.HasSuffix(strings.ToLower(name), ".tsv") {
		return '\t'
	}
	best, most, often := ',', 0, 0
	for _, c := range ",;\t|" {
		alike, n := map[int]int{}, 0
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line == "" {
				continue
			}
			if n++; n > separated {
				break
			}
			alike[strings.Count(line, string(c))]++
		}
		delete(alike, 0)
		for times, lines := range alike {
			if lines > most || lines == most && times > often {
				best, most, often = c, lines, times
			}
		}
	}
	return best
}

var cueTime = regexp.MustCompile(`^\s*(\d+:)?\d{1,2}:\d{2}[,.]\d{1,3}\s+-->`)
var cueTag = regexp.MustCompile(`<[^<>]*>`)

// ReadSubtitles reads what is said, without times and numbers.
func ReadSubtitles(_ context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	lines := strings.Split(textOf(b, data, "", lim), "\n")
	said := false
	for i, l := range lines {
		switch {
		case cueTime.MatchString(l):
			said = true
		case strings.TrimSpace(l) == "":
			said = false
		case said:
			block := evidence.Block{Kind: evidence.Paragraph, Line: i + 1}
			b.Flow(block, cueTag.ReplaceAllString(l, ""))
		}
	}
	return nil
}
