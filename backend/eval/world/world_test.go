package world

import (
	"encoding/json"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
)

func TestAWorldIsTheSameForASeedAndNamesNothingTwice(t *testing.T) {
	for sheet := range Sheets {
		one, err := Make(sheet, 7)
		if err != nil {
			t.Fatal(err)
		}
		again, _ := Make(sheet, 7)
		other, _ := Make(sheet, 8)
		if !reflect.DeepEqual(one, again) || reflect.DeepEqual(one, other) {
			t.Errorf("%s does not follow its seed", sheet)
		}
		names, paths := map[string]bool{}, map[string]bool{}
		for _, s := range one {
			if names[s.Name] || s.Specific == "" || strings.Contains(s.Specific+s.Diligence+s.None, "{") {
				t.Errorf("%s: %q asks %q", sheet, s.Name, s.Specific)
			}
			names[s.Name] = true
			for _, p := range s.Pages {
				if paths[p.Path] || strings.Contains(p.text()+p.Title, "{") || len(p.Sentences) == 0 {
					t.Errorf("%s: page %s: %q", sheet, p.Path, p.text())
				}
				paths[p.Path] = true
			}
		}
	}
}

func TestAPollLiesAsOftenAsItSays(t *testing.T) {
	all, err := Make("main", 1)
	if err != nil {
		t.Fatal(err)
	}
	polls := 0
	for _, s := range all {
		if s.Kind != "poll" {
			continue
		}
		polls++
		lies := 0
		for _, p := range s.Pages {
			if strings.Contains(p.text(), s.Lie) {
				lies++
			}
			if strings.Contains(p.text(), s.Lie) == strings.Contains(p.text(), s.Truth) {
				t.Errorf("%q says both or neither", p.text())
			}
		}
		if lies != s.False || len(s.Pages) != 10 {
			t.Errorf("%d of %d pages lie, want %d", lies, len(s.Pages), s.False)
		}
	}
	if polls != 2 {
		t.Errorf("%d polls", polls)
	}
}

func TestAWorldIsSearchedAndRead(t *testing.T) {
	all, err := Make("main", 1)
	if err != nil {
		t.Fatal(err)
	}
	base, closing, err := Serve(t.Context(), all[0].Pages)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := closing(); err != nil {
			t.Error(err)
		}
	}()
	get := func(address string) string {
		resp, err := http.Get(address)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil || resp.StatusCode != http.StatusOK {
			t.Fatalf("%s: %d, %v", address, resp.StatusCode, err)
		}
		return string(body)
	}
	var found struct{ Results []struct{ URL, Title string } }
	if err := json.Unmarshal([]byte(get(base+"/search?q=sued+cracked+housings&format=json")), &found); err != nil {
		t.Fatal(err)
	}
	if len(found.Results) == 0 || !strings.Contains(found.Results[0].Title, "Court register") {
		t.Fatalf("found %+v", found)
	}
	if page := get(found.Results[0].URL); !strings.Contains(page, "cracked housings") {
		t.Errorf("the page is %q", page)
	}
}
