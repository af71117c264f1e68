//go:build unix

package app

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/housetest"
)

const bothQuestion = "When was the Lorne bridge opened, and what is the salary of the harbour master?"

// shows is what a person sees of what is shared, as one text; empty where nothing is.
func (p *teamPlay) shows(base, who, shared string) (status int, said string) {
	status, said = p.call(base, who, "GET", "/api/shared/"+shared, "")
	var thread struct{ Runs []contract.Run }
	if status == 200 && json.Unmarshal([]byte(said), &thread) == nil {
		for _, r := range thread.Runs {
			if r.Answer != nil {
				p.t.Logf("%s sees of %q:\n  %s", who, r.Question.Text, strings.ReplaceAll(r.Answer.Answer, "\n", " "))
			}
		}
	}
	return status, said
}

func (p *teamPlay) posts(base, who, path, body string, into any) {
	p.t.Helper()
	status, said := p.call(base, who, "POST", path, body)
	if err := json.Unmarshal([]byte(said), into); err != nil || status != 201 && status != 200 {
		p.t.Fatalf("%s %s: %d %s", path, body, status, said)
	}
}

// TestASharedAnswerShowsWhatOneMayRead: Ann has an answer of two collections. Bob,
// who reads one of them, and Cid, who reads none, see of it what they may.
func TestASharedAnswerShowsWhatOneMayRead(t *testing.T) {
	p, _ := newThreePeople(t)
	one, two := p.bases[0], p.bases[1]
	a := p.asks(one, "ann", bothQuestion)
	if !strings.Contains(a.Answer.Answer, "in 1932") || !strings.Contains(a.Answer.Answer, "4711 pounds") {
		t.Fatalf("the answer is not of both: %s", a.Answer.Answer)
	}
	shares := "/api/threads/" + string(a.Thread) + "/shares"
	if status, said := p.call(two, "bob", "POST", shares, `{"name":"bob"}`); status != 404 {
		t.Errorf("what is not Bob's is shared: %d %s", status, said)
	}
	var given, link, opened struct{ ID, Secret string }
	p.posts(one, "ann", shares, `{"name":"bob"}`, &given)
	p.posts(one, "ann", shares, `{"link":true}`, &link)
	p.posts(two, "cid", "/api/shared/open", `{"secret":"`+link.Secret+`"}`, &opened)
	id := opened.ID
	if _, said := p.call(two, "bob", "GET", "/api/shared", ""); !strings.Contains(said, id) || !strings.Contains(said, `"from":"ann"`) {
		t.Errorf("bob is told of %s", said)
	}
	sees := func(who string, want ...string) {
		t.Helper()
		status, said := p.shows(two, who, id)
		_, paper := p.call(one, who, "GET", "/api/shared/"+id+"/export?format=md", "")
		if status != 200 {
			t.Errorf("%s: %d %s", who, status, said)
		}
		for _, secret := range []string{"in 1932", "4711 pounds", "lorne.md", "pay.md", "A source you may not open"} {
			wanted := strings.Contains(strings.Join(want, " "), secret)
			if strings.Contains(said, secret) != wanted || strings.Contains(paper, secret) != wanted && !strings.HasSuffix(secret, ".md") {
				t.Errorf("%s, who is to see %v: %s\n%s", who, want, said, paper)
			}
		}
	}
	sees("bob", "in 1932", "lorne.md", "A source you may not open")
	sees("cid", "A source you may not open")
	p.run("team", "grant", "Payroll", "bob", "reader")
	sees("bob", "in 1932", "4711 pounds", "lorne.md", "pay.md")
	var copied struct{ Thread contract.ThreadID }
	p.posts(two, "bob", "/api/shared/"+id+"/copy", `{}`, &copied)
	if _, said := p.call(one, "bob", "GET", "/api/threads/"+string(copied.Thread), ""); !strings.Contains(said, "4711 pounds") {
		t.Errorf("the copy has %s", said)
	}
	p.run("team", "revoke", "Payroll", "bob")
	sees("bob", "in 1932", "lorne.md", "A source you may not open")
	if _, said := p.call(one, "bob", "GET", "/api/threads/"+string(copied.Thread), ""); strings.Contains(said, "4711 pounds") {
		t.Errorf("the copy still has %s", said)
	}
	_, list := p.call(one, "ann", "GET", shares, "")
	if strings.Count(list, `"id"`) != 2 || strings.Contains(list, link.Secret) {
		t.Errorf("ann's shares: %s", list)
	}
	for _, share := range []string{given.ID, link.ID} {
		if status, said := p.call(one, "ann", "DELETE", shares+"/"+share, ""); status != 204 {
			t.Errorf("%d %s", status, said)
		}
	}
	for _, who := range []string{"bob", "cid"} {
		if status, said := p.shows(two, who, id); status != 404 {
			t.Errorf("taken back, and %s still sees %s", who, said)
		}
	}
	p.run("team", "group", "Office")
	p.run("team", "join", "Office", "ann")
	p.run("team", "join", "Office", "cid")
	p.posts(one, "ann", shares, `{"name":"Office"}`, &given)
	sees("cid", "A source you may not open")
	p.run("team", "leave", "Office", "cid")
	if status, _ := p.shows(two, "cid", id); status != 404 {
		t.Error("out of the group, and still sees it")
	}
	t.Run("from the command line, and for administrators", func(t *testing.T) { p.managed(t, a, id) })
}

// managed: an administrator shares and takes back, sees the metrics, and takes out
// and away what is kept of a person.
func (p *teamPlay) managed(t *testing.T, a asked, id string) {
	one := p.bases[0]
	p.run("team", "share", "ann", string(a.Thread), "bob")
	if status, said := p.shows(one, "bob", id); status != 200 || !strings.Contains(said, "in 1932") {
		t.Errorf("%d %s", status, said)
	}
	list := p.run("team", "shares")
	share := regexp.MustCompile(`(shr_\w+).* of ann  person bob`).FindStringSubmatch(list)
	if share == nil || strings.Contains(list, "in 1932") {
		t.Fatalf("%q", list)
	}
	p.run("team", "unshare", share[1])
	if status, _ := p.shows(one, "bob", id); status != 404 {
		t.Errorf("taken back, and still there: %d", status)
	}
	if status, said := p.call(one, "bob", "GET", "/metrics", ""); status != 403 {
		t.Errorf("metrics for bob: %d %s", status, said)
	}
	p.run("team", "person", "ann", "--administrator")
	if status, said := p.call(one, "ann", "GET", "/metrics", ""); status != 200 || !strings.Contains(said, "\nfootnote_people 3\n") || !strings.Contains(said, "# TYPE footnote_ready gauge\nfootnote_ready 1\n") {
		t.Errorf("metrics: %d %s", status, said)
	}
	if out := p.run("team", "export", "ann"); !strings.Contains(out, "4711 pounds") || strings.Contains(out, "argon2id") || !strings.Contains(out, `{"row":{"id":`) {
		t.Errorf("ann's data: %.400s", out)
	}
	p.run("team", "revoke", "Payroll", "ann")
	if out := p.run("team", "export", "ann"); strings.Contains(out, "4711 pounds") || !strings.Contains(out, bothQuestion) {
		t.Error("what ann may not read any more is exported")
	}
	p.run("team", "erase", "ann", "--yes")
	if status, _ := p.call(one, "ann", "GET", "/api/threads", ""); status != 401 {
		t.Errorf("erased, and comes in: %d", status)
	}
	if left := p.run("team", "list") + p.run("team", "audit") + p.run("team", "shares"); strings.Contains(left, "ann") {
		t.Errorf("left of ann: %s", left)
	}
	var out, errs housetest.Output
	if code := program.Run(t.Context(), p.typed(t.TempDir(), &out, &errs, "team", "erase", "admin", "--yes")); code == 0 || !strings.Contains(errs.String(), "last administrator") {
		t.Errorf("%d %s", code, errs.String())
	}
}
