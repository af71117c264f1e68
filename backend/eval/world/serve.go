package world

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"math"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

const resultsOfPage = 10

// Serve puts pages on an address of this computer, with the search that SearXNG
// offers, until close is called.
func Serve(ctx context.Context, pages []Page) (base string, closing func() error, err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, fmt.Errorf("serve a world: %w", err)
	}
	base = "http://" + listener.Addr().String()
	server := &http.Server{Handler: handler(base, pages), ReadHeaderTimeout: 10 * time.Second}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	return base, func() error {
		err := server.Close()
		if served := <-ended; !errors.Is(served, http.ErrServerClosed) {
			err = errors.Join(err, served)
		}
		return err
	}, nil
}

func handler(base string, pages []Page) http.Handler {
	mux := http.NewServeMux()
	for _, p := range pages {
		mux.HandleFunc("GET /"+p.Path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			fmt.Fprint(w, p.html())
		})
	}
	mux.HandleFunc("GET /search", func(w http.ResponseWriter, r *http.Request) {
		type hit struct {
			URL       string `json:"url"`
			Title     string `json:"title"`
			Content   string `json:"content"`
			Published string `json:"publishedDate"`
		}
		hits := []hit{}
		for _, p := range found(pages, r.FormValue("q"), r.FormValue("pageno")) {
			hits = append(hits, hit{base + "/" + p.Path, p.Title, p.Sentences[len(p.Sentences)-1].Text, p.Date})
		}
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]any{"results": hits, "unresponsive_engines": []any{}}) //nolint:errcheck // the client is gone
	})
	return mux
}

// found is a page of what shares words with a query, rare words first.
func found(pages []Page, query, pageNo string) []Page {
	spread, words := map[string]int{}, make([]map[string]bool, len(pages))
	for i, p := range pages {
		words[i] = wordsOf(p.Title + " " + p.text())
		for w := range words[i] {
			spread[w]++
		}
	}
	scores, order := make([]float64, len(pages)), []int{}
	for i := range pages {
		for w := range wordsOf(query) {
			if words[i][w] {
				scores[i] += math.Round(1000 * math.Log(1+float64(len(pages))/float64(spread[w]))) // whole: the order of sums is chance
			}
		}
		if scores[i] > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	n, err := strconv.Atoi(pageNo)
	if err != nil || n < 1 {
		n = 1
	}
	var out []Page
	for _, i := range order[min(len(order), (n-1)*resultsOfPage):min(len(order), n*resultsOfPage)] {
		out = append(out, pages[i])
	}
	return out
}

func wordsOf(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) }) {
		if len(w) > 2 {
			set[w] = true
		}
	}
	return set
}

func (p Page) text() string {
	var lines []string
	for _, s := range p.Sentences {
		lines = append(lines, s.Text)
	}
	return strings.Join(lines, "\n\n")
}

func (p Page) html() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><html lang=en><head><title>%s</title><meta property=\"article:published_time\" content=\"%s\"></head><body><nav><a href=/>Home</a></nav><main><article><h1>%s</h1>", html.EscapeString(p.Title), p.Date, html.EscapeString(p.Title))
	for _, s := range p.Sentences {
		fmt.Fprintf(&b, "<p>%s</p>\n", html.EscapeString(s.Text))
	}
	b.WriteString("</article></main></body></html>")
	return b.String()
}

// Write puts pages into a folder, one file each.
func Write(dir string, pages []Page) error {
	for _, p := range pages {
		name := filepath.Join(dir, filepath.FromSlash(p.Path)+".md")
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return fmt.Errorf("write a world: %w", err)
		}
		if err := os.WriteFile(name, []byte("# "+p.Title+"\n\n"+p.Date+"\n\n"+p.text()+"\n"), 0o644); err != nil {
			return fmt.Errorf("write a world: %w", err)
		}
	}
	return nil
}
