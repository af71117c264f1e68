package markup

import (
	"context"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
)

// ManualHead begins the source of a manual page, after comments and definitions.
var ManualHead = regexp.MustCompile(`(?m)^\.TH\s+\S`)

// ReadManual reads the source of a manual page, written with the macros of man(7):
// sections, paragraphs, and options with their descriptions, each a block.
func ReadManual(_ context.Context, b *format.Builder, _ string, data []byte, lim format.Limits) error {
	m := &manual{b: b}
	lines := strings.Split(textOf(b, data, "", lim), "\n")
	for i := 0; i < len(lines); i++ {
		m.at = i + 1
		if end := skipped(lines, i); end > i {
			i = end - 1
			continue
		}
		m.line(lines[i])
	}
	m.end()
	return nil
}

// manual writes the blocks of a manual page.
type manual struct {
	b        *format.Builder
	at, from int // the line that is read, and the first of the open block
	words    []string
	term     string // what the open block describes
	tag      bool   // the next words are a term
	heading  int    // level of a heading whose words stand on the next line
	begun    bool   // the head was read
	plain    bool   // lines are kept as they stand
}

// skipped is where what begins at a line and shows nothing ends: the definition of a
// macro, or what only some printers do.
func skipped(lines []string, i int) int {
	name, _ := request(lines[i])
	switch name {
	case "de", "de1", "am", "ig":
		for i++; i < len(lines) && !strings.HasPrefix(lines[i], ".."); i++ {
		}
		return i + 1
	case "if", "ie", "el":
		for open := 0; i < len(lines); {
			open += strings.Count(lines[i], `\{`) - strings.Count(lines[i], `\}`)
			if i++; open <= 0 {
				break
			}
		}
		return i
	}
	return i
}

// request takes a line apart that begins with a macro.
func request(line string) (name, rest string) {
	if line == "" || line[0] != '.' && line[0] != '\'' {
		return "", line
	}
	name, rest, _ = strings.Cut(strings.TrimLeft(line[1:], " \t"), " ")
	return name, rest
}

func (m *manual) line(line string) {
	name, rest := request(line)
	switch {
	case strings.HasPrefix(name, `\"`):
	case name == "TH":
		if args := arguments(rest); len(args) > 1 && !m.begun {
			m.b.Doc.Source.Title = args[0] + "(" + args[1] + ")"
		}
		m.begun = true
	case !m.begun:
	case line != rest || name != "":
		m.macro(name, rest)
	case strings.TrimSpace(line) == "" && !m.plain:
		m.flush()
	default:
		m.say(shown(line))
	}
}

func (m *manual) macro(name, rest string) {
	switch name {
	case "SH", "SS":
		m.end()
		m.heading = map[string]int{"SH": 1, "SS": 2}[name]
		if text := strings.Join(arguments(rest), " "); text != "" {
			m.say(text)
		}
	case "PP", "P", "LP", "HP", "RE":
		m.end()
	case "RS":
		m.indent()
	case "sp", "br", "Sp":
		m.flush()
	case "TP":
		m.end()
		m.tag = true
	case "TQ":
		m.tag = true
	case "IP":
		m.end()
		m.term = strings.Join(arguments(rest)[:min(1, len(arguments(rest)))], "")
	case "nf", "EX", "Vb":
		m.end()
		m.plain = true
	case "fi", "EE", "Ve":
		m.flush()
		m.plain = false
	case "B", "I", "SM", "SB":
		m.say(strings.Join(arguments(rest), " "))
	case "BR", "RB", "BI", "IB", "IR", "RI":
		m.say(strings.Join(arguments(rest), ""))
	}
}

// say takes in words: of a heading, of a term, or of the open block.
func (m *manual) say(text string) {
	switch {
	case m.heading > 0:
		m.b.Add(evidence.Block{Kind: evidence.Heading, Level: m.heading, Line: m.at}, text)
		m.heading = 0
	case m.tag:
		if m.tag = false; m.term != "" {
			text = m.term + ", " + text
		}
		m.term = text
	default:
		if len(m.words) == 0 {
			m.from = m.at
		}
		m.words = append(m.words, text)
	}
}

// indent begins what stands deeper: the description of a term, where one short line
// stands above it.
func (m *manual) indent() {
	if len(m.words) == 1 && m.term == "" && !m.plain && utf8.RuneCountInString(m.words[0]) <= longestTerm {
		m.term, m.words = m.words[0], nil
		return
	}
	m.end()
}

// end writes the open block, and a term that nothing describes.
func (m *manual) end() {
	m.flush()
	if m.term != "" && !isBullet(m.term) {
		m.b.Add(evidence.Block{Kind: evidence.ListItem, Line: m.at}, m.term)
	}
	m.term = ""
}

func isBullet(term string) bool {
	return len([]rune(term)) == 1 && strings.ContainsAny(term, "•-*o·")
}

// flush writes the open block. A term alone waits for its description.
func (m *manual) flush() {
	if len(m.words) == 0 {
		return
	}
	if m.plain {
		m.b.Add(evidence.Block{Kind: evidence.Code, Line: m.from}, strings.Join(m.words, "\n"))
		m.words = nil
		return
	}
	block, text := evidence.Block{Kind: evidence.Paragraph, Line: m.from}, strings.Join(m.words, " ")
	switch {
	case m.term == "":
	case isBullet(m.term):
		block.Kind = evidence.ListItem
	default:
		block.Kind, text = evidence.ListItem, strings.TrimSuffix(m.term, ":")+": "+text
	}
	m.b.Add(block, text)
	m.words, m.term = nil, ""
}

// arguments are those of a macro, parted by blanks outside quotation marks, as shown.
func arguments(rest string) (args []string) {
	for rest = strings.TrimSpace(rest); rest != "" && !strings.HasPrefix(rest, `\"`); rest = strings.TrimLeft(rest, " \t") {
		end := 0
		if rest[0] == '"' {
			word, after, _ := strings.Cut(rest[1:], `"`)
			args, rest = append(args, shown(word)), after
			continue
		}
		for end < len(rest) && rest[end] != ' ' && rest[end] != '\t' {
			if rest[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end, len(rest))
		args, rest = append(args, shown(rest[:end])), rest[end:]
	}
	return args
}

var escape = regexp.MustCompile(`\\(?:f(?:\[[^]]*\]|\(..|.)|s[-+]?\d{1,2}|[*](?:\(..|\[[^]]*\]|.)|[mM]\[[^]]*\]|[hvwD]'[^']*'|\(..|\[[^]]*\]|".*|.|$)`)

// named are the signs that have names.
var named = map[string]string{
	"aq": "'", "dq": `"`, "bu": "•", "em": "—", "en": "–", "hy": "-", "co": "©", "rg": "®", "lq": "“", "rq": "”", "oq": "‘", "cq": "’", "ti": "~", "ha": "^", "rs": `\`,
	"->": "→", "<-": "←", ">=": "≥", "<=": "≤", "mu": "×", "+-": "±", "de": "°", "sc": "§", "ga": "`", "at": "@", "sh": "#", "Aq": "'", "L\"": "“", "R\"": "”", "C`": "`", "C'": "'", "--": "—",
}

// shown is a text as a manual page shows it, without what only says how.
func shown(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	return escape.ReplaceAllStringFunc(text, func(e string) string {
		switch e = e[1:]; {
		case e == "-":
			return "-"
		case e == "e" || e == `\`:
			return `\`
		case e == " " || e == "~" || e == "0":
			return " "
		case e == "." || e == "'" || e == "`":
			return e
		case strings.HasPrefix(e, "[u") && len(e) > 6:
			if code, err := strconv.ParseInt(strings.TrimSuffix(e[2:], "]"), 16, 32); err == nil {
				return string(rune(code))
			}
		}
		e = strings.TrimPrefix(e, "*")
		return named[strings.Trim(strings.TrimPrefix(e, "("), "[]")]
	})
}
