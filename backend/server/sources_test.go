package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/api"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// signed asks about the file whose sentences stand behind characters of four
// bytes and gives the answer's first citation.
func signed(t *testing.T) (*house, api.RunView, contract.Citation) {
	t.Helper()
	h := open(t, func(p *plan) { p.files = map[string]string{"signs 🪧.md": signs, "bridge.md": bridge} })
	run := h.ask(t, local("When was the ferry sign of Arden put up?"))
	for _, c := range run.Answer.Citations {
		if strings.Contains(c.Quote.Text, "1974") {
			return h, run, c
		}
	}
	t.Fatalf("not cited: %+v", run.Answer)
	return nil, run, contract.Citation{}
}

func runesOf(text string, r contract.Range) string { return string([]rune(text)[r.Start:r.End]) }

func TestOffsetsCountCodePoints(t *testing.T) {
	h, run, c := signed(t)
	index := 0
	for i, other := range run.Answer.Citations {
		if other.Claim == c.Claim && other.Passage == c.Passage {
			index = i
		}
	}
	var view api.TextView
	h.get(t, fmt.Sprintf("/api/sources/%s/text?citation=%s:%d", c.Source, run.ID, index), &view)
	if len(view.Highlight) == 0 || view.Total != len([]rune(view.Text)) || !strings.Contains(view.Text, "𝔗𝔥𝔢 boatman 🚧🚧") {
		t.Fatalf("%+v", view)
	}
	lit := ""
	for _, r := range view.Highlight {
		lit += runesOf(view.Text, contract.Range{Start: r.Start - view.Start, End: r.End - view.Start})
	}
	if !strings.Contains(lit, "1974") || strings.Contains(lit, "1911") {
		t.Errorf("highlighted %q of %q", lit, view.Text)
	}
	var passage api.PassageView
	h.get(t, "/api/passages/"+string(c.Passage), &passage)
	if got := runesOf(passage.Text, contract.Range{Start: c.Quote.Start, End: c.Quote.End}); got != c.Quote.Text {
		t.Errorf("the quote is %q by its offsets, %q by itself", got, c.Quote.Text)
	}
	claim := runesOf(run.Answer.Answer, contract.Range{Start: c.Claim.Start, End: c.Claim.End})
	if claim != c.Claim.Text {
		t.Errorf("the claim is %q by its offsets, %q by itself", claim, c.Claim.Text)
	}
	whole := h.text(t, c.Source, "")
	for _, cut := range []contract.Range{{Start: 0, End: 3}, {Start: 2, End: 5}, {Start: 20, End: 40}, {Start: 0, End: 0}, {Start: 5, End: 2}, {Start: 100000, End: 100010}} {
		part := h.text(t, c.Source, fmt.Sprintf("?start=%d&end=%d", cut.Start, cut.End))
		if part.Start > part.End || part.Text != runesOf(whole.Text, contract.Range{Start: part.Start, End: part.End}) {
			t.Errorf("%v gives %d–%d %q", cut, part.Start, part.End, part.Text)
		}
		if cut.End > cut.Start && cut.End < whole.Total && (part.Start != cut.Start || part.End != cut.End) {
			t.Errorf("%v gives %d–%d", cut, part.Start, part.End)
		}
	}
}

func (h *house) text(t *testing.T, id evidence.SourceID, query string) api.TextView {
	t.Helper()
	var view api.TextView
	if status := h.get(t, "/api/sources/"+string(id)+"/text"+query, &view); status != 200 {
		t.Fatalf("text%s gives %d", query, status)
	}
	return view
}

func TestAPlaceThatIsNotOfTheSourceIsNotFound(t *testing.T) {
	h, run, c := signed(t)
	other := h.ask(t, local("When was the bridge over the Lorne opened?")).Answer.Citations[0]
	text := "/api/sources/" + string(c.Source) + "/text"
	for what, query := range map[string]string{
		"no such run":              "?citation=run_aaaaaaaaaaaaaaaaaaaaaaaaaa:0",
		"a citation too many":      "?citation=" + string(run.ID) + ":99",
		"no number":                "?citation=" + string(run.ID) + ":x",
		"a negative number":        "?citation=" + string(run.ID) + ":-1",
		"a number beyond all":      "?citation=" + string(run.ID) + ":99999999999999999999",
		"no citation":              "?citation=" + string(run.ID),
		"no such passage":          "?passage=psg_aaaaaaaaaaaaaaaaaaaaaaaaaa",
		"a passage of another one": "?passage=" + string(other.Passage),
	} {
		wantFault(t, what, h.send(t, "GET", text+query, nil, nil), 404, fault.NotFound)
	}
	for _, query := range []string{"?start=x", "?end=-1", "?start=1.5", "?end=99999999999999999999"} {
		wantFault(t, query, h.send(t, "GET", text+query, nil, nil), 400, fault.InvalidRequest)
	}
}

func TestASourceIsTheFileAsItWasRead(t *testing.T) {
	h, _, c := signed(t)
	path := filepath.Join(h.dir, "signs 🪧.md")
	var view api.SourceView
	h.get(t, "/api/sources/"+string(c.Source), &view)
	if view.Path != path || view.Kind != evidence.File || view.Digest == "" || view.URL != "" || view.Flags == nil {
		t.Errorf("%+v", view)
	}
	file := "/api/sources/" + string(c.Source) + "/file"
	a := h.send(t, "GET", file, nil, nil)
	if a.status != 200 || string(a.body) != signs || a.header.Get("Content-Type") != "application/octet-stream" || !strings.HasPrefix(a.header.Get("Content-Disposition"), "attachment;") {
		t.Errorf("%d %v", a.status, a.header)
	}
	if part := h.send(t, "GET", file, nil, nil); h.text(t, c.Source, "").Stale || part.status != 200 {
		t.Error("a file that was not changed is called stale")
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(path, later, later); err != nil {
		t.Fatal(err)
	}
	if !h.text(t, c.Source, "").Stale {
		t.Error("a changed file is not called stale")
	}
	for _, none := range []string{"/page/1", "/image"} {
		wantFault(t, none, h.send(t, "GET", "/api/sources/"+string(c.Source)+none, nil, nil), 404, fault.NotFound)
	}

	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("canary"), 0o600); err != nil {
		t.Fatal(err)
	}
	for what, replace := range map[string]func() error{
		"a link":   func() error { return os.Symlink(secret, path) },
		"a folder": func() error { return os.Mkdir(path, 0o700) },
		"nothing":  func() error { return nil },
	} {
		if err := os.RemoveAll(path); err != nil {
			t.Fatal(err)
		}
		if err := replace(); err != nil {
			t.Fatal(err)
		}
		wantFault(t, "a file that became "+what, h.send(t, "GET", file, nil, nil), 404, fault.NotFound)
	}
	if text := h.text(t, c.Source, ""); !strings.Contains(text.Text, "1974") || !text.Stale {
		t.Error("the text that was read is gone with the file")
	}
}

func TestASourceIsOpenedByTheSystemAlone(t *testing.T) {
	h, _, c := signed(t)
	open := "/api/sources/" + string(c.Source) + "/open"
	wantFault(t, "without a desktop", h.send(t, "POST", open, map[string]any{}, nil), 406, fault.NotAcceptable)
	var opened []string
	h.rooms.OpenPath = func(path string) error { opened = append(opened, path); return nil }
	if a := h.send(t, "POST", open, map[string]any{}, nil); a.status != 204 || len(opened) != 1 || filepath.Dir(opened[0]) != h.dir {
		t.Errorf("%d, opened %v", a.status, opened)
	}
	script := filepath.Join(h.dir, "run.desktop")
	if err := os.Rename(opened[0], script); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(script, opened[0]); err != nil {
		t.Skip("no links here:", err)
	}
	if a := h.send(t, "POST", open, map[string]any{}, nil); a.status != 204 || len(opened) != 2 || opened[1] != h.dir {
		t.Errorf("a link to what is no document: %d, opened %v", a.status, opened)
	}
	if err := os.Remove(opened[0]); err != nil {
		t.Fatal(err)
	}
	wantFault(t, "a file that is gone", h.send(t, "POST", open, map[string]any{}, nil), 404, fault.NotFound)
}

func TestNeighboursStandBesideAPassage(t *testing.T) {
	long := strings.Repeat("The keeper of the Lorne bridge walks over it every morning before the first train comes. ", 60)
	h := open(t, func(p *plan) {
		p.files = map[string]string{"long.md": "# Keeper\n\n" + long + "\n\nThe keeper is called Ada Quill.\n\n" + long}
	})
	c := h.ask(t, local("What is the keeper of the bridge called?")).Answer.Citations[0]
	var middle api.PassageView
	h.get(t, "/api/passages/"+string(c.Passage), &middle)
	for i, id := range middle.Neighbours {
		if id == "" {
			continue
		}
		var side api.PassageView
		if h.get(t, "/api/passages/"+string(id), &side); side.Source != middle.Source || side.Chunk != middle.Chunk-1+2*i {
			t.Errorf("neighbour %d of chunk %d is chunk %d", i, middle.Chunk, side.Chunk)
		}
	}
	if middle.Neighbours[0] == "" && middle.Neighbours[1] == "" {
		t.Errorf("chunk %d stands alone", middle.Chunk)
	}
}

func TestThePageOfAWindowIsGivenOriginalsWithoutValidators(t *testing.T) {
	h, _, c := signed(t)
	media := Media(h.api)
	ask := func(method, path string, header http.Header) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, nil)
		r.Header = header
		w := httptest.NewRecorder()
		media.ServeHTTP(w, r)
		return w
	}
	file := "/api/sources/" + string(c.Source) + "/file"
	a := ask("GET", file, http.Header{"Range": {"bytes=1-2"}, "If-Modified-Since": {time.Now().UTC().Format(http.TimeFormat)}})
	if a.Code != 200 || a.Body.String() != signs || a.Header().Get("Content-Length") != fmt.Sprint(len(signs)) {
		t.Errorf("%d %v %d bytes", a.Code, a.Header(), a.Body.Len())
	}
	for _, validator := range []string{"ETag", "Last-Modified", "Accept-Ranges"} {
		if a.Header().Get(validator) != "" {
			t.Errorf("the answer has %s", validator)
		}
	}
	for path, status := range map[string]int{
		"/api/sources/" + string(c.Source) + "/image": 404, "/api/sources/" + string(c.Source) + "/page/1": 404,
		"/api/sources/src_aaaaaaaaaaaaaaaaaaaaaaaaaa/file": 404, "/api/sources/x/file": 404, "/api/threads": 404, "/etc/passwd": 404,
	} {
		if got := ask("GET", path, nil); got.Code != status {
			t.Errorf("%s gives %d", path, got.Code)
		}
	}
	if got := ask("POST", file, nil); got.Code != http.StatusMethodNotAllowed {
		t.Errorf("a file can be written: %d", got.Code)
	}
}

func TestAFileRowNamesWhatWasReadOfIt(t *testing.T) {
	h, _, c := signed(t)
	var page api.Page[api.FileView]
	h.get(t, "/api/library/files?q=signs", &page)
	if len(page.Items) != 1 || page.Items[0].Source != string(c.Source) {
		t.Errorf("%+v", page.Items)
	}
}
