package export

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/trace"
	"footnote/backend/cite"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

func sampleKept() trace.KeptThread {
	text := "# Bridge\n\nThe bridge was opened in 1932 🌉. It is 300 m long."
	digest := evidence.Digest([]byte("the page"))
	source := evidence.Source{ID: evidence.NewSourceID(evidence.Web, "https://example.org/a", digest), Kind: evidence.Web, Title: "Bridge", Address: "https://example.org/a", Digest: digest, Seen: sampleTime(1)}
	passage := evidence.Passage{ID: evidence.NewPassageID(digest, 10, 42), Source: source.ID, Text: string([]rune(text)[10:42]), At: evidence.Locator{Start: 10, End: 42}}
	run := contract.Run{ID: "run_aaaaaaaaaaaaaaaa", Thread: "thr_aaaaaaaaaaaaaaaa", Status: contract.Finished, Started: sampleTime(1), Question: contract.Question{Text: "When?", Thread: "thr_aaaaaaaaaaaaaaaa"}}
	run.Answer = &contract.Answer{
		Question: "When?", Answer: "In 1932 [1].", Run: run.ID, Thread: run.Thread, Timestamp: contract.StampOf(sampleTime(1)), Sources: []contract.SourceCard{{N: 1, ID: source.ID, URL: source.Address, Title: "Bridge"}},
		Citations: []contract.Citation{{Marker: 1, Passage: passage.ID, Source: source.ID, Quote: contract.Quoted{Start: 4, End: 28, Text: "bridge was opened in 1932"}, Verdict: contract.Supported}},
	}
	events := []contract.Event{
		{Run: run.ID, Seq: 1, At: sampleTime(1), Kind: "started", Body: contract.Started{Thread: run.Thread, Question: "When?", Mode: "speed"}},
		{Run: run.ID, Seq: 2, At: sampleTime(1).Add(time.Millisecond), Kind: "finished", Body: contract.FinishedRun{Outcome: contract.Answered, Answer: *run.Answer}},
	}
	return trace.KeptThread{
		ID: run.Thread, Title: "When?", Type: "chat", Created: sampleTime(1), Updated: sampleTime(2),
		Runs: []trace.KeptRun{{
			Run: run, Events: events, Sources: []evidence.SourceID{source.ID}, Ranking: &trace.Ranking{Question: "When?", K: 6, Candidates: []trace.TracedCandidate{}},
			Tape: &trace.Tape{Settings: map[string]any{"rank.floor": 0.15}, PromptHash: "abc", Calls: []trace.TapedCall{{Purpose: "chat", Said: "In 1932 [1]."}}},
		}},
		Documents: []trace.KeptDocument{{Document: evidence.Document{Source: source, Text: text, Blocks: []evidence.Block{{Start: 0, End: 8, Kind: evidence.Heading}, {Start: 10, End: len(text), Kind: evidence.Paragraph}}}, Passages: []evidence.Passage{passage}}},
	}
}

func bundled(t testing.TB, k trace.KeptThread) []byte {
	t.Helper()
	b, err := WriteBundle(k)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestABundleReadBackIsTheSame(t *testing.T) {
	first := bundled(t, sampleKept())
	k, err := ReadBundle(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	if again := bundled(t, k); !bytes.Equal(first, again) {
		t.Errorf("%d and %d bytes", len(first), len(again))
	}
}

// A file that was read in two folders, as they are on the computer of its reader.
func keptFiles() trace.KeptThread {
	k := sampleKept()
	web := k.Documents[0]
	k.Documents = nil
	for _, path := range []string{"/home/ann/Private matters/bridge.md", `C:\Users\ann\bridge.md`} {
		doc := web
		doc.Source.Kind, doc.Source.Address = evidence.File, path
		doc.Source.ID = evidence.NewSourceID(evidence.File, path, doc.Source.Digest)
		k.Documents = append(k.Documents, doc)
	}
	first := k.Documents[0].Source
	run := &k.Runs[0]
	run.Sources = []evidence.SourceID{first.ID, k.Documents[1].Source.ID}
	run.Run.Question.Scope.Files = []string{first.Address, "/home/ann/Private matters"}
	run.Run.Answer.Sources = []contract.SourceCard{{N: 1, ID: first.ID, Kind: evidence.File, Path: first.Address, Title: "Bridge"}}
	run.Run.Answer.Citations[0].Source = first.ID
	run.Events[1].Body = contract.FinishedRun{Outcome: contract.Answered, Answer: *run.Run.Answer}
	return k
}

func TestABundleNamesNoFolders(t *testing.T) {
	first := bundled(t, keptFiles())
	z, err := zip.NewReader(bytes.NewReader(first), int64(len(first)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		for _, folder := range []string{"/home", "Private matters", "Users"} {
			if bytes.Contains(body, []byte(folder+"/")) || bytes.Contains(body, []byte(folder+`\`)) {
				t.Errorf("%s names %s: %s", f.Name, folder, body)
			}
		}
	}
	k, err := ReadBundle(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	name := evidence.NewSourceID(evidence.File, "bridge.md", k.Documents[0].Source.Digest)
	answer := k.Runs[0].Run.Answer
	if len(k.Documents) != 1 || k.Documents[0].Source.ID != name || k.Documents[0].Source.Address != "bridge.md" || answer.Citations[0].Source != name || answer.Sources[0].ID != name || answer.Sources[0].Path != "bridge.md" || len(k.Runs[0].Sources) != 1 {
		t.Errorf("%+v %+v", k.Documents[0].Source, answer)
	}
	if again := bundled(t, k); !bytes.Equal(first, again) {
		t.Errorf("%d and %d bytes", len(first), len(again))
	}
}

// rebuilt is a bundle with files changed and, when honest, its list of them brought
// in line.
func rebuilt(t testing.TB, honest bool, change func(files map[string]string)) []byte {
	t.Helper()
	bundle := bundled(t, sampleKept())
	z, err := zip.NewReader(bytes.NewReader(bundle), int64(len(bundle)))
	if err != nil {
		t.Fatal(err)
	}
	files, names := map[string]string{}, []string{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(body)
		names = append(names, f.Name)
	}
	known := len(names)
	change(files)
	for name := range files {
		if !strings.Contains(strings.Join(names[:known], "\n"), name) {
			names = append(names, name)
		}
	}
	m := manifest{Format: bundleFormat, Version: bundleVersion}
	var parts []part
	for _, name := range names {
		if body, ok := files[name]; ok && name != "manifest.json" {
			parts = append(parts, part{name, body})
			m.Files = append(m.Files, manifestFile{name, len(body), evidence.Digest([]byte(body))})
		}
	}
	if honest {
		head, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		files["manifest.json"] = string(head)
	}
	out, err := zipped(append(parts, part{"manifest.json", files["manifest.json"]}))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func swap(name, from, to string) func(map[string]string) {
	return func(files map[string]string) { files[name] = strings.ReplaceAll(files[name], from, to) }
}

func TestHostileBundlesAreRefused(t *testing.T) {
	const run = "runs/001/run.json"
	source := "sources/" + string(sampleKept().Documents[0].Source.ID) + ".json"
	text := "texts/" + sampleKept().Documents[0].Source.Digest + ".json"
	for what, c := range map[string]struct {
		honest bool
		change func(map[string]string)
		says   string
		code   fault.Code
	}{
		"a path out of the archive":   {true, func(f map[string]string) { f["../../etc/passwd"] = "x" }, "etc/passwd", fault.InvalidRequest},
		"an absolute path":            {true, func(f map[string]string) { f["/tmp/x"] = "x" }, "/tmp/x", fault.InvalidRequest},
		"a file that is not listed":   {false, func(f map[string]string) { f["runs/002/run.json"] = "{}" }, "its list names", fault.InvalidRequest},
		"a file changed afterwards":   {false, swap("report.md", "1932", "1832"), "not what its digest says", fault.InvalidRequest},
		"a file that is missing":      {false, func(f map[string]string) { delete(f, "report.md") }, "its list names", fault.InvalidRequest},
		"no list":                     {false, func(f map[string]string) { f["manifest.json"] = "{" }, "cannot be read", fault.InvalidRequest},
		"something else":              {false, swap("manifest.json", bundleFormat, "other"), "no bundle", fault.UnsupportedMedia},
		"of a newer version":          {false, swap("manifest.json", `"version": 1`, `"version": 2`), "newer", fault.UnsupportedMedia},
		"a text told otherwise":       {true, swap(text, "1932", "1832"), "does not stand in its text", fault.InvalidRequest},
		"a passage told otherwise":    {true, swap(source, "1932", "1832"), "does not stand in its text", fault.InvalidRequest},
		"a source of another address": {true, swap(source, "example.org/a", "example.org/b"), "not what its name says", fault.InvalidRequest},
		"a passage without end":       {true, swap(source, `"end": 42`, `"end": 4200000000`), "does not stand in its text", fault.InvalidRequest},
		"a place outside the text":    {true, swap(text, `"e": 8`, `"e": 99999`), "places outside", fault.InvalidRequest},
		"a quote nobody wrote":        {true, swap(run, "bridge was opened in 1932", "bridge was opened in 1832"), "does not stand in its source", fault.InvalidRequest},
		"a citation of nothing":       {true, swap(run, `"marker": 1`, `"marker": 900`), "names no source", fault.InvalidRequest},
		"an id that is a path":        {true, swap("thread.json", "thr_aaaaaaaaaaaaaaaa", "thr_../../x"), "no proper name", fault.InvalidRequest},
		"a run that goes on":          {true, swap(run, `"finished"`, `"running"`), "has not ended", fault.InvalidRequest},
		"events with a gap":           {true, swap("runs/001/events.jsonl", `"seq":2`, `"seq":3`), "not in order", fault.InvalidRequest},
		"an event of another run":     {true, swap("runs/001/events.jsonl", `{"run":"run_a`, `{"run":"run_b`), "not in order", fault.InvalidRequest},
		"no question":                 {true, func(f map[string]string) { delete(f, run) }, "no question", fault.InvalidRequest},
		"no text":                     {true, func(f map[string]string) { delete(f, text) }, "is missing", fault.InvalidRequest},
		"nothing but braces":          {true, func(f map[string]string) { f[run] = strings.Repeat("[", 1<<20) }, "more things", fault.TooLarge},
	} {
		_, err := ReadBundle(t.Context(), rebuilt(t, c.honest, c.change))
		if f := fault.Of(err); err == nil || f.Code != c.code || !strings.Contains(f.Message, c.says) || f.Hint == "" {
			t.Errorf("%s: %v, want %s with %q", what, err, c.code, c.says)
		}
	}
}

// TestSmallBundlesDoNotGrow has bundles of a few hundred kilobytes that were two
// gigabytes.
func TestSmallBundlesDoNotGrow(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	const n = 3_000_000
	text := "texts/" + sampleKept().Documents[0].Source.Digest + ".json"
	source := "sources/" + string(sampleKept().Documents[0].Source.ID) + ".json"
	list := func(each string, n int) string { return "[" + strings.Repeat(each+",", n) + each + "]" }
	noise := make([]byte, 300_000) // what cannot be packed buys room for what can
	for i := range noise {
		noise[i] = "0123456789abcdef"[rand.IntN(16)]
	}
	pad := `{"pad":"` + string(noise) + `",`
	for what, c := range map[string]struct {
		name, body string
		code       fault.Code
	}{
		"blocks":            {text, pad + `"blocks":` + list("{}", n) + `}`, fault.TooLarge},
		"blocks of none":    {text, pad + `"blocks":` + list("null", n/2) + `}`, fault.TooLarge},
		"blocks, again":     {text, pad + strings.Repeat(`"blocks":`+list("{}", 100_000)+`,`, 20) + `"text":""}`, fault.TooLarge},
		"other lists":       {text, pad + `"other":` + list("{}", n) + `}`, fault.InvalidRequest},
		"passages":          {source, pad + `"passages":` + list("{}", n) + `}`, fault.TooLarge},
		"flags":             {source, pad + `"flags":` + list(`""`, n) + `}`, fault.TooLarge},
		"sources":           {"runs/001/run.json", pad + `"run":{"answer":{"sources":` + list("{}", n) + `}}}`, fault.TooLarge},
		"numbers":           {"runs/001/run.json", pad + `"run":{"answer":{"sources":` + list("1", n) + `}}}`, fault.TooLarge},
		"events":            {"runs/001/events.jsonl", pad + `"a":1}` + strings.Repeat("{}\n", n), fault.TooLarge},
		"members":           {"runs/001/tape.json", pad + `"a":{` + strings.Repeat(`"a":1,`, n/2) + `"b":1}}`, fault.TooLarge},
		"candidates":        {"runs/001/ranking.json", pad + `"candidates":` + list("{}", n) + `}`, fault.TooLarge},
		"files of the list": {"manifest.json", pad + `"format":"footnote-bundle","version":1,"files":` + list("{}", n) + `}`, fault.TooLarge},
	} {
		bundle := rebuilt(t, c.name != "manifest.json", func(f map[string]string) { f[c.name] = c.body })
		c.body = ""
		var before, after runtime.MemStats
		debug.FreeOSMemory()
		runtime.ReadMemStats(&before)
		_, err := ReadBundle(t.Context(), bundle)
		runtime.ReadMemStats(&after)
		if fault.CodeOf(err) != c.code {
			t.Errorf("%s: %v", what, err)
		}
		if grown := int64(after.HeapSys-after.HeapReleased) - int64(before.HeapSys-before.HeapReleased); grown > 300<<20 {
			t.Errorf("%s: %d KB took %d MB", what, len(bundle)>>10, grown>>20)
		}
	}
}

func TestPassagesAreFoundByCodePoints(t *testing.T) {
	text := strings.Repeat("aé漢🔬", 2000)
	runes := []rune(text)
	x := newRuneIndex(trace.KeptDocument{Document: evidence.Document{Text: text}, Passages: make([]evidence.Passage, 1)})
	for start := 0; start <= len(runes); start += 31 {
		for _, end := range []int{start, min(start+7, len(runes)), len(runes)} {
			if !x.holds(start, end, string(runes[start:end])) {
				t.Fatalf("%d to %d is not found", start, end)
			}
		}
	}
	for _, place := range [][2]int{{-1, 2}, {3, 2}, {0, len(runes) + 1}, {len(runes), len(runes) + 1}, {len(runes) + 4000, len(runes) + 4003}, {1, 4}} {
		if x.holds(place[0], place[1], "aé漢") {
			t.Errorf("%v holds what is not there", place)
		}
	}
	if !x.holds(len(runes), len(runes), "") || x.holds(0, 3, "aé") {
		t.Error("the end, or a length")
	}
}

// TestOneTextOfManySourcesIsOne has a text of megabytes under hundreds of addresses.
func TestOneTextOfManySourcesIsOne(t *testing.T) {
	doc := sampleKept().Documents[0]
	bundle := rebuilt(t, true, func(f map[string]string) {
		text := "texts/" + doc.Source.Digest + ".json"
		f[text] = strings.Replace(f[text], `"text": "`, `"text": "`+strings.Repeat("word ", 1_000_000), 1)
		body := f["sources/"+string(doc.Source.ID)+".json"]
		for i := range 400 {
			address := fmt.Sprintf("https://example.org/%d", i)
			id := string(evidence.NewSourceID(doc.Source.Kind, address, doc.Source.Digest))
			f["sources/"+id+".json"] = strings.NewReplacer(string(doc.Source.ID), id, doc.Source.Address, address).Replace(body)
		}
	})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := ReadBundle(t.Context(), bundle)
	runtime.ReadMemStats(&after)
	if made := after.TotalAlloc - before.TotalAlloc; fault.CodeOf(err) != fault.TooLarge || made > 300<<20 {
		t.Errorf("%v, %d MB were made", err, made>>20)
	}
}

func TestBombsAreNotUnpacked(t *testing.T) {
	bomb := rebuilt(t, true, func(f map[string]string) { f["report.md"] = strings.Repeat("\x00", 8<<20) })
	_, err := ReadBundle(t.Context(), bomb)
	if fault.CodeOf(err) != fault.TooLarge {
		t.Errorf("%d bytes that unpack to 8 MiB: %v", len(bomb), err)
	}
	var many bytes.Buffer
	z := zip.NewWriter(&many)
	for i := range mostFiles + 1 {
		if _, err := z.CreateHeader(&zip.FileHeader{Name: fmt.Sprintf("texts/%064x.json", i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadBundle(t.Context(), many.Bytes()); fault.CodeOf(err) != fault.TooLarge {
		t.Errorf("%d files: %v", mostFiles+1, err)
	}
	twice := [2]part{{"report.md", "a"}, {"report.md", "b"}}
	double, err := zipped(twice[:])
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadBundle(t.Context(), double); err == nil || !strings.Contains(fault.Of(err).Message, "twice") {
		t.Errorf("a name that stands twice: %v", err)
	}
}

func FuzzReadBundle(f *testing.F) {
	f.Add(bundled(f, sampleKept()))
	f.Add(rebuilt(f, true, swap("thread.json", "chat", "x")))
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		k, err := ReadBundle(t.Context(), data)
		if err != nil {
			if fault.CodeOf(err) == fault.Internal {
				t.Errorf("an error that is no fault: %v", err)
			}
			return
		}
		again, err := WriteBundle(k)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ReadBundle(t.Context(), again); err != nil {
			t.Errorf("what was read is refused when it is written again: %v", err)
		}
	})
}

func TestAnswersComeOutAgainOfWhatTheModelSaid(t *testing.T) {
	checker, err := cite.NewChecker()
	if err != nil {
		t.Fatal(err)
	}
	k := sampleKept()
	k.Runs[0].Run.Answer.Outcome = contract.Answered
	k.Runs[0].Run.Answer.Answer = "The bridge was opened in 1932 [1]."
	k.Runs[0].Run.Answer.Citations[0].Claim.Text = "The bridge was opened in 1932"
	for said, same := range map[string]bool{"The bridge was opened in 1932 [^1].": true, "The bridge was opened in 1832 [1].": false} {
		k.Runs[0].Tape.Calls = []trace.TapedCall{{Purpose: "rewrite", Said: "bridge opened"}, {Purpose: "chat", Said: said}, {Purpose: "follow-ups", Said: "[]"}}
		got := Replay(k, checker)
		if len(got) != 1 || got[0].Same != same || got[0].Citations != 1 || (got[0].Agreed == 1) != same {
			t.Errorf("%q: %+v", said, got)
		}
	}
	k.Runs[0].Tape = nil
	if got := Replay(k, checker); len(got) != 0 {
		t.Errorf("no model spoke: %+v", got)
	}
}

func TestReadingABundleEndsWhenItIsCalledOff(t *testing.T) {
	large := rebuilt(t, true, func(f map[string]string) {
		doc := sampleKept().Documents[0]
		body := f["sources/"+string(doc.Source.ID)+".json"]
		for i := range 300 {
			address := fmt.Sprintf("https://example.org/%d", i)
			id := string(evidence.NewSourceID(doc.Source.Kind, address, doc.Source.Digest))
			f["sources/"+id+".json"] = strings.NewReplacer(string(doc.Source.ID), id, doc.Source.Address, address).Replace(body)
		}
	})
	if _, err := ReadBundle(t.Context(), large); err != nil {
		t.Fatalf("the bundle is to be sound: %v", err)
	}
	for after := time.Duration(0); after < 20*time.Millisecond; after += time.Millisecond {
		ctx, cancel := context.WithCancel(t.Context())
		var ended atomic.Int64
		began := time.Now()
		time.AfterFunc(after, func() { ended.Store(int64(time.Since(began))); cancel() })
		_, err := ReadBundle(ctx, large)
		if took := time.Since(began); err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("called off after %v: %v", after, err)
		} else if late := took - time.Duration(ended.Load()); err != nil && late > 200*time.Millisecond {
			t.Errorf("called off after %v, it went on for %v", after, late)
		}
		cancel()
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadBundle(ctx, large); !errors.Is(err, context.Canceled) {
		t.Errorf("called off before: %v", err)
	}
}
