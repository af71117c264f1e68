//go:build unix

package app

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/command"
	"footnote/backend/housetest"
	"footnote/backend/postgres/pgtest"
)

// teamPlay is a team's database, the programs that serve it, and the people at them.
type teamPlay struct {
	t        *testing.T
	database string
	bases    []string // of the programs
	secrets  map[string]string
}

var invitation = regexp.MustCompile(`invitation=([\w-]{43})`)

// run does what one command line asks for, in a data folder of its own.
func (p *teamPlay) run(args ...string) string {
	p.t.Helper()
	var out, errs housetest.Output
	if code := program.Run(p.t.Context(), p.typed(p.t.TempDir(), &out, &errs, args...)); code != 0 {
		p.t.Fatalf("footnote %s: %d\n%s%s", strings.Join(args, " "), code, out.String(), errs.String())
	}
	return out.String()
}

func (p *teamPlay) typed(data string, out, errs *housetest.Output, args ...string) *command.Env {
	return typed(data, out, errs, append([]string{"--set", "team.database=" + p.database, "--set", "rank.encoder=off", "--set", "models.embedding=none"}, args...)...)
}

// serve starts a program that serves the team until the test ends.
func (p *teamPlay) serve() {
	p.t.Helper()
	var out, errs housetest.Output
	ctx, signal := context.WithCancel(p.t.Context())
	ended := make(chan int, 1)
	env := p.typed(p.t.TempDir(), &out, &errs, "serve", "--team", "--addr", "127.0.0.1:0")
	go func() { ended <- program.Run(ctx, env) }()
	p.t.Cleanup(func() {
		signal()
		if code := <-ended; code != 0 {
			p.t.Errorf("a program ended with %d: %s", code, errs.String())
		}
	})
	for range 2000 {
		if at := listening.FindStringSubmatch(out.String()); at != nil {
			p.bases = append(p.bases, "http://"+at[1])
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	p.t.Fatalf("nothing is served: %s%s", out.String(), errs.String())
}

// call makes a request as a person; nobody is the empty name.
func (p *teamPlay) call(base, person, method, path, body string) (status int, said string) {
	p.t.Helper()
	req, err := http.NewRequestWithContext(p.t.Context(), method, base+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	if body != "" || method != "GET" {
		req.Header.Set("Content-Type", "application/json")
	}
	if secret := p.secrets[person]; secret != "" {
		req.AddCookie(&http.Cookie{Name: "footnote_session", Value: secret})
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, c := range resp.Cookies() {
		p.secrets[person] = c.Value
	}
	return resp.StatusCode, string(data)
}

// comes has a person who was invited choose a password.
func (p *teamPlay) comes(name string) {
	p.t.Helper()
	secret := invitation.FindStringSubmatch(p.run("team", "person", name))
	if status, said := p.call(p.bases[0], name, "POST", "/api/session/accept", `{"invitation":"`+secret[1]+`","password":"the password of `+name+`"}`); status != 200 {
		p.t.Fatalf("%s does not come in: %d %s", name, status, said)
	}
	if status, said := p.call(p.bases[0], name, "GET", "/api/health", ""); status != 200 || !strings.Contains(said, `"person":"`+name+`"`) || strings.Contains(said, `"folder"`) {
		p.t.Errorf("%s is told %d %s", name, status, said)
	}
}

type asked struct {
	ID     contract.RunID
	Thread contract.ThreadID
	Answer *contract.Answer
}

// asks gives the answer that a person gets.
func (p *teamPlay) asks(base, person, question string) asked {
	p.t.Helper()
	body, err := json.Marshal(map[string]string{"question": question, "focus": "local"})
	if err != nil {
		p.t.Fatal(err)
	}
	status, said := p.call(base, person, "POST", "/api/runs?wait=true", string(body))
	var a asked
	if err := json.Unmarshal([]byte(said), &a); err != nil || status != 200 || a.Answer == nil {
		p.t.Fatalf("%s asks %q: %d %s", person, question, status, said)
	}
	p.t.Logf("%s asks: %s\n  %s", person, question, strings.ReplaceAll(strings.TrimSpace(a.Answer.Answer), "\n", " "))
	return a
}

func newTeamPlay(t *testing.T) (*teamPlay, *pgtest.Server) {
	s := pgtest.Start(t)
	p := &teamPlay{t: t, database: s.Database("team"), secrets: map[string]string{}}
	p.run("team", "init")
	return p, s
}

// adds reads a text into a collection.
func (p *teamPlay) adds(collection, name, text string) {
	p.t.Helper()
	path := filepath.Join(p.t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
	p.run("team", "add", collection, path)
}

const (
	openedQuestion = "When was the Lorne bridge opened?"
	paidQuestion   = "What is the salary of the harbour master?"
)

// newThreePeople are two processes over one database, of whom Ann reads Bridges and
// Payroll, Bob Bridges, and Cid nothing.
func newThreePeople(t *testing.T) (p *teamPlay, s *pgtest.Server) {
	t.Helper()
	p, s = newTeamPlay(t)
	for _, c := range []string{"Bridges", "Payroll"} {
		p.run("team", "collection", c)
	}
	p.adds("Bridges", "lorne.md", "The Lorne bridge was opened in 1932 by the mayor. It is 80 metres long.")
	p.adds("Payroll", "pay.md", "The salary of the harbour master is 4711 pounds a year. It is paid in March.")
	p.serve()
	p.serve()
	for _, name := range []string{"ann", "bob", "cid"} {
		p.comes(name)
	}
	for _, right := range [][2]string{{"Bridges", "ann"}, {"Payroll", "ann"}, {"Bridges", "bob"}} {
		p.run("team", "grant", right[0], right[1], "reader")
	}
	return p, s
}

// TestTwoProcessesOneDatabaseThreePeople is what each of them sees of the same
// questions, whichever program they ask.
func TestTwoProcessesOneDatabaseThreePeople(t *testing.T) {
	p, s := newThreePeople(t)
	one, two := p.bases[0], p.bases[1]
	runs := map[string]asked{}
	for i, want := range []struct{ who, question, holds string }{
		{"ann", openedQuestion, "1932"}, {"bob", openedQuestion, "1932"}, {"cid", openedQuestion, ""},
		{"ann", paidQuestion, "4711"}, {"bob", paidQuestion, ""}, {"cid", paidQuestion, ""},
	} {
		a := p.asks(p.bases[i%2], want.who, want.question)
		runs[want.who+want.question] = a
		for _, secret := range []string{"1932", "4711"} {
			if has := strings.Contains(a.Answer.Answer, secret); has != (secret == want.holds) {
				t.Errorf("%s asks %q and gets %q", want.who, want.question, a.Answer.Answer)
			}
		}
	}
	t.Run("what one keeps is seen by nobody else", func(t *testing.T) { p.apart(t, runs) })
	paid := runs["ann"+paidQuestion]
	t.Run("an answer of one program is followed from the other", func(t *testing.T) {
		_, here := p.call(one, "ann", "GET", "/api/runs/"+string(paid.ID)+"/events?format=jsonl", "")
		_, there := p.call(two, "ann", "GET", "/api/runs/"+string(paid.ID)+"/events?format=jsonl", "")
		if here != there || !strings.Contains(here, "4711") {
			t.Errorf("%q, and there %q", here, there)
		}
	})
	t.Run("a right that is taken away is gone with all that it showed", func(t *testing.T) { p.taken(t, paid) })
	t.Run("a person has the rights of their groups as well", func(t *testing.T) { p.grouped(t) })
	t.Run("who is shut out is told so", func(t *testing.T) { p.shutOut(t) })
	t.Run("the database is away for a while", func(t *testing.T) {
		s.Kill()
		if status, said := p.call(one, "bob", "GET", "/api/threads", ""); status != 503 || !strings.Contains(said, "cannot be reached") {
			t.Errorf("%d %s", status, said)
		}
		if status, _ := p.call(one, "", "GET", "/ready", ""); status != 503 {
			t.Errorf("ready: %d", status)
		}
		s.Run()
		if a := p.asks(one, "bob", openedQuestion); !strings.Contains(a.Answer.Answer, "1932") {
			t.Errorf("%q", a.Answer.Answer)
		}
	})
}

// apart: everybody asks for what the others have, by its right name.
func (p *teamPlay) apart(t *testing.T, runs map[string]asked) {
	for _, who := range []string{"ann", "bob", "cid", ""} {
		for key, a := range runs {
			if who != "" && strings.HasPrefix(key, who) {
				continue
			}
			for _, path := range []string{"/api/runs/" + string(a.ID), "/api/threads/" + string(a.Thread), "/api/runs/" + string(a.ID) + "/events", "/api/runs/" + string(a.ID) + "/trace", "/api/threads/" + string(a.Thread) + "/export?format=md"} {
				if status, said := p.call(p.bases[1], who, "GET", path, ""); status != 404 && (who != "" || status != 401) {
					t.Errorf("%q sees %s: %d %s", who, path, status, said)
				}
			}
		}
	}
	for who, n := range map[string]int{"ann": 2, "bob": 2, "cid": 2} {
		if _, said := p.call(p.bases[0], who, "GET", "/api/threads", ""); strings.Count(said, `"id"`) != n {
			t.Errorf("%s has %s", who, said)
		}
	}
}

// taken: after a right is gone, nothing that ann has tells what it showed.
func (p *teamPlay) taken(t *testing.T, paid asked) {
	var body bytes.Buffer
	p.run("team", "revoke", "Payroll", "ann")
	cited := paid.Answer.Citations[0]
	for path, want := range map[string]int{
		"/api/runs/" + string(paid.ID): 200, "/api/threads/" + string(paid.Thread): 200, "/api/runs/" + string(paid.ID) + "/events": 200, "/api/threads?q=4711": 200,
		"/api/runs/" + string(paid.ID) + "/trace": 200, "/api/sources/" + string(cited.Source): 404, "/api/sources/" + string(cited.Source) + "/text": 404,
		"/api/sources/" + string(cited.Source) + "/file": 404, "/api/passages/" + string(cited.Passage): 404, "/api/threads/" + string(paid.Thread) + "/export?format=md": 200,
		"/api/library/search?q=salary": 200, "/api/library/count?q=salary": 200, "/api/library/files": 200, "/api/ledger": 200,
	} {
		status, said := p.call(p.bases[1], "ann", "GET", path, "")
		body.WriteString(said)
		if strings.Contains(said, "4711 pounds") || strings.Contains(said, "pay.md") || status != want && status != 404 {
			t.Errorf("%s: %d %s", path, status, said)
		}
	}
	if !strings.Contains(body.String(), "may not open any more") {
		t.Error("nobody says why")
	}
	if a := p.asks(p.bases[0], "ann", paidQuestion); strings.Contains(a.Answer.Answer, "4711") {
		t.Errorf("asked again: %s", a.Answer.Answer)
	}
	p.run("team", "grant", "Payroll", "ann", "reader")
	if _, said := p.call(p.bases[1], "ann", "GET", "/api/runs/"+string(paid.ID), ""); !strings.Contains(said, "4711") {
		t.Errorf("given back, and still gone: %s", said)
	}
}

// grouped: cid may what a group may for as long as he is in it.
func (p *teamPlay) grouped(t *testing.T) {
	sees := func(what string, want bool) {
		t.Helper()
		if a := p.asks(p.bases[1], "cid", paidQuestion); strings.Contains(a.Answer.Answer, "4711") != want {
			t.Errorf("%s: %s", what, a.Answer.Answer)
		}
	}
	p.run("team", "group", "Office")
	p.run("team", "grant", "Payroll", "Office", "reader")
	sees("not in the group", false)
	p.run("team", "join", "Office", "cid")
	sees("in the group", true)
	if said := p.run("team", "list"); !strings.Contains(said, "group  Office  cid\n") || !strings.Contains(said, "Office (group): reader") {
		t.Error(said)
	}
	p.run("team", "leave", "office", "cid")
	sees("not any more", false)
	p.run("team", "join", "Office", "cid")
	p.run("team", "group", "Office", "--remove")
	sees("the group is gone", false)
	for _, wrong := range [][]string{{"group", "CID"}, {"person", "Office 2"}, {"group", "office 2"}, {"join", "cid", "ann"}, {"block", "Office"}, {"leave", "Office", "nobody"}} {
		if wrong[0] == "person" {
			p.run("team", "person", wrong[1])
			continue
		}
		var out, errs housetest.Output
		if code := program.Run(t.Context(), p.typed(t.TempDir(), &out, &errs, append([]string{"team"}, wrong...)...)); code == 0 {
			t.Errorf("team %v is done: %s", wrong, errs.String())
		}
	}
}

// shutOut: each way of not being let in has its words.
func (p *teamPlay) shutOut(t *testing.T) {
	base := p.bases[0]
	wrong := func(person, method, path, body string, status int, words string) {
		t.Helper()
		if got, said := p.call(base, person, method, path, body); got != status || !strings.Contains(said, words) {
			t.Errorf("%s %s: %d %s, want %q", method, path, got, said, words)
		}
	}
	wrong("", "GET", "/api/threads", "", 401, "not signed in")
	for _, name := range []string{"bob", "nobody at all"} {
		wrong("", "POST", "/api/session", `{"name":"`+name+`","password":"not the password"}`, 401, "do not go together")
	}
	for range 4 {
		wrong("", "POST", "/api/session", `{"name":"cid","password":"not the password"}`, 401, "do not go together")
	}
	wrong("", "POST", "/api/session", `{"name":"cid","password":"not the password"}`, 401, "do not go together")
	wrong("", "POST", "/api/session", `{"name":"cid","password":"the password of cid"}`, 429, "too many wrong")
	wrong("cid", "PUT", "/api/settings", `{"ask.mode":"speed"}`, 403, "runs Footnote for the team")
	wrong("cid", "POST", "/api/library", `{"paths":["/etc"]}`, 403, "runs Footnote for the team")
	wrong("cid", "GET", "/api/audit", "", 403, "administrators")
	wrong("cid", "POST", "/api/tokens", `{"name":""}`, 400, "needs a name")
	_, made := p.call(base, "cid", "POST", "/api/tokens", `{"name":"script"}`)
	var token struct{ Token, ID string }
	if err := json.Unmarshal([]byte(made), &token); err != nil || token.Token == "" {
		t.Fatalf("%s", made)
	}
	p.secrets["script"] = token.Token
	if status, said := p.call(base, "script", "GET", "/api/threads", ""); status != 200 {
		t.Errorf("by a token: %d %s", status, said)
	}
	wrong("cid", "DELETE", "/api/tokens/"+token.ID, "", 204, "")
	wrong("script", "GET", "/api/threads", "", 401, "not signed in")
	p.run("team", "block", "cid")
	wrong("cid", "GET", "/api/threads", "", 401, "not signed in")
	wrong("bob", "DELETE", "/api/session", "", 204, "")
	wrong("bob", "GET", "/api/session", "", 401, "not signed in")
	wrong("bob", "POST", "/api/session", `{"name":" BOB ","password":"the password of bob"}`, 200, `"bob"`)
}
