package cells

import (
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"footnote/backend/answer/cells/along"
	"footnote/backend/answer/cells/forms"
	"footnote/backend/answer/cells/limits"
	"footnote/backend/answer/cells/numbers"
	"footnote/backend/answer/cells/times"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// sheet is a table that is counted over: cells by their column, of which the label's
// is the first.
type sheet struct {
	Asked
	rows     []evidence.Row
	whole    []evidence.Row // before any are chosen
	totals   []evidence.Row // those that add others up: they are none of the rows
	code     lang.Code
	unspaced bool
	file     string
	heads    []string
	ids      []int // columns of numbers that only tell rows apart
	matter
	figures numbers.Reader
	only    map[int][]string // cells that the question names, by column
	timing
	among []int // columns that the figures are to be of: their heads name that time, or what is owed
	owes  bool  // how much is still to be paid is asked

	calling
	terms map[string][]cite.Term // by word
	read  map[string]*figureAt   // by cell; nil for what is no figure
}

// timing is how a table has the time that is asked for.
type timing struct {
	dates  int  // the column of it; -1 for none
	ofDay  bool // single days are asked for, and the rows are of them
	timely bool // heads name it, or the whole table is of that time
}

// calling is what the question says of a table and its cells.
type calling struct {
	placed    []bool // words of it that name the table itself
	partly    bool   // of a cell that is a phrase only a part is named
	namesFile bool
	settled   []int // columns of which it says which cells it means
}

func newSheet(a Asked, code lang.Code, m matter, table []evidence.Row, file string) *sheet {
	m.words = slices.Clone(m.words)
	s := &sheet{Asked: a, rows: slices.Clone(table), code: code, unspaced: code == lang.Chinese || code == lang.Japanese, file: file, matter: m, only: map[int][]string{}, timing: timing{dates: -1}, terms: map[string][]cite.Term{}, read: map[string]*figureAt{}}
	s.heads = columnsOf(table)
	var cells []string
	for _, row := range table {
		cells = append(cells, row.Values...)
	}
	s.figures = numbers.ReaderOf(cells[:min(len(cells), numbers.Shows)], lang.Detect(strings.Join(append(slices.Clone(s.heads), cells[:min(len(cells), 60)]...), " ")))
	s.ids = s.idColumns()
	for _, row := range s.rows {
		if lang.IsTotal(row.Label) {
			s.totals = append(s.totals, row)
		}
	}
	s.keep(func(row evidence.Row) bool { return !lang.IsTotal(row.Label) })
	s.whole = slices.Clone(s.rows)
	if m.than.How != "" {
		s.ofOneThing(a.Text[m.than.Said[0]:m.than.Said[1]])
	}
	return s
}

// ofOneThing keeps the rows that have what a question only seems to compare, where some have:
// a "Spay over 25 kg" of a price list is a thing of its own.
func (s *sheet) ofOneThing(phrase string) {
	phrase = strings.ToLower(phrase)
	has := func(cell string) bool { return strings.Contains(strings.ToLower(cell), phrase) }
	kept := slices.DeleteFunc(slices.Clone(s.rows), func(row evidence.Row) bool { return !has(row.Label) && !slices.ContainsFunc(row.Values, has) })
	if len(kept) > 0 {
		amount := s.amount
		s.rows = kept
		s.matter, _ = s.comparing(s.code, limits.Limit{})
		s.amount = s.amount || amount
	}
}

// columnsOf are the heads of a table, that of the first label first: rows leave out what is
// empty.
func columnsOf(table []evidence.Row) (heads []string) {
	add := func(head string) {
		if !slices.Contains(heads, head) {
			heads = append(heads, head)
		}
	}
	for _, row := range table {
		add(row.Of)
		for i := range row.Values {
			add(headAt(row, i))
		}
	}
	return heads
}

// headAt is the head of a value, or its place where heads are not known.
func headAt(row evidence.Row, at int) string {
	if at < len(row.Heads) && row.Heads[at] != "" {
		return row.Heads[at]
	}
	return "#" + strconv.Itoa(at+1)
}

// cellAt is the cell of a row in a column; empty where it has none. What names a row stands
// in its own column, which is not the first one in every row.
func (s *sheet) cellAt(row evidence.Row, at int) string {
	if row.Of == s.heads[at] && (row.Of != "" || at == 0) {
		return strings.TrimSpace(row.Label)
	}
	for i, value := range row.Values {
		if headAt(row, i) == s.heads[at] {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

// cells are the different cells of a column.
func (s *sheet) cells(at int) (cells []string) {
	for _, row := range s.rows {
		if c := s.cellAt(row, at); c != "" && !slices.Contains(cells, c) {
			cells = append(cells, c)
		}
	}
	return cells
}

func (s *sheet) keep(wanted func(evidence.Row) bool) {
	s.rows = slices.DeleteFunc(s.rows, func(row evidence.Row) bool { return !wanted(row) })
}

// isStatement reports whether the rows of a table are different quantities over periods, as
// in reports of firms, and not things of one sort: all its columns have figures, and heads
// say of when. What is asked of such a table is asked along its rows.
func (s *sheet) isStatement() bool {
	ofTime := false
	for at, head := range s.heads {
		if at == 0 || len(s.column(at)) == 0 {
			continue
		}
		if !slices.ContainsFunc(s.column(at), func(f *figureAt) bool { return f != nil }) {
			return false
		}
		p := times.PeriodOf(head)
		ofTime = ofTime || len(p.Years) > 0 || p.Quarters != 0 || p.Length != 0
	}
	return ofTime
}

// named are the open words of the question that a cell has: of a wordy one all or none.
func (s *sheet) named(cell string, whole bool) (found []int) {
	if s.unspaced {
		return s.namedWhole(cell)
	}
	of := s.contentOf(cell)
	for _, c := range of {
		alike := s.alike(c.text)
		hit := slices.IndexFunc(s.words, func(w word) bool {
			return w.open && (len([]rune(w.text)) > 1 || len(of) > 1 && unicode.IsDigit([]rune(w.text)[0])) && alike(w.text) && (!w.cost || s.sameStem(c.text, w.text))
		})
		if hit >= 0 && !slices.Contains(found, hit) {
			found = append(found, hit)
		}
	}
	onlyNumbers := !slices.ContainsFunc(found, func(w int) bool { return strings.ContainsFunc(s.words[w].text, unicode.IsLetter) })
	if (whole || onlyNumbers) && len(found) < len(of) {
		return nil
	}
	return found
}

// isWhole reports whether words of the question are all that a cell has.
func (s *sheet) isWhole(cell string, found []int) bool {
	return s.unspaced || len(found) >= len(s.contentOf(cell))
}

// contentOf are the words of a cell without those that only join others.
func (s *sheet) contentOf(cell string) []word {
	all := wordsOf(cell, false)
	content := slices.DeleteFunc(slices.Clone(all), s.joins)
	if len(content) == 0 {
		return all
	}
	return content
}

func (s *sheet) joins(w word) bool { return lang.IsFunctionWord(s.code, strings.ToLower(w.text)) }

// namedWhole are the characters of the question that are a cell, or what of it stands
// before a bracket.
func (s *sheet) namedWhole(cell string) (found []int) {
	name := strings.TrimSpace(strings.FieldsFunc(cell+" ", func(r rune) bool { return strings.ContainsRune("(（[", r) })[0])
	if len([]rune(name)) < 2 {
		return nil
	}
	at := strings.Index(strings.ToLower(s.Text), strings.ToLower(name))
	if done, ok := strings.CutPrefix(name, "已"); at < 0 && ok && len([]rune(done)) > 1 && !lang.Denies(s.code, s.Text) { // 已取消: 取消了
		name, at = done, strings.Index(s.Text, done)
	}
	if of, tailed := lang.CutTail(s.code, lang.MoneyTail, name); at < 0 && tailed && len([]rune(of)) > 1 { // 夏祭り費 is what was spent on 夏祭り
		name, at = of, strings.Index(s.Text, of)
	}
	if at < 0 {
		return nil
	}
	for i, w := range s.words {
		if at <= w.at && w.at < at+len(name) {
			if !w.open {
				return nil
			}
			found = append(found, i)
		}
	}
	return found
}

// account takes words out of those that are left, in any form.
func (s *sheet) account(text string) {
	if s.unspaced {
		s.accountRuns(text)
		return
	}
	for _, t := range wordsOf(text, false) {
		alike := s.alike(t.text)
		for i, w := range s.words {
			s.words[i].open = w.open && !alike(w.text)
		}
	}
}

// accountRuns takes runs of two characters and more, and words of other scripts, out of
// those that are left.
func (s *sheet) accountRuns(text string) {
	text = strings.ToLower(text)
	single := len([]rune(text)) == 1
	for i := 0; i+1 < len(s.words); i++ {
		a, b := s.words[i], s.words[i+1]
		if pair := strings.ToLower(a.text + b.text); a.at+len(a.text) == b.at && strings.Contains(text, pair) {
			s.words[i].open, s.words[i+1].open = false, false
		}
	}
	for i, w := range s.words {
		if single && w.text == text || len([]rune(w.text)) > 1 && strings.Contains(text, strings.ToLower(w.text)) {
			s.words[i].open = false
		}
	}
}

// accountName accounts for the name of the file where the question has it whole: else
// "orders" may be what is counted.
func (s *sheet) accountName() {
	name := s.name()
	if s.namesFile = along.Named(s.Text, name); s.namesFile {
		s.account(name)
	}
}

func (s *sheet) name() string { return path.Base(strings.ReplaceAll(s.file, `\`, "/")) }

// folder is the name of the file with that of its folder: those above say nothing of it.
func (s *sheet) folder() string {
	whole := strings.ReplaceAll(s.file, `\`, "/")
	return path.Base(path.Dir(whole)) + "/" + path.Base(whole)
}

// accountPlace accounts for words of the file's name, of the headings of the table and of
// what its rows are.
func (s *sheet) accountPlace() {
	s.account(s.heads[0])
	s.account(strings.TrimSuffix(s.name(), path.Ext(s.name())))
	if len(s.rows) == 0 {
		return
	}
	title, _, _ := strings.Cut(s.rows[0].Section, ", ") // behind it are notes: what they are of is no matter of the table
	above := s.rows[0].Heading + " " + title
	s.account(above)
	for _, class := range sorts { // takings, of a sheet of income
		if lang.SaysIn(class, above+" "+along.Words(s.name())) {
			s.close(lang.PlacesOf(s.code, class, s.Text))
		}
	}
}

const (
	keptOfWord = 3 // characters that two forms of a word share at least
	bent       = 3 // and that either may end in otherwise, at most
)

// alike tells forms of a word: of one stem, or the same but for their endings. Forms begin
// alike.
func (s *sheet) alike(of string) func(string) bool {
	a := forms.Plain(forms.Untailed(s.code, of))
	return func(other string) bool {
		b := forms.Plain(forms.Untailed(s.code, other))
		if len(a) == 0 || len(b) == 0 || a[0] != b[0] {
			return false
		}
		if slices.Equal(a, b) {
			return true
		}
		if strings.ContainsFunc(of, unicode.IsDigit) || strings.ContainsFunc(other, unicode.IsDigit) {
			return false
		}
		same := 0
		for same < min(len(a), len(b)) && a[same] == b[same] {
			same++
		}
		return same >= keptOfWord && len(a)-same <= bent && len(b)-same <= bent && 2*same > max(len(a), len(b)) || s.sameStem(of, other)
	}
}

// sameStem reports whether two words are forms of one by their stem.
func (s *sheet) sameStem(a, b string) bool {
	x, y := s.termsOf(a), s.termsOf(b)
	return strings.EqualFold(a, b) || len(x) == 1 && len(y) == 1 && x[0].IsForm(y[0])
}

// termsOf are the terms of a word, each read once: tables say the same again and again.
func (s *sheet) termsOf(word string) []cite.Term {
	terms, known := s.terms[word]
	if !known {
		terms = s.Checker.Terms(word)
		s.terms[word] = terms
	}
	return terms
}
