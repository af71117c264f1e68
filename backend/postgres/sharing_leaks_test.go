//go:build unix

package postgres_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/postgres"
	"footnote/backend/postgres/people"
	"footnote/backend/postgres/pgtest"
	"footnote/backend/team/sharing"
)

const (
	circlePeople      = 5
	circleGroups      = 3
	circleCollections = 4
)

// circle is a team whose members share answers, each of one or two collections whose
// every text tells where it is from; what it works out by itself is kept in maps.
type circle struct {
	*postgres.DB
	t           *testing.T
	r           *rand.Rand
	people      []int64
	groups      []int64
	collections []int
	passages    map[int]evidence.Passage
	sources     map[int]evidence.Source
	talks       []talk
	grants      map[string]bool // "p1 c2", "g1 c2"
	members     map[string]bool // "g1 p2"
	blocked     map[int]bool
	shares      map[string]string // "talk who" → id; who is p1, g1, or link
	secrets     map[int]string    // of talks
	came        map[string]bool   // "talk p1": by the link that there is now
	copies      []talk            // each to who made it
	tried       int               // to copy
}

// talk is a conversation of one person, whose answers are of collections.
type talk struct {
	owner  int
	id     contract.ThreadID
	shared string
	runs   []contract.RunID
	of     [][]int // collections by run: each has what was given before as well
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func newCircle(t *testing.T, db *postgres.DB) *circle {
	w := &circle{
		DB: db, t: t, r: rand.New(rand.NewPCG(18, 96)), passages: map[int]evidence.Passage{}, sources: map[int]evidence.Source{}, grants: map[string]bool{},
		members: map[string]bool{}, blocked: map[int]bool{}, shares: map[string]string{}, secrets: map[int]string{}, came: map[string]bool{},
	}
	for i := range circlePeople {
		id, err := db.AddPerson(t.Context(), fmt.Sprint("person", i))
		must(t, err)
		w.people = append(w.people, id)
	}
	for i := range circleGroups {
		id, err := db.AddGroup(t.Context(), fmt.Sprint("group", i))
		must(t, err)
		w.groups = append(w.groups, id)
	}
	for i := range circleCollections {
		c, err := db.AddCollection(t.Context(), fmt.Sprint("collection", i))
		must(t, err)
		w.collections = append(w.collections, c)
		postgres.Fill(t, db, c, fmt.Sprintf("mark%dx", i), fmt.Sprintf("mark%dx is the lamp", i), fmt.Sprintf("mark%dx is the oil", i))
		view := db.Collection(postgres.House, c)
		files, _, err := view.Files(t.Context(), library.FileQuery{})
		must(t, err)
		w.sources[i] = files[0].Source()
		placed, err := view.Openings(t.Context(), []string{files[0].Digest})
		must(t, err)
		w.passages[i] = placed[0].Passage
		for p := range circlePeople {
			must(t, db.Grant(t.Context(), c, postgres.Grantee{Person: w.people[p]}, postgres.Reader))
			w.grants[fmt.Sprintf("p%d c%d", p, i)] = true
		}
	}
	for p := range circlePeople {
		for n := range 2 {
			w.talks = append(w.talks, w.talked(p, n))
		}
	}
	return w
}

// talked has a person ask twice: what the first answer had, the second one was given.
func (w *circle) talked(p, n int) talk {
	k := talk{owner: p, id: contract.ThreadID(fmt.Sprintf("thr_%d_%d", p, n))}
	o := w.Own(w.people[p], time.Now)
	for i, of := range [][]int{{(p + n) % circleCollections}, {(p + 1) % circleCollections, (p + 2*n) % circleCollections}} {
		run := contract.Run{ID: contract.RunID(fmt.Sprintf("run_%d_%d_%d", p, n, i)), Thread: k.id, Status: contract.Running, Started: time.Now()}
		run.Question = contract.Question{Text: fmt.Sprintf("own%dx asks", p), Thread: k.id, Focus: contract.FocusLocal, Context: fmt.Sprintf("mark%dx", of[0])}
		must(w.t, o.Begin(w.t.Context(), run, fmt.Sprintf("mark%dx of a title", of[0])))
		at := time.Now()
		run.Status, run.Ended = contract.Finished, &at
		a := &contract.Answer{Question: run.Question.Text, Run: run.ID, Thread: k.id}
		for j, c := range of {
			a.Answer += fmt.Sprintf("As mark%dx says [%d]. ", c, j+1)
			passage := w.passages[c]
			a.Sources = append(a.Sources, contract.SourceCard{ID: w.sources[c].ID, N: j + 1, Kind: evidence.File, Title: fmt.Sprintf("mark%dx", c), AlsoIn: []string{"mark0x", "mark1x", "mark2x", "mark3x"}})
			a.Citations = append(a.Citations, contract.Citation{Marker: j + 1, Passage: passage.ID, Source: w.sources[c].ID, Claim: contract.Quoted{Text: fmt.Sprintf("mark%dx and mark%dx", of[0], of[len(of)-1])}, Quote: contract.Quoted{Start: 0, End: len([]rune(passage.Text)), Text: passage.Text}})
		}
		run.Answer = a
		last := contract.FinishedRun{Answer: *a}
		text := contract.TextDelta{Delta: a.Answer}
		must(w.t, o.AppendEnding(w.t.Context(), []contract.Event{{Run: run.ID, Seq: 1, At: at, Kind: text.Kind(), Body: text}, {Run: run.ID, Seq: 2, At: at, Kind: last.Kind(), Body: last}}, []journal.Ending{{Run: run}}))
		given := of
		if i > 0 {
			given = append(append([]int{}, k.of[i-1]...), of...)
		}
		k.runs, k.of = append(k.runs, run.ID), append(k.of, given)
	}
	return k
}

func (w *circle) sharing(p int) people.Sharing {
	return people.Sharing{DB: w.DB, Own: w.Own(w.people[p], time.Now)}
}

func (w *circle) may(p, c int) bool {
	if w.blocked[p] {
		return false
	}
	for g := range circleGroups {
		if w.members[fmt.Sprintf("g%d p%d", g, p)] && w.grants[fmt.Sprintf("g%d c%d", g, c)] {
			return true
		}
	}
	return w.grants[fmt.Sprintf("p%d c%d", p, c)]
}

func (w *circle) shown(p, k int) bool {
	if w.blocked[p] {
		return false
	}
	for g := range circleGroups {
		if w.members[fmt.Sprintf("g%d p%d", g, p)] && w.shares[fmt.Sprintf("%d g%d", k, g)] != "" {
			return true
		}
	}
	return w.shares[fmt.Sprintf("%d p%d", k, p)] != "" || w.came[fmt.Sprintf("%d p%d", k, p)]
}

// change gives or takes something at random.
func (w *circle) change() {
	ctx, p, g, c, k := w.t.Context(), w.r.IntN(circlePeople), w.r.IntN(circleGroups), w.r.IntN(circleCollections), w.r.IntN(len(w.talks))
	switch w.r.IntN(10) {
	case 0, 1:
		must(w.t, w.turn(w.grants, fmt.Sprintf("p%d c%d", p, c), func() error {
			return w.Grant(ctx, w.collections[c], postgres.Grantee{Person: w.people[p]}, postgres.Reader)
		},
			func() error { return w.Revoke(ctx, w.collections[c], postgres.Grantee{Person: w.people[p]}) }))
	case 2:
		must(w.t, w.turn(w.grants, fmt.Sprintf("g%d c%d", g, c), func() error {
			return w.Grant(ctx, w.collections[c], postgres.Grantee{Group: w.groups[g]}, postgres.Reader)
		},
			func() error { return w.Revoke(ctx, w.collections[c], postgres.Grantee{Group: w.groups[g]}) }))
	case 3, 4:
		must(w.t, w.turn(w.members, fmt.Sprintf("g%d p%d", g, p), func() error { return w.Join(ctx, w.groups[g], w.people[p]) }, func() error { return w.Leave(ctx, w.groups[g], w.people[p]) }))
	case 5:
		if w.blocked[p] = !w.blocked[p] && w.r.IntN(3) == 0; true {
			must(w.t, w.Block(ctx, w.people[p], w.blocked[p]))
		}
	case 6, 7, 8:
		w.shareOrTake(k, p, g)
	case 9:
		w.open(k, p)
	}
}

func (w *circle) turn(what map[string]bool, key string, give, take func() error) error {
	if what[key] = !what[key]; what[key] {
		return give()
	}
	return take()
}

// shareOrTake changes with whom a conversation is shared. Its owner does so, who may
// be blocked and then cannot.
func (w *circle) shareOrTake(k, p, g int) {
	kept := &w.talks[k]
	if w.blocked[kept.owner] {
		return
	}
	s, who := w.sharing(kept.owner), fmt.Sprint("p", p)
	switch w.r.IntN(3) {
	case 0:
		who = "link"
	case 1:
		who = fmt.Sprint("g", g)
		if !w.members[fmt.Sprintf("g%d p%d", g, kept.owner)] {
			if _, err := s.Give(w.t.Context(), kept.id, fmt.Sprint("group", g)); fault.CodeOf(err) != fault.NotFound {
				w.t.Errorf("shared with a group that one is not in: %v", err)
			}
			return
		}
	default:
		if p == kept.owner {
			return
		}
	}
	key := fmt.Sprintf("%d %s", k, who)
	if id := w.shares[key]; id != "" {
		must(w.t, s.Take(w.t.Context(), kept.id, id))
		delete(w.shares, key)
		if who == "link" {
			for other := range circlePeople {
				delete(w.came, fmt.Sprintf("%d p%d", k, other))
			}
		}
		return
	}
	var share sharing.Share
	var err error
	if who == "link" {
		share, err = s.Link(w.t.Context(), kept.id)
		w.secrets[k] = share.Secret
	} else {
		share, err = s.Give(w.t.Context(), kept.id, strings.NewReplacer("p", "person", "g", "group").Replace(who))
	}
	must(w.t, err)
	w.shares[key] = share.ID
}

func (w *circle) open(k, p int) {
	if w.secrets[k] == "" || p == w.talks[k].owner {
		return
	}
	id, err := w.sharing(p).Open(w.t.Context(), w.secrets[k])
	if stands := w.shares[fmt.Sprintf("%d link", k)] != ""; stands != (err == nil) {
		w.t.Errorf("a link that stands: %v, opens: %v", stands, err)
	} else if stands {
		w.came[fmt.Sprintf("%d p%d", k, p)] = true
		w.talks[k].shared = id
	}
}

// circleRoutes are the ways to what somebody else shares, and to what one's own
// rooms could tell of it.
var circleRoutes = []struct {
	name string
	ask  func(ctx context.Context, s people.Sharing, k talk, run contract.RunID) (any, error)
}{
	{"shown", func(ctx context.Context, s people.Sharing, k talk, _ contract.RunID) (any, error) {
		return s.Shown(ctx, k.shared)
	}},
	{"listed", func(ctx context.Context, s people.Sharing, _ talk, _ contract.RunID) (any, error) {
		return s.Listed(ctx)
	}},
	{"events", func(ctx context.Context, s people.Sharing, k talk, run contract.RunID) (any, error) {
		return s.Since(ctx, k.shared, run, 0)
	}},
	{"own thread", func(ctx context.Context, s people.Sharing, k talk, _ contract.RunID) (any, error) {
		return s.Own.Thread(ctx, k.id)
	}},
	{"own run", func(ctx context.Context, s people.Sharing, _ talk, run contract.RunID) (any, error) {
		return s.Own.Run(ctx, run)
	}},
	{"own events", func(ctx context.Context, s people.Sharing, _ talk, run contract.RunID) (any, error) {
		return s.Own.Since(ctx, run, 0)
	}},
	{"own history", func(ctx context.Context, s people.Sharing, k talk, _ contract.RunID) (any, error) {
		return s.Own.History(ctx, k.id, "", 9)
	}},
	{"own bundle", func(ctx context.Context, s people.Sharing, k talk, _ contract.RunID) (any, error) {
		return s.Own.Kept(ctx, k.id)
	}},
	{"shares", func(ctx context.Context, s people.Sharing, k talk, _ contract.RunID) (any, error) {
		return s.Shares(ctx, k.id)
	}},
}

// name finds out by what name each conversation is shared, as its owner.
func (w *circle) name(k int) {
	if w.talks[k].shared != "" {
		return
	}
	must(w.t, postgres.Owning(w.t.Context(), w.DB, "find", func(tx pgx.Tx) error {
		return tx.QueryRow(w.t.Context(), `SELECT coalesce((SELECT id FROM shared WHERE thread = $1), '')`, w.talks[k].id).Scan(&w.talks[k].shared)
	}))
}

func (w *circle) leaksIn(p int, k talk, name string, got any, err error) {
	w.t.Helper()
	if code := fault.CodeOf(err); err != nil && code != fault.NotFound && code != fault.PathNotAllowed {
		w.t.Fatalf("%s: %v", name, err)
	}
	data, wrong := json.Marshal(got)
	must(w.t, wrong)
	said := string(data) + fmt.Sprint(err)
	if strings.HasPrefix(name, "own") && p != k.owner && len(data) > 4 && err == nil && !strings.Contains(said, "0001-01-01") {
		w.t.Errorf("%s tells person %d of what is person %d's: %.300s", name, p, k.owner, said)
	}
	for c := range circleCollections {
		if p != k.owner && !w.may(p, c) && strings.Contains(said, fmt.Sprintf("mark%dx", c)) {
			w.t.Errorf("%s tells person %d of collection %d: %.500s", name, p, c, said)
		}
	}
	for other := range circlePeople {
		if other == p || !strings.Contains(said, fmt.Sprintf("own%dx", other)) || w.mayHear(p, other) {
			continue
		}
		w.t.Errorf("%s tells person %d what person %d asks: %.500s", name, p, other, said)
	}
}

// mayHear reports whether one person is shown, or has copied, anything of another's.
func (w *circle) mayHear(p, other int) bool {
	for k, t := range w.talks {
		if t.owner == other && w.shown(p, k) {
			return true
		}
	}
	for _, c := range w.copies {
		if c.owner == p {
			return true
		}
	}
	return false
}

// owed: what is shown is there, whole to who may read all that it had.
func (w *circle) owed(p, k int) (told bool) {
	t, err := w.sharing(p).Shown(w.t.Context(), w.talks[k].shared)
	if shown := w.shown(p, k); shown != (err == nil) {
		w.t.Fatalf("person %d is shown %d: %v, and gets %v", p, k, shown, err)
	} else if !shown {
		return false
	}
	for i, run := range t.Items {
		all := true
		for _, c := range w.talks[k].of[i] {
			all = all && w.may(p, c)
		}
		if whole := strings.HasPrefix(run.Answer.Answer, "As mark"); whole != all {
			w.t.Errorf("person %d may read all of run %d: %v, and is shown %q", p, i, all, run.Answer.Answer)
		}
		for _, c := range w.talks[k].of[i] {
			cited := strings.Contains(fmt.Sprint(run.Answer.Citations), string(w.passages[c].ID))
			if i == 0 && cited != w.may(p, c) {
				w.t.Errorf("person %d may read collection %d: %v, and is shown %+v", p, c, !cited, run.Answer.Citations)
			}
		}
	}
	return true
}

func (w *circle) copy(p, k int, unchecked bool) {
	w.tried++
	made := talk{owner: p, id: contract.ThreadID(fmt.Sprintf("thr_copy_%d", w.tried))}
	n := 0
	err := w.sharing(p).Copy(w.t.Context(), w.talks[k].shared, made.id, func() contract.RunID {
		n++
		made.runs = append(made.runs, contract.RunID(fmt.Sprintf("run_copy_%d_%d", w.tried, n)))
		return made.runs[n-1]
	})
	if err == nil && n > 0 {
		w.copies = append(w.copies, made)
	} else if code := fault.CodeOf(err); code != fault.NotFound && !(unchecked && code == fault.PathNotAllowed) { // a copy that would be of what one may not read is refused
		w.t.Errorf("copied %d runs: %v", n, err)
	}
}

func circling(t *testing.T, db *postgres.DB, unchecked bool) {
	w := newCircle(t, db)
	if unchecked {
		w.Unchecked(w.people)
	}
	told, shown := 0, 0
	for n := range *postgres.LeakCases {
		if n%2 == 0 {
			w.change()
		}
		p, k, way := w.r.IntN(circlePeople), w.r.IntN(len(w.talks)), circleRoutes[w.r.IntN(len(circleRoutes))]
		w.name(k)
		about := w.talks[k]
		if len(w.copies) > 0 && w.r.IntN(3) == 0 {
			about = w.copies[w.r.IntN(len(w.copies))]
		}
		got, err := way.ask(t.Context(), w.sharing(p), about, about.runs[w.r.IntN(len(about.runs))])
		w.leaksIn(p, about, way.name, got, err)
		if err == nil {
			told++
		}
		if w.name(k); w.talks[k].shared == "" || w.blocked[p] || p == w.talks[k].owner {
			continue
		}
		if !unchecked && w.owed(p, k) {
			shown++
		}
		if n%25 == 0 && len(w.copies) < 60 {
			w.copy(p, k, unchecked)
		}
	}
	t.Logf("%d cases, %d told something; %d times what is shared was shown as it is owed, %d copies", *postgres.LeakCases, told, shown, len(w.copies))
	if told < *postgres.LeakCases/5 || !unchecked && shown == 0 {
		t.Error("hardly anything was told")
	}
}

// TestNothingSharedLeaks: what people share shows each of them what they may read,
// and nothing when it is taken back.
func TestNothingSharedLeaks(t *testing.T) {
	s := pgtest.Start(t)
	t.Run("by both walls", func(t *testing.T) { circling(t, postgres.NewTeam(t, s, "circle"), false) })
	t.Run("by row-level security alone", func(t *testing.T) { circling(t, postgres.NewTeam(t, s, "circlealone"), true) })
}
