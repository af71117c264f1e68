package backend

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "footnote"

// floors gives each room its floor: a file may import only rooms on lower
// floors, or its own. A name that ends in "/*" is every folder below it, each a
// room of its own, which imports none of the others.
var floors = map[string]int{
	"backend/evidence": 0, "backend/fault": 0, "backend/lang": 0, "backend/plain": 0, "backend/pattern": 0, "backend/collector": 0, "backend/bounded": 0, "backend/registry": 0, "backend/extract/sandbox": 0, "backend/embed/simd": 0, "backend/store/quantize": 0, "backend/store/pack": 1, "backend/store/sqlite": 1, "backend/store/tally": 2, "backend/library/exclude": 0, "backend/library/walk": 1, "backend/library/asked": 2, "backend/typescript": 0, "backend/hostile": 0, "backend/privacy/privacytest": 0, "backend/disk": 0, "backend/minisign": 0, "backend/feed": 0, "backend/embed/weights": 0,
	"backend/llm": 1, "backend/extract": 1, "backend/rank": 1, "backend/cite": 1, "backend/settings": 1, "backend/compute": 1, "backend/privacy": 1, "backend/library/topics": 1, "backend/answer/intent": 1, "backend/answer/contract": 1, "backend/answer/followup": 1, "backend/answer/answertype": 1, "backend/answer/compare": 1, "backend/answer/cells": 1, "backend/answer/cells/times": 1, "backend/answer/cells/numbers": 1, "backend/references": 1,
	"backend/answer": 2, "backend/answer/selection": 2, "backend/answer/check": 2, "backend/answer/compose": 2, "backend/answer/changes": 2, "backend/answer/recent": 0, "backend/answer/answertest": 3, "backend/answer/quote": 2, "backend/answer/trace": 2, "backend/answer/journal": 2, "backend/answer/queries": 2, "backend/answer/gather": 2, "backend/answer/prompts": 2, "backend/answer/agent": 2, "backend/library": 2, "backend/records": 2, "backend/refresh": 2, "backend/research": 2, "backend/research/*": 2, "backend/table": 2, "backend/export/paper": 1,
	"backend/charset": 0,
	"backend/update":  2, "backend/update/offer": 1,
	"backend/extract/*": 1,
	"backend/store":     3, "backend/export": 3, "backend/index": 3, "backend/web": 3, "backend/embed": 3, "backend/desktop": 3,
	"backend/llm/openai": 3, "backend/llm/ollama": 3, "backend/llm/anthropic": 3, "backend/llm/gemini": 3, "backend/llm/llmtest": 3,
	"backend/web/engine/*": 3, "backend/web/webtest": 3, "backend/web/tidy": 1,
	"backend/web/engine": 4,
	"backend/api":        4, "backend/server": 4, "backend/server/openai": 4, "backend/command": 4, "backend/mcp": 4, "backend/eval": 4, "backend/eval/world": 3, "backend/eval/keys": 3,
	"backend/postgres": 3, "backend/postgres/people": 3, "backend/postgres/pgtest": 3, "backend/library/librarytest": 3, "backend/records/recordstest": 3, "backend/team": 2, "backend/team/sharing": 2,
	"backend/notebook": 2, "backend/about": 3,
	"backend/app": 5, "backend/housetest": 5,
	"": 6, "build": 6,
}

// exempt lists same-floor imports that are allowed, with the reason. A name of
// many rooms stands for each of them.
var exempt = map[[2]string]string{
	{"backend/extract", "backend/extract/*"}:                       "the registry names the readers, which know nothing of it",
	{"backend/feed", "backend/bounded"}:                            "it counts what a feed would become, and knows nothing of feeds",
	{"backend/extract/*", "backend/extract/format"}:                "what all readers share",
	{"backend/extract/*", "backend/extract/tool"}:                  "programs of the system",
	{"backend/extract/pdf", "backend/extract/layout"}:              "words of a page become lines",
	{"backend/extract/ocr", "backend/extract/layout"}:              "… those of a picture as well",
	{"backend/extract/pdf", "backend/extract/ocr"}:                 "pages that are pictures",
	{"backend/extract/office", "backend/extract/markup"}:           "a book is made of pages of HTML",
	{"backend/extract/mail", "backend/extract/markup"}:             "so are many messages",
	{"backend/extract/legacy", "backend/extract/office"}:           "old slides and sheets are written as new ones",
	{"backend/answer/answertype", "backend/cite"}:                  "the stems of words are the checker's",
	{"backend/answer/cells", "backend/answer/cells/times"}:         "what heads and cells say of times",
	{"backend/answer/cells", "backend/answer/cells/numbers"}:       "what cells say of figures",
	{"backend/answer/cells/numbers", "backend/answer/cells/times"}: "a day is no figure",
	{"backend/answer/cells", "backend/cite"}:                       "words of heads and labels are the checker's",
	{"backend/answer/compare", "backend/rank"}:                     "stems of words are ranking's own",
	{"backend/answer/contract", "backend/rank"}:                    "weights and candidates are ranking's own",
	{"backend/answer/contract", "backend/privacy"}:                 "an answer comes with its ledger",
	{"backend/privacy", "backend/rank"}:                            "addresses are the same that ranking takes for the same",
	{"backend/library", "backend/library/asked"}:                   "it searches for what was read of a search",
	{"backend/library/topics", "backend/rank"}:                     "words and their stems are those of ranking",
	{"backend/server", "backend/api"}:                              "a transport mounts the services, which know no transport",
	{"backend/server", "backend/server/openai"}:                    "requests of OpenAI's clients in our words; it knows no HTTP",
	{"backend/server/openai", "backend/api"}:                       "errors have the form of the services'",
	{"backend/answer", "backend/answer/selection"}:                 "the engine calls its stage, which knows no engine",
	{"backend/answer", "backend/answer/check"}:                     "… and this one",
	{"backend/answer", "backend/answer/compose"}:                   "… and this one",
	{"backend/answer/selection", "backend/answer/gather"}:          "what was gathered is chosen from",
	{"backend/answer/selection", "backend/answer/journal"}:         "what it tells while it works",
	{"backend/answer/selection", "backend/answer/prompts"}:         "a model that orders passages",
	{"backend/answer/selection", "backend/answer/queries"}:         "a question in its parts",
	{"backend/answer/selection", "backend/answer/quote"}:           "rows and sentences that answer",
	{"backend/answer/selection", "backend/answer/trace"}:           "scores as they are shown",
	{"backend/answer/check", "backend/answer/gather"}:              "the sentence encoder judges as well",
	{"backend/answer/check", "backend/answer/journal"}:             "what it tells while it works",
	{"backend/answer/check", "backend/answer/prompts"}:             "what a model is asked of claims",
	{"backend/answer/check", "backend/answer/queries"}:             "names of a question",
	{"backend/answer/check", "backend/answer/quote"}:               "what proves a quotation",
	{"backend/answer/check", "backend/answer/selection"}:           "claims are bound to what was chosen",
	{"backend/answer/compose", "backend/answer/gather"}:            "the task that is answered",
	{"backend/answer/compose", "backend/answer/journal"}:           "text is published as it comes",
	{"backend/answer/compose", "backend/answer/prompts"}:           "what a model is asked to write",
	{"backend/answer/compose", "backend/answer/selection"}:         "from what was chosen",
	{"backend/answer/compose", "backend/answer/check"}:             "markers are bound while they come",
	{"backend/answer", "backend/answer/changes"}:                   "… and this one",
	{"backend/answer/changes", "backend/answer/gather"}:            "pages are read again",
	{"backend/answer/changes", "backend/answer/trace"}:             "what an answer was chosen from",
	{"backend/answer", "backend/answer/trace"}:                     "what it keeps of a run",
	{"backend/answer", "backend/answer/journal"}:                   "runs in progress, which know no engine",
	{"backend/answer", "backend/answer/gather"}:                    "the engine calls its stage, which knows no engine",
	{"backend/answer/agent", "backend/answer/gather"}:              "… and the agent searches through it",
	{"backend/research", "backend/answer/gather"}:                  "… as deep research does",
	{"backend/answer/gather", "backend/answer/journal"}:            "what it tells while it works",
	{"backend/answer/gather", "backend/answer/queries"}:            "what is searched for by rules",
	{"backend/answer/gather", "backend/answer/prompts"}:            "what a model is asked of sources",
	{"backend/answer/gather", "backend/answer/quote"}:              "the sentence encoder scores quoted answers as well",
	{"backend/answer", "backend/answer/queries"}:                   "rules of its planning",
	{"backend/answer/agent", "backend/answer/queries"}:             "… of the agent's",
	{"backend/research", "backend/answer/queries"}:                 "… and of deep research",
	{"backend/answer", "backend/answer/prompts"}:                   "what it asks models",
	{"backend/answer/agent", "backend/answer/prompts"}:             "… and what the agent asks them",
	{"backend/research", "backend/answer/prompts"}:                 "… and deep research",
	{"backend/answer/journal", "backend/answer/trace"}:             "what is stored with the last event of a run",
	{"backend/answer/trace", "backend/answer/quote"}:               "an answer without a model has a trace of its own",
	{"backend/research", "backend/answer"}:                         "it runs the engine's stages; the engine is given it",
	{"backend/research", "backend/answer/journal"}:                 "tokens of a report belong to a phase",
	{"backend/research", "backend/answer/quote"}:                   "a report without a model is quoted",
	{"backend/research", "backend/research/*"}:                     "a run of research asks them; none of them knows it",
	{"backend/research/*", "backend/answer/quote"}:                 "… of sentences as quoted answers have them",
	{"backend/research/subject", "backend/answer/queries"}:         "names of a question are found by rules",
	{"backend/research/subject", "backend/research/figures"}:       "the year that a text names",
	{"backend/research/subject", "backend/research/sentences"}:     "a title that is quoted as a sentence",
	{"backend/research/calls", "backend/answer/journal"}:           "what a call used belongs to a phase",
	{"backend/research/calls", "backend/answer/prompts"}:           "the rules of each step",
	{"backend/research/facets", "backend/answer/queries"}:          "names in texts are found by rules",
	{"backend/research/facets", "backend/research/subject"}:        "whose sides they are",
	{"backend/research/facets", "backend/research/headings"}:       "the encoder that is near to a question",
	{"backend/research/report", "backend/research/*"}:              "a report is put together from what these tell; they know nothing of it",
	{"backend/research/report", "backend/answer/compose"}:          "how often too long a prompt is shortened",
	{"backend/research/report", "backend/answer"}:                  "it publishes and streams through the stages of the engine",
	{"backend/research/report", "backend/answer/gather"}:           "texts of passages as they are ranked",
	{"backend/research/report", "backend/answer/prompts"}:          "what a section is asked for",
	{"backend/research/report", "backend/answer/queries"}:          "a question in its parts",
	{"backend/refresh", "backend/answer"}:                          "it asks the engine, which knows nothing of it",
	{"backend/evidence", "backend/pattern"}:                        "expressions that are compiled late; it imports nothing",
	{"backend/evidence", "backend/lang"}:                           "sentences end as a language writes; lang is tables and imports nothing",
	{"backend/answer/agent", "backend/answer"}:                     "it gathers through the engine's retriever; the engine is given it",
	{"backend/answer", "backend/answer/quote"}:                     "the engine calls its stage, which knows no engine",
	{"backend/web/engine/*", "backend/web"}:                        "an engine uses its room's client",
	{"backend/web/webtest", "backend/web"}:                         "the suite drives the room",
	{"backend/postgres/people", "backend/postgres"}:                "what people share lies in its tables, behind its walls",
	{"backend/command", "backend/eval"}:                            "the command line prints what eval measures; eval knows no mouth",
}

// owners gives each heavy dependency its one room.
var owners = map[string][]string{
	"modernc.org/sqlite":                     {"backend/store/sqlite", "backend/references"},
	"github.com/pressly/goose/v3":            {"backend/store", "backend/postgres"},
	"github.com/jackc/pgx/v5":                {"backend/postgres", "backend/postgres/people", "backend/postgres/pgtest"},
	"github.com/blevesearch/bleve/v2":        {"backend/index"},
	"github.com/philippgille/chromem-go":     {"backend/index"},
	"github.com/ledongthuc/pdf":              {"backend/extract/pdf"},
	"github.com/tetratelabs/wazero":          {"backend/extract/pdf"},
	"github.com/xuri/excelize/v2":            {"backend/extract/office", "backend/extract/legacy", "backend/export"},
	"github.com/sashabaranov/go-openai":      {"backend/llm/openai"},
	"github.com/wailsapp/wails/v2":           {"backend/app"},
	"github.com/spf13/cobra":                 {"backend/command"},
	"github.com/markusmobius/go-trafilatura": {"backend/web"},
	"github.com/go-shiori/go-readability":    {"backend/web"},
	"fyne.io/systray":                        {"backend/desktop"},
	"github.com/jezek/xgb":                   {"backend/desktop"},
	"github.com/godbus/dbus/v5":              {"backend/desktop"},
	"github.com/zalando/go-keyring":          {"backend/settings"},
	"github.com/pelletier/go-toml/v2":        {"backend/settings"},
	"github.com/fsnotify/fsnotify":           {"backend/library"},
	"golang.org/x/image/font":                {"backend/export/paper"},
	"github.com/rivo/uniseg":                 {"backend/export/paper"},
	"github.com/kljensen/snowball":           {"backend/rank", "backend/cite"},
	"github.com/google/jsonschema-go":        {"backend/server", "backend/mcp"},
	"github.com/modelcontextprotocol/go-sdk": {"backend/mcp"},
	"github.com/chromedp/chromedp":           {"backend/web"},
	"github.com/chromedp/cdproto":            {"backend/web"},
}

// dialers are the only rooms whose own code may make an HTTP client or dial.
var dialers = map[string]bool{"backend/web": true}

type goFile struct {
	room, path string
	test       bool
	imports    []string
	source     string
}

func goFiles(t *testing.T) []goFile {
	t.Helper()
	var files []goFile
	root := ".."
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			rel, _ := filepath.Rel(root, path)
			if name == "node_modules" || name == "testdata" || name == "htmldate" || (strings.HasPrefix(name, ".") && rel != ".") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, source, parser.ImportsOnly)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		room := filepath.ToSlash(filepath.Dir(rel))
		if room == "." {
			room = ""
		}
		f := goFile{room: room, path: rel, test: strings.HasSuffix(name, "_test.go"), source: string(source)}
		for _, spec := range parsed.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			f.imports = append(f.imports, imp)
		}
		files = append(files, f)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func roomOf(dir string) (room string, floor int, ok bool) {
	for d := dir; ; d = filepath.ToSlash(filepath.Dir(d)) {
		if floor, ok := floors[d]; ok && d != "" {
			return d, floor, true
		}
		if floor, ok := floors[many(d)]; ok {
			return d, floor, true
		}
		if d == "." || d == "/" || d == "" {
			break
		}
	}
	floor, ok = floors[dir]
	return dir, floor, ok
}

// many is the name that stands for a room and those beside it.
func many(room string) string { return filepath.ToSlash(filepath.Dir(room)) + "/*" }

func isExempt(room, target string) bool {
	return exempt[[2]string{room, target}] != "" || exempt[[2]string{many(room), target}] != "" || exempt[[2]string{room, many(target)}] != ""
}

func TestImportsGoDown(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.room == "backend" {
			continue // the rules themselves
		}
		room, floor, ok := roomOf(f.room)
		if !ok {
			t.Errorf("%s: room %q stands on no floor; add it to the map", f.path, f.room)
			continue
		}
		for _, imp := range f.imports {
			checkOwner(t, f, room, imp)
			if imp != module && !strings.HasPrefix(imp, module+"/") {
				continue
			}
			target, lower, known := roomOf(strings.TrimPrefix(strings.TrimPrefix(imp, module), "/"))
			if !known {
				t.Errorf("%s imports %s, which stands on no floor", f.path, imp)
			}
			if target == room || f.test || isExempt(room, target) {
				continue
			}
			if lower >= floor {
				t.Errorf("%s (floor %d) imports %s (floor %d): import only lower floors", f.path, floor, target, lower)
			}
		}
	}
}

func checkOwner(t *testing.T, f goFile, room, imp string) {
	for dep, rooms := range owners {
		if imp != dep && !strings.HasPrefix(imp, dep+"/") {
			continue
		}
		owned := f.test
		for _, r := range rooms {
			owned = owned || r == room
		}
		if !owned {
			t.Errorf("%s imports %s, which belongs to %v", f.path, imp, rooms)
		}
	}
}

// TestTheRootOnlyStarts keeps the root of the tree to the process and the name of
// what the window binds; what they start is a room.
func TestTheRootOnlyStarts(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.room == "" && f.path != "main.go" && f.path != "app.go" {
			t.Errorf("%s stands at the root: it belongs in a room", f.path)
		}
	}
}

// TestOneWayOut holds SEC-3: nobody but web makes clients, transports or dials.
func TestOneWayOut(t *testing.T) {
	for _, f := range goFiles(t) {
		room, _, _ := roomOf(f.room)
		if f.test || dialers[room] || room == "build" || room == "backend" || strings.HasSuffix(room, "test") {
			continue
		}
		for _, word := range []string{"http.DefaultClient", "http.Get(", "http.Post(", "http.Client{", "http.Transport{", `net.Dial("tcp`, `net.Dial("udp`, "net.Dialer{"} {
			if strings.Contains(f.source, word) {
				t.Errorf("%s uses %s: take an *http.Client made by backend/web", f.path, word)
			}
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	said, seen := map[string]bool{}, map[string]bool{}
	for _, f := range goFiles(t) {
		if f.test {
			continue
		}
		seen[f.room] = true
		parsed, err := parser.ParseFile(token.NewFileSet(), f.path, f.source, parser.ParseComments|parser.PackageClauseOnly)
		if err != nil {
			t.Fatal(err)
		}
		if parsed.Doc != nil && len(parsed.Doc.Text()) > 20 {
			said[f.room] = true
		}
	}
	for room := range seen {
		if !said[room] {
			t.Errorf("package in %q has no package comment", room)
		}
	}
}
