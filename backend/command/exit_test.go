package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// TestEveryCodeEndsAsTheContractSays reads the codes from their source; those
// that no command meets are internal.
func TestEveryCodeEndsAsTheContractSays(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "fault", "fault.go"), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	internal := map[fault.Code]bool{
		fault.Internal: true, fault.NotRunning: true, fault.Unauthorized: true, fault.ForbiddenOrigin: true, fault.MethodNotAllowed: true,
		fault.NotWaiting: true, fault.RateLimited: true, fault.Busy: true, fault.IndexRebuilding: true, fault.Interrupted: true,
	}
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		text, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
		if err != nil {
			t.Fatal(err)
		}
		code := fault.Code(text)
		got := codeOf(fmt.Errorf("do: %w", fault.New(code, "m", "h")))
		if (got == 1) != internal[code] || got < 1 || got > 8 {
			t.Errorf("%s ends with %d", code, got)
		}
		return true
	})
	for err, want := range map[error]int{
		context.Canceled: 130, fmt.Errorf("read: %w", context.Canceled): 130, context.DeadlineExceeded: 7, errors.New("odd"): 1,
	} {
		if got := codeOf(err); got != want {
			t.Errorf("%v ends with %d, want %d", err, got, want)
		}
	}
}

func TestTextIsMadeSafeForATerminal(t *testing.T) {
	for in, want := range map[string]string{
		"plain ü 🌉\n\ttext": "plain ü 🌉\n\ttext", "\x1b[31mred": "\uFFFD[31mred", "a\rb\x00c\x7fd": "a\uFFFDb\uFFFDc\uFFFDd", "\u009b2J": "\uFFFD2J",
		"\u202egnp.exe\u202c": "\uFFFDgnp.exe\uFFFD", "\u2066x\u2069\u200e\u061c": "\uFFFDx\uFFFD\uFFFD\uFFFD", "a\xffb": "a\uFFFDb",
	} {
		if got := safe(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	if got := safeLine(" a\nb\t\tc\x1b "); got != "a b c\uFFFD" {
		t.Errorf("%q", got)
	}
}

func FuzzSafe(f *testing.F) {
	for _, seed := range []string{"text", "\x1b]0;x\x07", "\u009b31m", "\u202e", "a\xff\xfe", "\x9b", "\xc2\x9b", "\ud7ff\U0010ffff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for name, out := range map[string]string{"safe": safe(text), "safeLine": safeLine(text)} {
			if !utf8.ValidString(out) || strings.IndexFunc(out, steers) >= 0 {
				t.Fatalf("%s of %q is %q", name, text, out)
			}
		}
		body, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		var before, after string
		out := escaped(string(body))
		if strings.IndexFunc(out, steers) >= 0 || json.Unmarshal(body, &before) != nil || json.Unmarshal([]byte(out), &after) != nil || before != after {
			t.Fatalf("%q becomes %s", text, out)
		}
	})
}

func TestPlacesAreWhereAReaderFindsThem(t *testing.T) {
	for _, c := range []struct {
		card contract.SourceCard
		want string
	}{
		{contract.SourceCard{Kind: evidence.Web, URL: "https://example.org/a"}, "https://example.org/a"},
		{contract.SourceCard{Kind: evidence.File, Path: "/a.pdf", Locator: evidence.Locator{Page: 4, Line: 2}}, "/a.pdf:4"},
		{contract.SourceCard{Kind: evidence.File, Path: "/a.md", Locator: evidence.Locator{Line: 12}}, "/a.md:12"},
		{contract.SourceCard{Kind: evidence.File, Path: "/a.docx"}, "/a.docx"},
		{contract.SourceCard{Kind: evidence.File, Path: "/a.pptx", Locator: evidence.Locator{Page: 4, Place: "Slide 4"}}, "/a.pptx (Slide 4)"},
	} {
		if got := placeOf(c.card); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestOnlyCitedSourcesAreListed(t *testing.T) {
	var out strings.Builder
	print := func(ans contract.Answer) {
		a := &asking{env: &Env{Stdout: &out}, flags: &askFlags{}, style: "[1]", numbers: numbering{}}
		if err := a.print(ans); err != nil {
			t.Fatal(err)
		}
	}
	print(contract.Answer{
		Answer: "It is so [2].", Outcome: contract.Answered, Citations: []contract.Citation{{Marker: 2}},
		Sources: []contract.SourceCard{{N: 1, Title: "One", URL: "https://one.example"}, {N: 2, Title: "Two\nlines", URL: "https://two.example"}},
	})
	if out.String() != "It is so [1].\n\nSources\n[1] Two lines — https://two.example\n" {
		t.Errorf("%q", out.String())
	}
	out.Reset()
	print(contract.Answer{Answer: "Hello.", Outcome: contract.Chatted})
	if out.String() != "Hello.\n" {
		t.Errorf("%q", out.String())
	}
}

func TestAnAnswerThatIsCutOffSaysSo(t *testing.T) {
	var out strings.Builder
	a := &asking{env: &Env{Stdout: &out}, flags: &askFlags{}, style: "[1]", numbers: numbering{}}
	if err := a.print(contract.Answer{Answer: "It is", Outcome: contract.Answered, Notices: []contract.Notice{{Code: contract.NoticeCutOff, Message: "The text is cut off: why."}}}); err != nil {
		t.Fatal(err)
	}
	if out.String() != "It is\n\nThe text is cut off: why.\n" {
		t.Errorf("%q", out.String())
	}
}

func TestAPanicOfAGuestStaysItsOwn(t *testing.T) {
	if err := guarded(func() error { panic("canary") }); fault.CodeOf(err) != fault.Internal || strings.Contains(fault.Of(err).Message, "canary") {
		t.Errorf("%v", err)
	}
	if err := guarded(func() error { return errLater }); !errors.Is(err, errLater) {
		t.Errorf("%v", err)
	}
}

func TestARunningFootnoteThatBreaksOffIsNamed(t *testing.T) {
	for sent, want := range map[string]struct {
		code      int
		o         outcome
		out, errs string
	}{
		`{"out":"YQ=="}`: {1, taken, "a", "error: the running Footnote ended before the command did.\nhint: Run it again.\n"},
		`{"begun":true}`: {1, taken, "", "error: the running Footnote ended before the command did.\nhint: Run it again.\n"},
		``:               {0, nobody, "", ""}, // it was killed before it took the command, which is tried anew
		`nonsense`:       {0, nobody, "", ""},
		`{"later":true}`: {0, later, "", ""}, `{"begun":true}{"later":true}`: {0, later, "", ""},
		`{"out":"YQ=="}{"err":"Yg=="}{"out":"Yw==","exit":3}`: {3, taken, "ac", "b"},
	} {
		var out, errs strings.Builder
		code, o := relay(t.Context(), &Env{Stdout: &out, Stderr: &errs}, Flags{}, json.NewDecoder(strings.NewReader(sent)))
		if code != want.code || o != want.o || out.String() != want.out || errs.String() != want.errs {
			t.Errorf("%q: %d %d %q %q", sent, code, o, out.String(), errs.String())
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if code, _ := relay(ended, &Env{}, Flags{}, json.NewDecoder(strings.NewReader(""))); code != 130 {
		t.Errorf("interrupted: %d", code)
	}
	var out, errs strings.Builder
	relay(t.Context(), &Env{Stdout: &out, Stderr: &errs}, Flags{Set: []string{"a.b=c"}}, json.NewDecoder(strings.NewReader(`{"exit":0}`)))
	if !strings.Contains(errs.String(), "--set") {
		t.Errorf("settings that do not hold are passed over: %q", errs.String())
	}
}

func TestAClockThatIsWrongIsNamed(t *testing.T) {
	if f := clock(time.Date(1970, 1, 1, 0, 0, 0, 0, time.UTC), time.Time{}); f.OK || f.Next == "" || !strings.Contains(f.Says, "1970-01-01") {
		t.Errorf("%+v", f)
	}
	now := time.Date(2031, 5, 1, 0, 0, 0, 0, time.UTC)
	if f := clock(now, now.Add(-time.Hour)); !f.OK {
		t.Errorf("%+v", f)
	}
	if f := clock(now, now.Add(time.Hour)); f.OK || f.Next == "" {
		t.Errorf("a question of tomorrow: %+v", f)
	}
}

func TestTheDoctorKnowsAFullDisk(t *testing.T) {
	if f := diskSpace(439<<20, true); f.OK || f.Says != "439 MB are free." || f.Next == "" {
		t.Errorf("%+v", f)
	}
	if f := diskSpace(2<<30, true); !f.OK || f.Says != "2048 MB are free" {
		t.Errorf("%+v", f)
	}
	if f := diskSpace(0, false); !f.OK || !strings.Contains(f.Says, "not known") {
		t.Errorf("%+v", f)
	}
}
