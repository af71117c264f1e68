package server

import (
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"footnote/backend/api"
	"footnote/backend/fault"
	"footnote/backend/library"
)

type part struct{ field, name, body string }

// upload sends parts as a browser does. The names go over the wire as they are.
func (h *house) upload(t *testing.T, parts ...part) answered {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, p := range parts {
		header := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="` + p.field + `"; filename="` + p.name + `"`}}
		w := must[io.Writer](t)(form.CreatePart(header))
		if _, err := io.WriteString(w, p.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return h.send(t, "POST", "/api/library/uploads", &body, func(r *http.Request) { r.Header.Set("Content-Type", form.FormDataContentType()) })
}

func TestUploadsAreKeptByDigestAndCanBeSearched(t *testing.T) {
	h := open(t, nil)
	a := h.upload(t, part{"note", "", "ignored"}, part{"file", "bridge.md", bridge}, part{"file", "signs.md", signs})
	var out struct{ Files []api.Uploaded }
	if a.into(t, &out); a.status != http.StatusAccepted || len(out.Files) != 2 || out.Files[0].Name != "bridge.md" || api.CheckID(out.Files[0].ID) != nil || out.Files[0].Topics == nil {
		t.Fatalf("%d %s", a.status, a.body)
	}
	uploads := api.UploadsIn(h.rooms.Settings.DataDir())
	if err := h.rooms.Library.Wait(t.Context(), []string{uploads}, func(library.File) {}); err != nil {
		t.Fatal(err)
	}
	if run := h.ask(t, local("When was the bridge over the Lorne opened?")); !strings.Contains(run.Answer.Answer, "1932") {
		t.Errorf("answered %q", run.Answer.Answer)
	}
	var view api.FileView
	h.get(t, "/api/library/files/"+out.Files[0].ID, &view)
	if view.Status != "ready" || !strings.HasPrefix(view.Path, uploads) {
		t.Errorf("%+v", view)
	}

	// Another root that holds the data folder takes nothing from uploads.
	if _, err := h.add(t, filepath.Dir(h.rooms.Settings.DataDir())); err != nil {
		t.Fatal(err)
	}
	if _, err := h.api.Library.Rescan(t.Context(), api.Rescanned{}); err != nil {
		t.Fatal(err)
	}
	if h.get(t, "/api/library/files/"+out.Files[0].ID, &view); view.Status != "ready" {
		t.Errorf("after a rescan the upload is %s", view.Status)
	}

	if a := h.send(t, "DELETE", "/api/library/"+out.Files[0].ID, nil, nil); a.status != http.StatusNoContent {
		t.Errorf("deleting gives %d %s", a.status, a.body)
	}
	if _, err := os.Stat(view.Path); !os.IsNotExist(err) {
		t.Errorf("the copy stays: %v", err)
	}
	if left := must[[]string](t)(filepath.Glob(filepath.Join(h.rooms.Settings.DataDir(), ".upload-*"))); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestTheNameOfAnUploadIsNeverAPath(t *testing.T) {
	h := open(t, nil)
	data := h.rooms.Settings.DataDir()
	for _, name := range []string{
		"../../../../evil.txt", `..\..\evil.txt`, "/etc/evil.txt", `C:\evil.txt`, "..", ".", "evil.txt/", "a/../../evil.txt", "evil\x01.txt", "evil.txt.. ", "-rf.txt",
		strings.Repeat("🌉", 200) + ".txt", "x." + strings.Repeat("e", 300), "rtl\u202etxt.exe.txt", "con:evil.txt",
	} {
		a := h.upload(t, part{"file", name, "Evil text number " + name})
		if a.status == http.StatusAccepted {
			var out struct{ Files []api.Uploaded }
			a.into(t, &out)
			if n := out.Files[0].Name; strings.ContainsAny(n, "/\\:\x01\u202e") || len(n) > 160 || strings.HasPrefix(n, ".") || strings.HasSuffix(n, ".") {
				t.Errorf("%q is kept as %q", name, n)
			}
		} else if a.status >= 500 {
			t.Errorf("%q gives %d %s", name, a.status, a.body)
		}
	}
	err := filepath.WalkDir(filepath.Dir(data), func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.Contains(d.Name(), "evil") && filepath.Dir(filepath.Dir(path)) != api.UploadsIn(data) {
			t.Errorf("written to %s", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestUploadsThatAreNone(t *testing.T) {
	h := open(t, nil)
	wantFault(t, "no part", h.upload(t), 400, fault.InvalidRequest)
	wantFault(t, "another field", h.upload(t, part{"other", "a.txt", "x"}), 400, fault.InvalidRequest)
	wantFault(t, "JSON", h.send(t, "POST", "/api/library/uploads", map[string]any{}, nil), 415, fault.UnsupportedMedia)
	cut := strings.NewReader("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nabc")
	broken := h.send(t, "POST", "/api/library/uploads", cut, func(r *http.Request) { r.Header.Set("Content-Type", "multipart/form-data; boundary=x") })
	wantFault(t, "broken off", broken, 400, fault.InvalidRequest)
	many := make([]part, uploadFiles+1)
	for i := range many {
		many[i] = part{"file", "a.txt", "the same text"}
	}
	wantFault(t, "too many", h.upload(t, many...), 413, fault.TooLarge)
	wantFault(t, "a key", h.upload(t, part{"file", "id_rsa", "-----BEGIN"}), 415, fault.UnsupportedMedia)
	left := must[[]string](t)(filepath.Glob(filepath.Join(api.UploadsIn(h.rooms.Settings.DataDir()), "*", "id_rsa")))
	if len(left) != 0 {
		t.Errorf("a refused upload stays at %v", left)
	}
}

func TestTheLibraryOverTheWire(t *testing.T) {
	t.Parallel()
	h := open(t, func(p *plan) {
		p.files = map[string]string{"bridge.md": bridge, "signs.md": signs, "bad.pdf": "%PDF-1.4 nothing"}
	})
	var status api.LibraryView
	h.get(t, "/api/library", &status)
	if len(status.Roots) != 1 || status.Roots[0].Path != h.dir || status.Roots[0].Files != 3 || status.Roots[0].Ready != 2 || status.Totals.Failed != 1 || status.Rebuilding != nil {
		t.Errorf("%+v", status)
	}
	for query, want := range map[string]int{"": 3, "?q=bridge": 1, "?status=ready": 2, "?status=failed": 1, "?status=away": 0, "?limit=1": 1, "?root=" + status.Roots[0].ID: 3} {
		var page api.Page[api.FileView]
		if h.get(t, "/api/library/files"+query, &page); len(page.Items) != want || page.Items == nil {
			t.Errorf("files%s are %d, want %d", query, len(page.Items), want)
		}
		for _, f := range page.Items {
			if f.Status == "failed" && f.Reason == "" {
				t.Errorf("%s failed without a reason", f.Name)
			}
		}
	}
	var found library.Matches
	if h.get(t, "/api/library/search?q=lorne+bri", &found); found.Total == 0 || found.Items[0].Snippet == "" {
		t.Errorf("%+v", found)
	}
	var page api.Page[api.FileView]
	h.get(t, "/api/library/files?q=bridge.md", &page)
	var why library.Why
	if h.get(t, "/api/library/files/"+page.Items[0].ID+"/why?q=When+was+the+bridge+opened", &why); !why.Indexed || why.CutBy != "" || *why.Ranks.Fused != 1 || why.Best == nil {
		t.Errorf("%+v", why)
	}
	var counted library.Counted
	if h.get(t, "/api/library/count?q=bridge&by=type", &counted); counted.Total != 1 || counted.Searched != 2 || counted.Unread != 1 || len(counted.Groups) != 1 || counted.Groups[0].Key != "md" {
		t.Errorf("%+v", counted)
	}
	wantFault(t, "no word", h.send(t, "GET", "/api/library/count", nil, nil), 400, fault.QuestionEmpty)
	wantFault(t, "by nothing", h.send(t, "GET", "/api/library/count?q=a&by=moon", nil, nil), 400, fault.InvalidRequest)
	wantFault(t, "no question", h.send(t, "GET", "/api/library/files/"+page.Items[0].ID+"/why", nil, nil), 400, fault.QuestionEmpty)
	if status := h.post(t, "/api/library/rescan", map[string]any{}, nil); status != http.StatusAccepted {
		t.Errorf("rescan gives %d", status)
	}
	for _, paths := range [][]string{{"relative"}, {"/no/such/folder"}, {h.rooms.Settings.DataDir()}, {"/dev/null"}, {h.dir + "\x00x"}} {
		a := h.send(t, "POST", "/api/library", map[string]any{"paths": paths}, nil)
		if f := a.failure(t); a.status != 403 && a.status != 400 || f.Hint == "" {
			t.Errorf("%q gives %d %s", paths, a.status, a.body)
		}
	}
	wantFault(t, "no path", h.send(t, "POST", "/api/library", map[string]any{}, nil), 400, fault.InvalidRequest)
	id := status.Roots[0].ID
	if a := h.send(t, "DELETE", "/api/library/"+id, nil, nil); a.status != http.StatusNoContent {
		t.Errorf("removing the root gives %d", a.status)
	}
	wantFault(t, "removing it again", h.send(t, "DELETE", "/api/library/"+id, nil, nil), 404, fault.NotFound)
	if _, err := os.Stat(filepath.Join(h.dir, "bridge.md")); err != nil {
		t.Errorf("the reader's file: %v", err)
	}
	wantFault(t, "no such file", h.send(t, "GET", "/api/library/files/fil_aaaaaaaaaaaaaaaaaaaaaaaaaa", nil, nil), 404, fault.NotFound)
}

func TestTildeIsTheReadersFolder(t *testing.T) {
	h := open(t, nil)
	dir := t.TempDir()
	t.Setenv("HOME", filepath.Dir(dir))
	t.Setenv("USERPROFILE", filepath.Dir(dir))
	if err := os.WriteFile(filepath.Join(dir, "lamp.md"), []byte("The lamp was lit in 1874."), 0o600); err != nil {
		t.Fatal(err)
	}
	view, err := h.add(t, "~/"+filepath.Base(dir))
	if err != nil || len(view.Added) != 1 || filepath.Base(view.Added[0].Path) != filepath.Base(dir) {
		t.Fatalf("%+v, %v", view, err)
	}
	for _, path := range []string{"~other/x", "a/~/b"} {
		if _, err := h.add(t, path); err == nil {
			t.Errorf("%s is taken", path)
		}
	}
}

func TestTheSampleLibraryIsAddedOnce(t *testing.T) {
	h := open(t, nil)
	wantFault(t, "without one", h.send(t, "POST", "/api/library/sample", map[string]any{}, nil), 404, fault.NotFound)
	h.rooms.Sample = fstest.MapFS{"bridge.md": {Data: []byte(bridge)}, "records/signs.md": {Data: []byte(signs)}}
	for range 2 {
		var added api.AddView
		if status := h.post(t, "/api/library/sample", map[string]any{}, &added); status != http.StatusAccepted || len(added.Added) != 1 {
			t.Fatalf("%d %+v", status, added)
		}
	}
	if err := h.rooms.Library.Wait(t.Context(), []string{api.SampleIn(h.rooms.Settings.DataDir())}, func(library.File) {}); err != nil {
		t.Fatal(err)
	}
	var view api.LibraryView
	if h.get(t, "/api/library", &view); len(view.Roots) != 1 || !view.Roots[0].Sample || view.Roots[0].Files != 2 {
		t.Fatalf("%+v", view.Roots)
	}
	if run := h.ask(t, local("When was the bridge over the Lorne opened?")); !strings.Contains(run.Answer.Answer, "1932") {
		t.Errorf("answered %q", run.Answer.Answer)
	}
}
