//go:build unix

package postgres

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/trace"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/records"
)

// kept is an answer that one of the people got from one collection.
type keptAnswer struct {
	person, c int
	run       contract.RunID
	thread    contract.ThreadID
	source    evidence.SourceID
	passage   evidence.PassageID
	digest    string
}

// ownWorld is a team of which each member has an answer from each collection.
type ownWorld struct {
	*DB
	people      []int64
	collections []int
	answers     []keptAnswer
}

func (w *ownWorld) own(i int) *Own { return w.Own(w.people[i], time.Now) }

func newOwnWorld(t *testing.T, db *DB) *ownWorld {
	w := &ownWorld{DB: db}
	for i := range 3 {
		w.people = append(w.people, person(t, db, fmt.Sprint("person", i)))
	}
	for i := range 3 {
		c := collection(t, db, fmt.Sprint("collection", i))
		w.collections = append(w.collections, c)
		fill(t, db, c, fmt.Sprintf("mark%dx", i), fmt.Sprintf("mark%dx is the lamp", i), fmt.Sprintf("mark%dx is the oil", i))
		for p := range w.people {
			must(t, db.Grant(t.Context(), c, Grantee{Person: w.people[p]}, Reader))
			w.answers = append(w.answers, w.answered(t, p, i))
		}
	}
	return w
}

// answered gives a person an answer from a collection, as an engine stores it.
func (w *ownWorld) answered(t *testing.T, p, c int) keptAnswer {
	o, mark := w.own(p), fmt.Sprintf("mark%dx", c)
	files, _, err := w.Collection(House, w.collections[c]).Files(t.Context(), library.FileQuery{})
	must(t, err)
	src := files[0].Source()
	placed, err := o.View.Openings(t.Context(), []string{src.Digest})
	must(t, err)
	a := keptAnswer{p, c, contract.RunID(fmt.Sprintf("run_%d_%d", p, c)), contract.ThreadID(fmt.Sprintf("thr_%d_%d", p, c)), src.ID, placed[0].Passage.ID, src.Digest}
	run := contract.Run{ID: a.run, Thread: a.thread, Status: contract.Running, Started: time.Now(), Question: contract.Question{Text: fmt.Sprintf("own%dx asks", p), Thread: a.thread, Focus: contract.FocusLocal}}
	must(t, o.Begin(t.Context(), run, ""))
	excerpt := evidence.Passage{ID: evidence.PassageID("psg_" + mark + string(a.run)), Source: src.ID, Text: mark + " in a row", At: evidence.Locator{Start: 1, End: 4}}
	must(t, o.Keep(t.Context(), answer.Kept{Document: evidence.Document{Source: src}, Passages: []evidence.Passage{excerpt}}))
	at := time.Now()
	run.Status, run.Ended = contract.Finished, &at
	run.Answer = &contract.Answer{Answer: mark + " says so [1].", Run: a.run, Thread: a.thread, Sources: []contract.SourceCard{{ID: src.ID, N: 1, Kind: evidence.File, Title: mark}},
		Citations: []contract.Citation{{Passage: a.passage, Source: src.ID}, {Passage: excerpt.ID, Source: src.ID}}}
	found, last := contract.FoundLeads{Engine: "library", Leads: []contract.LeadCard{{Source: src.ID, Title: mark}}}, contract.FinishedRun{Answer: *run.Answer}
	must(t, o.AppendEnding(t.Context(), []contract.Event{{Run: a.run, Seq: 1, At: at, Kind: found.Kind(), Body: found}, {Run: a.run, Seq: 2, At: at, Kind: last.Kind(), Body: last}},
		[]journal.Ending{{Run: run, Ranking: &trace.Ranking{Question: mark}, Tape: &trace.Tape{}}}))
	return a
}

// ownRoutes are all ways to what a person keeps; each asks for what anybody has.
var ownRoutes = map[string]func(context.Context, *Own, keptAnswer) (any, error){
	"run":     func(ctx context.Context, o *Own, a keptAnswer) (any, error) { return o.Run(ctx, a.run) },
	"events":  func(ctx context.Context, o *Own, a keptAnswer) (any, error) { return o.Since(ctx, a.run, 0) },
	"thread":  func(ctx context.Context, o *Own, a keptAnswer) (any, error) { return o.Thread(ctx, a.thread) },
	"title":   func(ctx context.Context, o *Own, a keptAnswer) (any, error) { return o.Title(ctx, a.thread) },
	"history": func(ctx context.Context, o *Own, a keptAnswer) (any, error) { return o.History(ctx, a.thread, "", 9) },
	"ranking": func(ctx context.Context, o *Own, a keptAnswer) (any, error) { return o.Ranking(ctx, a.run) },
	"bundle":  func(ctx context.Context, o *Own, a keptAnswer) (any, error) { return o.Kept(ctx, a.thread) },
	"source":  func(ctx context.Context, o *Own, a keptAnswer) (any, error) { return o.Source(ctx, a.source) },
	"passage": func(ctx context.Context, o *Own, a keptAnswer) (any, error) { return first(o.Passage(ctx, a.passage)) },
	"excerpt": func(ctx context.Context, o *Own, a keptAnswer) (any, error) {
		return first(o.Passage(ctx, evidence.PassageID(fmt.Sprintf("psg_mark%dx%s", a.c, a.run))))
	},
	"neighbours": func(ctx context.Context, o *Own, a keptAnswer) (any, error) { return o.Neighbours(ctx, a.passage) },
	"text":       func(ctx context.Context, o *Own, a keptAnswer) (any, error) { return first(o.Text(ctx, a.digest)) },
	"path":       func(ctx context.Context, o *Own, a keptAnswer) (any, error) { return o.PathOf(ctx, a.digest) },
	"threads": func(ctx context.Context, o *Own, a keptAnswer) (any, error) {
		return first(o.Threads(ctx, records.ThreadQuery{Q: fmt.Sprintf("mark%dx", a.c)}))
	},
	"runs": func(ctx context.Context, o *Own, a keptAnswer) (any, error) {
		return first(o.Runs(ctx, records.RunQuery{}))
	},
}

func first[T, U any](v T, _ U, err error) (T, error) { return v, err }

// ownLeaks asks everybody for everything while rights come and go. What one has and
// may read is told; what another has, or one may not read any more, is not.
func ownLeaks(t *testing.T, db *DB, unchecked bool) {
	w := newOwnWorld(t, db)
	w.unchecked, w.everybody = unchecked, w.people
	r := rand.New(rand.NewPCG(18, 75))
	may, told := map[[2]int]bool{}, 0
	for p := range w.people {
		for c := range w.collections {
			may[[2]int{p, c}] = true
		}
	}
	for range max(40, *leakCases/len(ownRoutes)) {
		p, c := r.IntN(3), r.IntN(3)
		key, to := [2]int{p, c}, Grantee{Person: w.people[p]}
		if may[key] = !may[key]; may[key] {
			must(t, w.Grant(t.Context(), w.collections[c], to, Reader))
		} else {
			must(t, w.Revoke(t.Context(), w.collections[c], to))
		}
		who, a := r.IntN(3), w.answers[r.IntN(len(w.answers))]
		for name, ask := range ownRoutes {
			got, err := ask(t.Context(), w.own(who), a)
			if err != nil && fault.CodeOf(err) != fault.NotFound {
				t.Fatalf("%s: %v", name, err)
			}
			said := fmt.Sprintf("%+v", got)
			if run, ok := got.(contract.Run); ok && run.Answer != nil {
				said += run.Answer.Answer
			}
			for other := range w.people {
				if other != who && strings.Contains(said, fmt.Sprintf("own%dx", other)) {
					t.Errorf("%s tells %d of %d: %.300s", name, who, other, said)
				}
				if !may[[2]int{who, other}] && strings.Contains(said, fmt.Sprintf("mark%dx", other)) {
					t.Errorf("%s tells %d of collection %d: %.300s", name, who, other, said)
				}
			}
			if mine := a.person == who && may[[2]int{who, a.c}]; mine && slices.Contains([]string{"run", "passage", "excerpt", "text", "history"}, name) {
				if told++; !strings.Contains(said, fmt.Sprintf("mark%dx", a.c)) {
					t.Errorf("%s does not tell %d what it may of %d: %.300s %v", name, who, a.c, said, err)
				}
			}
		}
	}
	if told == 0 {
		t.Error("nothing was to be told")
	}
}
