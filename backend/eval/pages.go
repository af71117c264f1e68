package eval

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"footnote/backend/web"
)

// PageOptions of Pages.
type PageOptions struct {
	Method     string // footnote, readability or all; empty = footnote
	ScoresFile string // write the score of each page, one JSON object a line; empty = no
}

// PageRow is the result of one set of pages: word multisets, mean a page.
type PageRow struct {
	Set       string  `json:"set"`
	Method    string  `json:"method"`
	Pages     int     `json:"pages"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
	Failed    int     `json:"failed"` // pages that gave no text
}

// String is one line for people.
func (r PageRow) String() string {
	return fmt.Sprintf("%-16s %-12s F1 %.3f  precision %.3f  recall %.3f  %d pages, %d gave nothing", r.Set, r.Method, r.F1, r.Precision, r.Recall, r.Pages, r.Failed)
}

type pageScore struct {
	Set       string  `json:"set"`
	Page      string  `json:"page"`
	Method    string  `json:"method"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	F1        float64 `json:"f1"`
}

// pageReaders read the article of a page, by method.
var pageReaders = []struct {
	name string
	read func(markup string, address *url.URL) string
}{{"footnote", web.ArticleText}, {"readability", web.ReadabilityText}}

// Pages measures how pages of the web are read: folders of name/source.html with
// expected.html or expected.txt, or fixtures/name.html with expected/name.md.
func Pages(ctx context.Context, dirs []string, opt PageOptions) (rows []PageRow, err error) {
	var all []pageScore
	for _, dir := range dirs {
		pages, err := findPages(dir)
		if err != nil {
			return rows, err
		}
		for _, reader := range pageReaders {
			if opt.Method != "all" && opt.Method != reader.name && !(opt.Method == "" && reader.name == "footnote") {
				continue
			}
			scores, err := scorePages(ctx, pages, reader.name, reader.read)
			if err != nil {
				return rows, err
			}
			for i := range scores {
				scores[i].Set = setName(dir)
			}
			all = append(all, scores...)
			rows = append(rows, pageRow(setName(dir), reader.name, scores))
		}
	}
	if opt.ScoresFile != "" {
		err = writeScores(opt.ScoresFile, all)
	}
	return rows, err
}

// labelledPage is a page with the file of the text that it should give.
type labelledPage struct{ name, source, wanted string }

func findPages(dir string) (pages []labelledPage, err error) {
	for _, form := range []struct{ source, wanted string }{
		{"*/source.html", "expected.html"}, {"*/source.html", "expected.txt"}, {"fixtures/*.html", "md"},
	} {
		sources, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(form.source)))
		if err != nil {
			return nil, fmt.Errorf("read set: %w", err)
		}
		for _, s := range sources {
			p := labelledPage{name: filepath.Base(filepath.Dir(s)), source: s, wanted: filepath.Join(filepath.Dir(s), form.wanted)}
			if form.wanted == "md" {
				p.name = strings.TrimSuffix(filepath.Base(s), ".html")
				p.wanted = filepath.Join(dir, "expected", p.name+".md")
			}
			if _, err := os.Stat(p.wanted); err == nil {
				pages = append(pages, p)
			}
		}
	}
	if len(pages) == 0 {
		return nil, fmt.Errorf("read set %s: no folder with source.html and expected.html", setName(dir))
	}
	slices.SortFunc(pages, func(a, b labelledPage) int { return strings.Compare(a.name, b.name) })
	return pages, nil
}

func scorePages(ctx context.Context, pages []labelledPage, method string, read func(string, *url.URL) string) (scores []pageScore, err error) {
	address := &url.URL{Scheme: "https", Host: "example.org", Path: "/page"}
	for _, p := range pages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		source, err := os.ReadFile(p.source)
		if err != nil {
			return nil, fmt.Errorf("read page: %w", err)
		}
		wanted, err := os.ReadFile(p.wanted)
		if err != nil {
			return nil, fmt.Errorf("read page: %w", err)
		}
		s := pageScore{Page: p.name, Method: method}
		got := wordsOf(read(string(source), address))
		s.Precision, s.Recall, s.F1 = agreement(bagOf(got), bagOf(wantedWords(p.wanted, string(wanted))))
		scores = append(scores, s)
	}
	return scores, nil
}

func wantedWords(file, text string) []string {
	switch filepath.Ext(file) {
	case ".html":
		text = web.VisibleText(text)
	case ".md":
		text = plainMarkdown(text)
	}
	return wordsOf(text)
}

func pageRow(set, method string, scores []pageScore) PageRow {
	row := PageRow{Set: set, Method: method, Pages: len(scores)}
	n := float64(max(1, len(scores)))
	for _, s := range scores {
		row.Precision += s.Precision / n
		row.Recall += s.Recall / n
		row.F1 += s.F1 / n
		if s.F1 == 0 {
			row.Failed++
		}
	}
	return row
}
