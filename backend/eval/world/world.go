package world

import (
	_ "embed" // what pages say
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

//go:embed main.tsv
var mainRows string

//go:embed aside.tsv
var asideRows string

// Sheets are the two hands that worlds are written by: one to work with, one to
// report with only.
var Sheets = map[string]string{"main": mainRows, "aside": asideRows}

// Roles of a sentence that are no headings of a report.
const (
	Boilerplate = "-"
	Outdated    = "old"
	OfRival     = "rival"
	Unrelated   = "off"
	Claim       = "claim" // one of many pages that say the same
)

// Sentence is one that a page has.
type Sentence struct {
	Text     string
	Roles    []string // headings it belongs under, or the role it has
	Negative bool     // a reader has to know of it
	Answers  bool     // the specific question
	Pair     string   // sentences with the same contradict each other; empty for most
	False    bool     // planted by who lies
}

// Is reports whether the sentence has a role.
func (s Sentence) Is(role string) bool { return slices.Contains(s.Roles, role) }

// Page is one address of the web, or one file.
type Page struct {
	Path, Title, Date string
	Sentences         []Sentence
	Mirrors           string // path of the page that it copies
}

// Subject is what questions are about.
type Subject struct {
	Kind, Name                string
	Diligence, Specific, None string // questions: at large, one with an answer, one without
	Pages                     []Page
	False                     int    // of the pages, that lie
	Lie, Truth                string // what is said of a poll
}

// generator fills in what a world says.
type generator struct {
	random *rand.Rand
	used   map[string]bool
}

// Make writes a world of so many pages a subject, mirrors and rivals included. The
// same seed gives the same world.
func Make(sheet string, seed uint64) ([]Subject, error) {
	g := &generator{random: rand.New(rand.NewPCG(seed, 42)), used: map[string]bool{}}
	var kinds []string
	rows := map[string][][]string{}
	for line := range strings.Lines(Sheets[sheet]) {
		row := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(row) < 4 {
			return nil, fmt.Errorf("a row of %s has %d columns: %q", sheet, len(row), line)
		}
		if !slices.Contains(kinds, row[0]) {
			kinds = append(kinds, row[0])
		}
		rows[row[0]] = append(rows[row[0]], row)
	}
	var all []Subject
	for _, kind := range kinds {
		if kind == "poll" {
			all = append(all, g.poll(rows[kind], 1), g.poll(rows[kind], 3))
			continue
		}
		all = append(all, g.subject(kind, rows[kind]))
	}
	return all, nil
}

var (
	onsets  = []string{"B", "Br", "D", "Dr", "F", "G", "H", "K", "Kv", "L", "M", "N", "P", "R", "S", "Sk", "T", "Tr", "V", "Z"}
	middles = []string{"a", "e", "i", "o", "u", "au", "ei", "ao"}
	codas   = []string{"ldan", "rmek", "nvor", "ssil", "tra", "vend", "lqu", "mbir", "rdo", "ntek", "skar", "lmo"}
	second  = map[string][]string{
		"company": {"Pumps", "Marine", "Foundries"}, "product": {"Base", "Store"}, "medicine": {"forte"}, "law": {"Tenancy Act", "Lease Act"},
		"place": {"Haven", "Bay"}, "bank": {"Savings Bank", "Trust"}, "poll": {"Observatory", "Society"},
	}
	first = []string{"Ilse", "Marek", "Oona", "Teodor", "Yara", "Piet", "Signe", "Ravi"}
)

func (g *generator) pick(of []string) string { return of[g.random.IntN(len(of))] }

func (g *generator) word() string {
	for {
		if w := g.pick(onsets) + g.pick(middles) + g.pick(codas); !g.used[w] {
			g.used[w] = true
			return w
		}
	}
}

// fillings are the names and numbers of one subject.
func (g *generator) fillings(kind string) (name string, fill *strings.Replacer) {
	alias, rival := g.word(), g.word()
	name = alias + " " + g.pick(second[kind])
	pairs := []string{"{X}", name, "{A}", alias, "{R}", rival + " " + g.pick(second[kind]), "{y1}", fmt.Sprint(2001 + g.random.IntN(20))}
	for i := range 3 {
		pairs = append(pairs, fmt.Sprintf("{P%d}", i+1), g.pick(first)+" "+g.word(), fmt.Sprintf("{Q%d}", i+1), g.word())
	}
	for i := range 9 {
		pairs = append(pairs, fmt.Sprintf("{n%d}", i+1), fmt.Sprint(1000+1000*i+g.random.IntN(900)))
	}
	return name, strings.NewReplacer(append(pairs, "{m1}", fmt.Sprint(10000+g.random.IntN(9000)))...)
}

func (g *generator) subject(kind string, rows [][]string) Subject {
	name, fill := g.fillings(kind)
	s := Subject{Kind: kind, Name: name}
	for _, row := range rows {
		text := fill.Replace(row[3])
		switch {
		case row[1] == "?":
			s.ask(row[2], text)
		case row[2] == "title":
			s.Pages = append(s.Pages, Page{Path: s.path(row[1]), Title: text, Date: row[4]})
		default:
			p := &s.Pages[len(s.Pages)-1]
			p.Sentences = append(p.Sentences, sentence(row[2], text))
		}
	}
	s.mirror(1)
	return s
}

func (s *Subject) ask(role, question string) {
	switch role {
	case "due":
		s.Diligence = question
	case "deep":
		s.Specific = question
	case "none":
		s.None = question
	}
}

func (s *Subject) path(page string) string {
	return strings.ToLower(strings.ReplaceAll(s.Name, " ", "-")) + "/" + page
}

// mirror copies a page to another address, as syndication does.
func (s *Subject) mirror(at int) {
	copied := s.Pages[at]
	copied.Mirrors, copied.Path, copied.Title = copied.Path, copied.Path+"-reprint", copied.Title+" (reprint)"
	s.Pages = append(s.Pages, copied)
}

// sentence reads a role: headings with commas, "!" for what has to be known, "=" for
// the answer, "~n" for one of a pair.
func sentence(role, text string) Sentence {
	role, pair, _ := strings.Cut(role, "~")
	x := Sentence{Text: text, Pair: pair, Negative: strings.HasSuffix(role, "!"), Answers: strings.HasSuffix(role, "=")}
	x.Roles = strings.Split(strings.TrimRight(role, "!="), ",")
	return x
}

// poll is ten pages that say one thing, of which some lie.
func (g *generator) poll(rows [][]string, lies int) Subject {
	name, fill := g.fillings("poll")
	s := Subject{Kind: "poll", Name: name, False: lies, Truth: g.word(), Lie: g.word()}
	for i, row := range rows {
		text := fill.Replace(row[3])
		if row[1] == "?" {
			s.ask(row[2], text)
			continue
		}
		value := s.Truth
		if i <= lies {
			value = s.Lie
		}
		x := Sentence{Text: strings.ReplaceAll(text, "{V}", value), Roles: []string{Claim}, False: i <= lies, Answers: true}
		s.Pages = append(s.Pages, Page{Path: s.path(row[1]), Title: fmt.Sprintf("%s, account %s", s.Name, row[1]), Date: "2024-05-01", Sentences: []Sentence{x}})
	}
	return s
}
