package extract

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"

	"footnote/backend/extract/formattest"
	"footnote/backend/extract/layout"
)

type corpusEntry struct {
	File, Format, Category string
	Refs                   []struct{ Kind, File, Path string }
}

func corpus(t *testing.T) (dir string, entries []corpusEntry) {
	t.Helper()
	dir = formattest.Shared(t, "data", "documents")
	f, err := os.Open(filepath.Join(dir, "manifest.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e corpusEntry
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	return dir, entries
}

// words counts the words of a text, without marks.
func words(text string) map[string]int {
	count := map[string]int{}
	for _, w := range strings.FieldsFunc(strings.ToLower(layout.PlainLetters(text)), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.M, r) }) {
		count[w]++
	}
	return count
}

// wordF1 compares two bags of words.
func wordF1(got, want string) float64 {
	a, b := words(got), words(want)
	both, all := 0, 0
	for w, n := range a {
		both += min(n, b[w])
		all += n
	}
	for _, n := range b {
		all += n
	}
	if all == 0 {
		return 1
	}
	return 2 * float64(both) / float64(all)
}

// scores are mean word F1 against the references that come with the documents, by
// format and kind of reference.
type scores struct {
	sum map[string]float64
	n   map[string]int
}

// add compares a document with its references.
func (s *scores) add(t *testing.T, dir string, e corpusEntry, text string) {
	for _, ref := range e.Refs {
		want, err := os.ReadFile(filepath.Join(dir, ref.File+ref.Path))
		kind, _, _ := strings.Cut(ref.Kind, " ")
		key := e.Format + "/" + kind
		if err != nil || floors[key] == 0 || len(words(string(want))) < 3 {
			continue
		}
		f := wordF1(text, string(want))
		s.sum[key] += f
		s.n[key]++
		if f < 0.9 {
			t.Logf("%s %.3f %s", key, f, e.File)
		}
	}
}

var floors = map[string]float64{"pdf/poppler": 0.88, "pdf/upstream": 0.85, "docx/upstream": 0.85, "html/upstream": 0.85, "md/upstream": 0.8, "csv/upstream": 0.8}

func (s *scores) hold(t *testing.T) {
	for key, n := range s.n {
		mean := s.sum[key] / float64(n)
		t.Logf("%s: mean word F1 %.3f over %d", key, mean, n)
		if mean < floors[key] {
			t.Errorf("%s: mean word F1 %.3f is under %.2f", key, mean, floors[key])
		}
	}
}

// TestCorpusEndsInTextOrAReason holds that broken, fuzzed, encrypted and hostile
// files end in a reason, and in time, and what is read by a floor for each format.
func TestCorpusEndsInTextOrAReason(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir, entries := corpus(t)
	lim := DefaultLimits()
	lim.Time *= 4 // the race detector on a busy machine; what hangs takes longer
	pool := testPool(t, "serve", 2, lim)
	count, read := map[string]int{}, scores{map[string]float64{}, map[string]int{}}
	for _, e := range entries {
		start := time.Now()
		doc, err := pool.Extract(context.Background(), filepath.Join(dir, e.File))
		if took := time.Since(start); took > 2*lim.Time {
			t.Errorf("%s took %s", e.File, took)
		}
		if e.Category == "normal" || e.Format == "pdf" {
			read.add(t, dir, e, doc.Text)
		}
		var fail *Error
		switch {
		case err == nil:
			formattest.CheckDocument(t, doc)
			count["text"]++
		case errors.As(err, &fail) && fail.Reason != "":
			count[fail.Code]++
			if fail.Code == Crashed || fail.Code == Memory || fail.Code == Timeout || e.Category == "normal" && fail.Code != Unsupported {
				t.Logf("%s (%s): %v", e.File, e.Category, err)
			}
			if e.Category == "encrypted" && fail.Code != Encrypted && fail.Code != Unsupported {
				t.Logf("%s is encrypted: %v", e.File, err)
			}
		default:
			t.Errorf("%s: %v", e.File, err)
		}
	}
	t.Logf("%v", count)
	if count[Crashed]+count[Timeout] > 0 {
		t.Errorf("%d crashed, %d hung", count[Crashed], count[Timeout])
	}
	read.hold(t)
}

// TestFilingsKeepNumbersBesideTheirLabels reads the quarterly reports that
// questions are asked about.
func TestFilingsKeepNumbersBesideTheirLabels(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	dir := formattest.Shared(t, "data", "local-qa", "sec-10-q", "docs")
	rows := map[string][]string{
		"2022 Q3 AAPL.pdf": {"Total net sales  82,959  81,434  304,182  282,457", "Net income  $19,442  $21,744  $79,082  $74,129", "June 25, 2022  September 25, 2021"},
		"2023 Q1 AAPL.pdf": {"Total net sales  117,154  123,945", "Operating income  36,016  41,488", "Diluted  $1.88  $2.10"},
		"2023 Q2 AAPL.pdf": {"Total net sales  94,836  97,278  211,990  221,223"},
		"2023 Q3 AAPL.pdf": {"Total net sales  81,797  82,959  293,787  304,182"},
	}
	for name, want := range rows {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		doc, err := Extract(context.Background(), "application/pdf", name, data, DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		formattest.CheckDocument(t, doc)
		t.Logf("%s: %d pages in %s", name, doc.Coverage.Pages, time.Since(start))
		for _, row := range want {
			if !strings.Contains(doc.Text, "\n"+row) {
				t.Errorf("%s: no row %q", name, row)
			}
		}
	}
}

type olmTest struct {
	PDF    string
	Page   int
	ID     string
	Type   string
	Text   string
	Before string
	After  string
}

// TestReadingOrder runs the order and presence tests that come with some PDFs.
func TestReadingOrder(t *testing.T) {
	dir := formattest.Shared(t, "data", "documents")
	f, err := os.Open(filepath.Join(dir, "reference", "olmocr-tests.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	plain := func(s string) string {
		return strings.Join(strings.Fields(strings.NewReplacer("“", `"`, "”", `"`, "’", "'").Replace(s)), " ")
	}
	texts := map[string]string{}
	passed, all := map[string]int{}, map[string]int{}
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var o olmTest
		if err := json.Unmarshal(lines.Bytes(), &o); err != nil {
			t.Fatal(err)
		}
		if _, ok := texts[o.PDF]; !ok {
			data, err := os.ReadFile(filepath.Join(dir, "pdf", "olmocr__"+o.PDF))
			if err != nil {
				continue
			}
			doc, _ := Extract(context.Background(), "application/pdf", o.PDF, data, DefaultLimits())
			texts[o.PDF] = plain(doc.Text)
		}
		text, ok := texts[o.PDF], false
		switch o.Type {
		case "present":
			ok = strings.Contains(text, plain(o.Text))
		case "order":
			before, after := strings.Index(text, plain(o.Before)), strings.LastIndex(text, plain(o.After))
			ok = before >= 0 && after > before
		default:
			continue
		}
		all[o.Type]++
		if ok {
			passed[o.Type]++
		} else {
			t.Logf("%s %s: %q %q %q", o.Type, o.ID, o.Text, o.Before, o.After)
		}
	}
	t.Logf("passed %v of %v", passed, all)
}
