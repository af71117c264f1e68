package server

import (
	"archive/zip"
	"bytes"
	"io"
	"mime/multipart"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/api"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/llm/llmtest"
	"footnote/backend/settings"
	"footnote/backend/web/webtest"
)

// bring sends a bundle as a form does.
func (h *house) bring(t *testing.T, bundle []byte) answered {
	t.Helper()
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part := must[interface{ Write([]byte) (int, error) }](t)(w.CreateFormFile("file", "a.footnote.zip"))
	must[int](t)(part.Write(bundle))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return h.send(t, "POST", "/api/import", &form, func(r *http.Request) { r.Header.Set("Content-Type", w.FormDataContentType()) })
}

func (h *house) take(t *testing.T, thread contract.ThreadID, format string) []byte {
	t.Helper()
	a := h.send(t, "GET", "/api/threads/"+string(thread)+"/export?format="+format, nil, nil)
	if a.status != http.StatusOK {
		t.Fatalf("%s: %d %s", format, a.status, a.body)
	}
	return a.body
}

// asked is a house with a conversation of two questions: one over a file, one
// over the web.
func asked(t *testing.T) (*house, contract.ThreadID) {
	h := open(t, func(p *plan) {
		p.files = map[string]string{"bridge.md": bridge}
		p.web = &webtest.Frozen{Pages: []webtest.Page{{Address: "https://example.org/ferry", Title: "The ferry", Text: "# The ferry\nThe ferry of Arden crossed in twelve minutes. It ran until 1974."}}}
		p.replies = []llmtest.Reply{{Text: "The bridge was opened on 3 May 1932 [1]."}}
	})
	first := h.ask(t, local("When was the bridge over the Lorne opened?"))
	h.model = llmtest.NewScripted(llmtest.Reply{Text: "The ferry crossed in twelve minutes [1]. It was painted green [1]."})
	second := h.ask(t, map[string]any{"question": "How long did the ferry of Arden take?", "focus": "web", "mode": "balanced", "thread": first.Thread})
	if second.Answer == nil || len(second.Answer.Citations) == 0 {
		t.Fatalf("%+v", second)
	}
	return h, first.Thread
}

func TestABundleOpensElsewhereAndIsTheSame(t *testing.T) {
	here, thread := asked(t)
	bundle := here.take(t, thread, "bundle")
	there := open(t, nil)
	var made api.Imported
	if a := there.bring(t, bundle); a.status != http.StatusCreated {
		t.Fatalf("%d %s", a.status, a.body)
	} else if a.into(t, &made); made.Thread != thread {
		t.Fatalf("%s", a.body)
	}
	if len(made.Replayed) != 2 {
		t.Errorf("%+v", made)
	}
	for _, r := range made.Replayed {
		if !r.Same || r.Citations == 0 || r.Agreed != r.Citations {
			t.Errorf("replayed from what the model said: %+v", r)
		}
	}
	again := there.take(t, thread, "bundle")
	if !bytes.Equal(bundle, again) {
		t.Errorf("exported again, a bundle of %d bytes has %d and differs", len(bundle), len(again))
	}
	t.Logf("bundle of %d bytes, byte-equal after import into an empty profile", len(bundle))
	for _, format := range []string{"md", "html", "docx", "pdf", "bibtex", "ris", "csl"} {
		if !bytes.Equal(here.take(t, thread, format), there.take(t, thread, format)) {
			t.Errorf("%s is not the same there", format)
		}
	}
	var a, b api.ThreadView
	here.get(t, "/api/threads/"+string(thread), &a)
	there.get(t, "/api/threads/"+string(thread), &b)
	for i, run := range a.Runs {
		for n, c := range run.Answer.Citations {
			text := func(h *house, source evidence.SourceID) answered { // there, a file goes by its name
				return h.send(t, "GET", "/api/sources/"+string(source)+"/text?citation="+string(run.ID)+":"+itoa(n), nil, nil)
			}
			if one, other := text(here, c.Source), text(there, b.Runs[i].Answer.Citations[n].Source); other.status != 200 || !bytes.Equal(one.body, other.body) {
				t.Errorf("citation %d of run %d opens as %s, not %s", n, i, other.body, one.body)
			}
		}
		if there.post(t, "/api/runs/"+string(run.ID)+"/replay", map[string]any{"measure": "dot"}, nil) != 200 {
			t.Errorf("run %s cannot be replayed there", run.ID)
		}
	}
	if len(there.web.Queries())+len(there.web.Reads()) > 0 {
		t.Error("something was fetched")
	}
	wantFault(t, "the same bundle again", there.bring(t, bundle), 409, fault.ConfirmNeeded)
	wantFault(t, "no bundle", there.bring(t, []byte("no zip")), 415, fault.UnsupportedMedia)
	wantFault(t, "no form", there.send(t, "POST", "/api/import", "{}", nil), 415, fault.UnsupportedMedia)
}

func itoa(n int) string { return string(rune('0' + n)) }

func TestABundleHoldsNoSecret(t *testing.T) {
	h, thread := asked(t)
	const secret = "sk-a-key-that-nobody-should-see"
	if err := h.rooms.Keys.Set("openai", settings.NewSecret(secret)); err != nil {
		t.Fatal(err)
	}
	h.ask(t, map[string]any{"question": "What did the bridge cost?", "focus": "local", "thread": thread})
	kept := must[trace.KeptThread](t)(h.rooms.DB.Kept(t.Context(), thread))
	if tape := kept.Runs[0].Tape; tape == nil || len(tape.Calls) == 0 || !strings.Contains(tape.Calls[len(tape.Calls)-1].Said, "3 May 1932 [1]") || tape.PromptHash == "" {
		t.Errorf("%+v", tape)
	}
	folder := filepath.Dir(kept.Documents[slices.IndexFunc(kept.Documents, func(d trace.KeptDocument) bool { return d.Source.Kind == evidence.File })].Source.Address)
	bundle := h.take(t, thread, "bundle")
	for _, f := range must[*zip.Reader](t)(zip.NewReader(bytes.NewReader(bundle), int64(len(bundle)))).File {
		body := must[[]byte](t)(io.ReadAll(must[io.ReadCloser](t)(f.Open())))
		for _, word := range []string{secret, testToken, folder} {
			if bytes.Contains(body, []byte(word)) {
				t.Errorf("a secret is in %s", f.Name)
			}
		}
		if strings.HasSuffix(f.Name, "tape.json") && !bytes.Contains(body, []byte(`"cite.style"`)) {
			t.Errorf("%s has no settings: %s", f.Name, body)
		}
		t.Logf("%7d %s", len(body), f.Name)
	}
}

func TestWhatCameInABundleGivesWayToWhatIsReadHere(t *testing.T) {
	here, thread := asked(t)
	kept := must[trace.KeptThread](t)(here.rooms.DB.Kept(t.Context(), thread))
	file := kept.Documents[0]
	for _, doc := range kept.Documents {
		if doc.Source.Kind == evidence.File {
			file = doc
		}
	}
	text := strings.Replace(file.Text, "1932", "1832", 1) // told under the digest of the true file
	forged := file
	forged.Text, forged.Passages = text, nil
	there := open(t, nil)
	if err := there.rooms.DB.Bring(t.Context(), trace.KeptThread{ID: thread, Title: "x", Type: "chat", Runs: kept.Runs[:1], Documents: []trace.KeptDocument{forged}}); err != nil {
		t.Fatal(err)
	}
	id := string(file.Source.ID)
	wantFault(t, "a path of another computer", there.send(t, "GET", "/api/sources/"+id+"/file", nil, nil), 404, fault.NotFound)
	there.shelve(t, map[string]string{"bridge.md": bridge})
	got, _, err := there.rooms.DB.Text(t.Context(), file.Source.Digest)
	if err != nil || !strings.Contains(got, "1932") {
		t.Errorf("%v %q", err, got)
	}
}
