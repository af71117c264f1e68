//go:build unix

package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/api"
	"footnote/backend/postgres"
)

var leakCases = flag.Int("leaks", 1200, "random cases of the leak test over all routes")

// leakTeam is a team whose every text tells its collection, and whose every
// question tells who asked: whatever a route gives names where it comes from.
type leakTeam struct {
	*teamPlay
	r           *rand.Rand
	db          *postgres.DB
	people      []string
	ids         map[string]int64 // of people
	collections map[string]int
	rights      map[string]bool     // "person collection"
	gave        map[string]bool     // who may have shared a conversation
	known       map[string][]string // names of things that any response told, by what they begin with
	routes      []api.Route
	statuses    map[string]map[int]int // by route
}

var things = regexp.MustCompile(`\b(thr|run|src|psg|fil|rot|col|nte|job|per|shd|shr)_[a-z2-7]{26}\b`)

func newLeakTeam(t *testing.T) *leakTeam {
	p, _ := newTeamPlay(t)
	w := &leakTeam{
		teamPlay: p, r: rand.New(rand.NewPCG(7, 7)), people: []string{"ann", "bob", "cid"}, ids: map[string]int64{}, collections: map[string]int{},
		rights: map[string]bool{}, gave: map[string]bool{}, known: map[string][]string{}, statuses: map[string]map[int]int{}, routes: api.New(&api.Rooms{}).Table(),
	}
	for i := range 3 {
		name := fmt.Sprint("shelf", i)
		p.run("team", "collection", name)
		mark := fmt.Sprintf("leaf%dx", i)
		p.adds(name, mark+".md", fmt.Sprintf("The lamp of %s is coloured %s red. It burns %s oil from %s.\n\nThe keeper of the lamp was %s Smith.", mark, mark, mark, mark, mark))
	}
	p.serve()
	var err error
	if w.db, err = postgres.Open(t.Context(), p.database, slog.New(slog.DiscardHandler)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.db.Close)
	for _, name := range w.people {
		p.comes(name)
		who, err := w.db.GranteeNamed(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		w.ids[name] = who.Person
	}
	all, err := w.db.Collections(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		w.collections[c.Name] = c.ID
	}
	return w
}

// change gives or takes a right.
func (w *leakTeam) change() {
	who, c := w.people[w.r.IntN(len(w.people))], fmt.Sprint("shelf", w.r.IntN(3))
	to, key := postgres.Grantee{Person: w.ids[who]}, who+" "+c
	var err error
	if w.rights[key] = !w.rights[key]; w.rights[key] {
		err = w.db.Grant(w.t.Context(), w.collections[c], to, postgres.Reader)
	} else {
		err = w.db.Revoke(w.t.Context(), w.collections[c], to)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// leaks tells what a person was shown that they may not see.
func (w *leakTeam) leaks(who, said string) (seen []string) {
	for i := range 3 {
		mark := fmt.Sprintf("leaf%dx", i)
		if !w.rights[fmt.Sprintf("%s shelf%d", who, i)] && strings.Contains(said, mark) {
			seen = append(seen, mark)
		}
	}
	for _, other := range w.people {
		if other != who && !w.gave[other] && strings.Contains(said, "mind of "+other) {
			seen = append(seen, other)
		}
	}
	return seen
}

// thing is the name of something of a kind, whoever it belongs to; sometimes of
// another kind.
func (w *leakTeam) thing(kind string) string {
	if w.r.IntN(12) == 0 || len(w.known[kind]) == 0 {
		return kind + "_aaaaaaaaaaaaaaaaaaaaaaaaaa"
	}
	return w.known[kind][w.r.IntN(len(w.known[kind]))]
}

var inPath = regexp.MustCompile(`\{(\w+)\}`)

var kindsIn = map[string]string{"threads": "thr", "runs": "run", "sources": "src", "passages": "psg", "library": "fil", "files": "fil", "collections": "col", "notes": "nte", "jobs": "job", "personas": "per", "shared": "shd", "shares": "shr"}

// request fills a route with names of things, and with words that are in all texts.
func (w *leakTeam) request(r api.Route, who string) (method, path, body string) {
	method, path, _ = strings.Cut(r.Pattern, " ")
	path = inPath.ReplaceAllStringFunc(path, func(name string) string {
		before := strings.Split(path[:strings.Index(path, name)], "/")
		if name != "{id}" && name != "{run}" && name != "{share}" {
			return "1"
		}
		return w.thing(kindsIn[before[len(before)-2]])
	})
	var query []string
	for _, ask := range r.Asks {
		value := map[string]string{"q": "lamp", "format": []string{"md", "html", "json", "bundle", "jsonl"}[w.r.IntN(5)], "run": w.thing("run"), "passage": w.thing("psg"), "file": w.thing("fil"), "id": w.thing("fil")}[ask.Name]
		if value != "" && (ask.Needed || w.r.IntN(2) == 0 || ask.Name == "q") {
			query = append(query, ask.Name+"="+value)
		}
	}
	if query != nil {
		path += "?" + strings.Join(query, "&")
	}
	if r.Takes != nil && r.Takes.Media == "application/json" {
		body = regexp.MustCompile(`run_a+`).ReplaceAllString(r.Takes.Sample, w.thing("run"))
		body = strings.NewReplacer(`"When was the bridge opened?"`, w.question(who), `"focus":"all"`, `"focus":"local"`).Replace(body)
	}
	return method, path, body
}

func (w *leakTeam) question(who string) string {
	of := []string{"What colour is the lamp", "Who was the keeper of the lamp", "Which oil does the lamp burn", "How many files do I have"}[w.r.IntN(4)]
	return fmt.Sprintf("%q", fmt.Sprintf("%s? To the mind of %s.", of, who))
}

// ask makes one request and tells what came of it. Streams are read for a moment.
func (w *leakTeam) ask(who string, r api.Route) {
	method, path, body := w.request(r, who)
	if r.Pattern == "POST /api/threads/{id}/shares" {
		if who == w.people[2] {
			return // who shares nothing, and is never heard of
		}
		body = fmt.Sprintf(`{"name":%q}`, w.people[w.r.IntN(3)])
		w.gave[who] = true
	}
	limit := 20 * time.Second
	if r.Follow != nil {
		limit = 150 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(w.t.Context(), limit)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, w.bases[0]+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	req.AddCookie(&http.Cookie{Name: "footnote_session", Value: w.secrets[who]})
	resp, err := http.DefaultClient.Do(req)
	if errors.Is(err, context.DeadlineExceeded) && r.Follow != nil {
		return
	}
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil && (r.Follow == nil || !errors.Is(err, context.DeadlineExceeded)) {
		w.t.Fatalf("%s: %v", path, err)
	}
	said := string(data)
	if seen := w.leaks(who, said); seen != nil {
		w.t.Errorf("%s sees %v in %s %s: %d %.600s", who, seen, method, path, resp.StatusCode, said)
	}
	if resp.StatusCode == http.StatusInternalServerError {
		w.t.Errorf("%s %s %s: %s", method, path, body, said)
	}
	if w.statuses[r.Pattern] == nil {
		w.statuses[r.Pattern] = map[int]int{}
	}
	w.statuses[r.Pattern][resp.StatusCode]++
	for _, name := range things.FindAllString(said, -1) {
		if kind := name[:3]; !slices.Contains(w.known[kind], name) {
			w.known[kind] = append(w.known[kind], name)
		}
	}
}

// TestNoRouteTellsWhatOneMayNotSee goes every route as everybody, with names of
// things of all others, while rights come and go.
func TestNoRouteTellsWhatOneMayNotSee(t *testing.T) {
	w := newLeakTeam(t)
	if testing.Short() {
		*leakCases = min(*leakCases, 150)
	}
	byPattern := map[string]api.Route{}
	for _, r := range w.routes {
		byPattern[r.Pattern] = r
	}
	for range 9 {
		w.change()
	}
	for _, who := range w.people {
		for _, first := range []string{"POST /api/runs", "POST /api/runs", "GET /api/library/files", "GET /api/library/search", "GET /api/threads"} {
			w.ask(who, byPattern[first])
		}
	}
	for i := range *leakCases {
		if i%5 == 0 {
			w.change()
		}
		r := w.routes[w.r.IntN(len(w.routes))]
		if strings.HasPrefix(r.Pattern, "DELETE /api/threads") && w.r.IntN(8) > 0 {
			r = byPattern["POST /api/runs"]
		}
		if i%3 == 0 { // what is left of answers is looked at most
			r = byPattern[[]string{"GET /api/runs/{id}", "GET /api/threads/{id}", "GET /api/sources/{id}/text", "GET /api/passages/{id}", "GET /api/runs/{id}/events", "GET /api/runs", "GET /api/threads",
				"POST /api/threads/{id}/shares", "GET /api/shared", "GET /api/shared/{id}", "GET /api/shared/{id}/export", "POST /api/shared/{id}/copy"}[w.r.IntN(12)]]
		}
		w.ask(w.people[w.r.IntN(len(w.people))], r)
	}
	answered := 0
	for _, by := range w.statuses {
		answered += by[200] + by[201] + by[202] + by[204]
	}
	t.Logf("%d cases over %d routes, %d answered; %d runs, %d sources, %d passages were known", *leakCases, len(w.statuses), answered, len(w.known["run"]), len(w.known["src"]), len(w.known["psg"]))
	if answered < *leakCases/4 || len(w.known["psg"]) == 0 || len(w.known["run"]) < 10 {
		t.Errorf("hardly anything was answered: %v", w.statuses)
	}
}
