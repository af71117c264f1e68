package searxng

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"

	"footnote/backend/answer/gather"
	"footnote/backend/fault"
)

func TestSuggestionsAreReadInBothForms(t *testing.T) {
	for body, want := range map[string][]string{
		`["tower", "tower <b>bridge</b>", 7, ""]`:       {"tower", "tower bridge"},
		`["tow", ["tower", "tower bridge"], [], []]`:    {"tower", "tower bridge"},
		`["a","b","c","d","e","f","g","h","i","j","k"]`: {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"},
		`[]`: {},
	} {
		if got, err := parseSuggestions([]byte(body)); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q %v", body, got, err)
		}
	}
	if _, err := parseSuggestions([]byte(`<html>`)); fault.CodeOf(err) != fault.SearchFailed {
		t.Error(err)
	}
}

func TestPicturesAndVideosAreCategoriesOfTheInstance(t *testing.T) {
	var asked []string
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path+" "+r.URL.Query().Get("categories")+" "+r.URL.Query().Get("q"))
		if r.URL.Path == "/autocompleter" {
			fmt.Fprint(w, `["lamp", ["lamp post"]]`)
			return
		}
		fmt.Fprint(w, `{"results":[{"title":"A lamp","url":"https://a.example/page","img_src":"https://a.example/big.jpg","thumbnail_src":"https://a.example/small.jpg"}]}`)
	}))
	defer s.Close()
	e := engineAt(s.URL)
	leads, err := e.Find(t.Context(), gather.WebQuery{Text: "lamp", N: 5, Category: "images"})
	if err != nil || leads[0].Image != "https://a.example/small.jpg" {
		t.Errorf("%+v %v", leads, err)
	}
	if got, err := e.Suggest(t.Context(), "la"); err != nil || !slices.Equal(got, []string{"lamp post"}) {
		t.Errorf("%q %v", got, err)
	}
	if want := []string{"/search images lamp", "/autocompleter  la"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q", asked)
	}
}

func FuzzSuggestions(f *testing.F) {
	f.Add([]byte(`["tow", ["tower"]]`))
	f.Fuzz(func(t *testing.T, data []byte) {
		if found, err := parseSuggestions(data); err == nil && (found == nil || len(found) > mostSuggestions || slices.Contains(found, "")) {
			t.Fatalf("%q", found)
		}
	})
}
