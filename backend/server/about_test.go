package server

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"footnote/backend/api"
	"footnote/backend/fault"
)

const lighthouse = `# The light of Skerry Point

The tower of Skerry Point is 34 metres high and stands on a shelf of rock above the sea.
The lamp was first lit on 12 October 1889 by the keeper Ada Fischer.
The annual fee is 25 euro for a family, and children pay nothing at all.

## Boats

The landing stage is a wooden pier with a crane, used by the boats of the harbour office.
Boats leave the harbour at nine in the morning and return at four in the afternoon.
`

func TestAFileAFolderAndANotebookSayWhatTheyAreAbout(t *testing.T) {
	h := open(t, func(p *plan) { p.files = map[string]string{"light.md": lighthouse, "signs.md": signs} })
	var files api.Page[api.FileView]
	h.get(t, "/api/library/files?q=light", &files)
	var view api.AboutView
	if status := h.get(t, "/api/library/about?file="+files.Items[0].ID, &view); status != 200 || view.Name != "light.md" || view.Count != 1 || len(view.Sentences) == 0 {
		t.Fatalf("%d %+v", status, view)
	}
	for _, s := range view.Sentences {
		var text api.TextView
		at := url.Values{"start": {strconv.Itoa(s.At.Start)}, "end": {strconv.Itoa(s.At.End)}}
		if h.get(t, "/api/sources/"+string(s.Source)+"/text?"+at.Encode(), &text); !strings.Contains(text.Text, s.Text) {
			t.Errorf("%q is not at its place: %q", s.Text, text.Text)
		}
	}
	if len(view.Questions) != 0 {
		t.Errorf("without the scorer nothing is sure, and offered are %+v", view.Questions)
	}
	var threads api.Page[map[string]any]
	if h.get(t, "/api/threads", &threads); len(threads.Items) != 0 {
		t.Errorf("%d conversations: looking left some", len(threads.Items))
	}
	if h.get(t, "/api/library/about?file="+url.QueryEscape(view.Path), &view); view.Name != "light.md" {
		t.Errorf("by its path: %+v", view)
	}
	var folder api.AboutView
	if h.get(t, "/api/library/about?folder="+url.QueryEscape(h.dir), &folder); folder.Count != 2 || len(folder.Files) != 2 || len(folder.Sentences) != 2 {
		t.Errorf("%+v", folder)
	}
	book := notebookOf(t, h, "Lights", "light.md")
	if h.get(t, "/api/library/about?collection="+book.ID, &view); view.Name != "Lights" || view.Count != 1 {
		t.Errorf("%+v", view)
	}
	wantFault(t, "nothing named", h.send(t, "GET", "/api/library/about", nil, nil), 400, fault.InvalidRequest)
	wantFault(t, "two named", h.send(t, "GET", "/api/library/about?file=a&folder=b", nil, nil), 400, fault.InvalidRequest)
	wantFault(t, "no such file", h.send(t, "GET", "/api/library/about?file=fil_aaaaaaaaaaaaaaaaaaaaaaaaaa", nil, nil), 404, fault.NotFound)
}
