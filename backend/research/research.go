package research

import (
	"context"
	"slices"
	"strconv"
	"sync"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/queries"
	"footnote/backend/answer/recent"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/lang"
	"footnote/backend/rank"
	"footnote/backend/research/calls"
	"footnote/backend/research/headings"
	"footnote/backend/research/subject"
)

// research is a run of deep research: scope → plan review → passes over
// dimensions, each with its own gather → extract → rank → assess → compress →
// report. What it has come to is its study, which outlives the program.
type research struct {
	remembers *Researcher // what runs have in common
	p         *answer.Pipeline
	vectors   headings.Encoder // nil: findings are not told apart by headings
	began     time.Time        // the part of it in this process
	calls     *calls.Asker
	subject   *subject.Reader // set once the topic is known

	mu       sync.Mutex          // while dimensions go on side by side
	running  map[string]*steered // subquestions that are looked into
	further  []string            // that the reader wants in the next pass
	study    contract.Study
	before   time.Duration   // worked in earlier processes
	waited   time.Duration   // for the reader
	writing  bool            // nothing more is gathered
	known    map[string]bool // sources found so far
	readOnce map[string]bool // pages read so far
	unread   map[string]bool // pages that cannot be read
}

// Researcher is deep research, as an engine is given it. It remembers what models took
// from pages.
type Researcher struct {
	Vectors     headings.Encoder // of sentences in any language, which headings are told by; nil leaves that to cue words
	extractions recent.Values[*extraction]
	asked       headings.Asked
}

// New makes it for one engine.
func New() *Researcher {
	return &Researcher{extractions: recent.Values[*extraction]{Most: keptExtracts}}
}

// Run takes a question through deep research.
func (m *Researcher) Run(ctx context.Context, p *answer.Pipeline) (contract.Answer, error) {
	r, err := m.begin(ctx, p)
	if err != nil {
		return contract.Answer{}, err
	}
	defer r.calls.Turns.Close()
	retrieval, cancel := p.Tell.Retrieval(ctx)
	defer cancel()
	r.scope(retrieval)
	r.subject = &subject.Reader{Question: p.Plan.Standalone, Topic: r.study.Topic}
	r.review(retrieval)
	timer := time.AfterFunc(r.softLeft(), func() { r.early(r.say("minutes", r.p.Task.Settings.Deep.Minutes)) })
	defer timer.Stop()
	r.p.Tell.Steering(r.steer)
	defer r.p.Tell.Steering(nil)
	r.explorePasses(retrieval)
	if err := ctx.Err(); err != nil {
		return contract.Answer{}, err
	}
	timer.Stop()
	r.mu.Lock()
	r.writing = true
	r.mu.Unlock()
	r.p.Release()
	r.calls.LimitModels()
	r.calls.Turns.Spare()
	return r.report(ctx)
}

// newResearch begins a study, or goes on with the one that the last process left.
func (m *Researcher) begin(ctx context.Context, p *answer.Pipeline) (*research, error) {
	if err := checkAge(p); err != nil {
		return nil, err
	}
	r := &research{p: p, vectors: m.Vectors, remembers: m, began: p.Tell.Now(), running: map[string]*steered{}, known: map[string]bool{}, readOnce: map[string]bool{}, unread: map[string]bool{}}
	if p.Tell.Resumed && !p.Task.Question.Private && p.Studies() != nil {
		var err error
		if r.study, err = continued(ctx, p); err != nil {
			return nil, err
		}
	}
	s := &r.study
	p.Tell.GoOn(s.Usage, s.Counters, s.Phases)
	r.before = s.Spent
	turns := calls.NewTurns(s.Turns, p.Task.Settings.Deep, lang.Spoken(queries.Standalone(p.Task.Question.Text, p.Task.History)).Say("turns", p.Task.Settings.Deep.Turns), r.budget, r.early)
	r.calls = calls.NewAsker(turns, p.Tell, p.Models, p.Task.Settings, &r.mu)
	r.calls.LimitModels()
	p.Task.Taint.Brought(addressesOf(s.Warm, nil)...)
	for _, x := range s.Done { // whoever may not see files may not see those either
		sources := map[evidence.SourceID]evidence.Source{}
		for _, c := range x.Evidence {
			if sources[c.Source.ID] = c.Source; c.Local() {
				r.p.Evidence.Found = append(r.p.Evidence.Found, evidence.Found{Passage: c.Passage, Source: c.Source, Score: c.Score, Via: c.Via})
			}
		}
		for _, f := range x.Facts {
			r.tellsOf(sources[f.Source], f)
		}
	}
	p.Task.ReadFiles(r.p.Evidence.Found)
	standalone := queries.Standalone(p.Task.Question.Text, p.Task.History)
	p.Frame(contract.Planned{Standalone: standalone, Queries: []string{queries.ByRules(standalone, p.Tell.Now())}, Search: p.Task.WantsWeb(), Shelf: p.Task.WantsShelf()})
	if p.Tell.Resumed {
		r.keepStudy(ctx) // a restart is counted before it can end like the last one
	}
	return r, nil
}

// tooOld is after how long research that a process left is not gone on with.
const tooOld = 24 * time.Hour

// checkAge refuses research that was left too long ago.
func checkAge(p *answer.Pipeline) error {
	if p.Tell.Resumed && p.Tell.Now().Sub(p.Tell.Run.Started) > tooOld {
		return fault.New(fault.Interrupted, "Footnote ended while it was working on this research, too long ago to go on.", "Ask again to get a whole report.")
	}
	return nil
}

// softLeft is what is left of the time before the run goes to its report.
func (r *research) softLeft() time.Duration {
	whole := time.Duration(r.p.Task.Settings.Deep.Minutes) * time.Minute
	return max(0, time.Duration(float64(whole)*r.p.Task.Settings.Deep.Soft)-r.spent())
}

// hardLimit is when models stop writing.
func (r *research) hardLimit() time.Time {
	return r.p.Tell.Now().Add(time.Duration(r.p.Task.Settings.Deep.Minutes)*time.Minute - r.spent())
}

// spent is the time that this run has worked, without waiting for the reader.
func (r *research) spent() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.before + r.p.Tell.Now().Sub(r.began) - r.waited
}

// early ends the gathering at a limit and names it.
func (r *research) early(limit string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.writing || !r.p.Tell.AnswerNow("budget") {
		return
	}
	r.study.Early = limit
	r.p.Tell.Notice(contract.Notice{Code: "early-response", Level: "warn", Message: "The limit of " + limit + " was nearly reached, so the report rests on what was found until then."})
}

// explorePasses looks into dimensions pass by pass until the evidence suffices,
// or a limit or the reader ends it.
func (r *research) explorePasses(ctx context.Context) {
	for ctx.Err() == nil && !r.study.Researched {
		if slices.ContainsFunc(r.study.Plan, func(question string) bool { return !r.explored(question) }) {
			r.explorePass(ctx)
		}
		if ctx.Err() != nil {
			return
		}
		if r.study.Pass >= r.p.Task.Settings.Deep.Passes {
			r.researched(ctx)
			return
		}
		next := r.evaluate(ctx)
		if ctx.Err() != nil {
			return
		}
		for _, question := range r.takeFurther() {
			if !slices.Contains(next, question) {
				next = append(next, question)
			}
		}
		if len(next) == 0 {
			r.researched(ctx)
			return
		}
		r.mu.Lock()
		r.study.Pass, r.study.Plan = r.study.Pass+1, next
		r.mu.Unlock()
		r.keepStudy(ctx)
	}
}

// researched notes that nothing more is looked into.
func (r *research) researched(ctx context.Context) {
	r.mu.Lock()
	r.study.Researched = true
	r.mu.Unlock()
	r.keepStudy(ctx)
}

// straggler is how long the last dimensions of a pass are waited for once what
// the others found suffices.
const straggler = 20 * time.Second

// explorePass looks into the dimensions of a pass side by side. Those that an
// earlier process finished are not looked into again.
func (r *research) explorePass(ctx context.Context) {
	r.p.Tell.Begin(contract.StageResearch)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var together sync.WaitGroup
	plan := r.study.Plan
	for i, question := range plan {
		if r.explored(question) {
			continue
		}
		together.Go(func() {
			defer calls.Contain(r.p.Tell.Log, question)
			r.look(ctx, question, i, len(plan))
			if r.nearlyAll(r.soFar().Plan) && r.adequate() {
				time.AfterFunc(straggler, cancel)
			}
		})
	}
	together.Wait()
	r.p.Tell.Finish(len(plan), len(r.study.Done))
}

func (r *research) explored(question string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.ContainsFunc(r.study.Done, func(x contract.Explored) bool { return x.Pass == r.study.Pass && x.Question == question })
}

// nearlyAll reports whether three of four dimensions are done.
func (r *research) nearlyAll(plan []string) bool {
	done := 0
	for _, question := range plan {
		if r.explored(question) {
			done++
		}
	}
	return done < len(plan) && 4*done >= 3*len(plan)
}

// done adds a finished dimension to the study and keeps it with what it rests on.
// One that a stop cut off is not finished.
func (r *research) done(ctx context.Context, d *dimension) {
	if ctx.Err() != nil && !r.p.Tell.CutShort() {
		return
	}
	r.keepRead(context.WithoutCancel(ctx), d)
	r.mu.Lock()
	x := d.out
	x.Pass = r.study.Pass
	r.study.Done = append(r.study.Done, x)
	slices.SortStableFunc(r.study.Done, func(a, b contract.Explored) int {
		if a.Pass != b.Pass {
			return a.Pass - b.Pass
		}
		return a.Index - b.Index
	})
	r.p.Evidence.Found = append(r.p.Evidence.Found, d.p.Search.Evidence.Found...)
	r.p.Evidence.Leads = append(r.p.Evidence.Leads, d.p.Search.Evidence.Leads...)
	r.p.Evidence.Engines = append(r.p.Evidence.Engines, d.p.Search.Evidence.Engines...)
	for _, doc := range d.p.Search.Evidence.Documents {
		if _, known := r.p.Evidence.PageAt(doc.Source.Address); !known && r.vectors != nil || !known && slices.ContainsFunc(x.Evidence, func(c rank.Candidate) bool { return c.Source.ID == doc.Source.ID }) {
			r.p.Evidence.Documents = append(r.p.Evidence.Documents, doc)
		}
	}
	if d.p.Search.Evidence.WebError != nil && len(d.p.Search.Evidence.Leads) == 0 {
		r.p.Evidence.WebError = d.p.Search.Evidence.WebError
	}
	r.mu.Unlock()
	r.keepStudy(context.WithoutCancel(ctx))
}

// keepRead stores the texts that a dimension may be cited from, so that a report
// can be written after a restart.
func (r *research) keepRead(ctx context.Context, d *dimension) {
	d.p.Evidence = d.p.Search.Evidence
	d.p.Selection.Chosen = d.out.Evidence
	if err := d.p.Keep(ctx); err != nil {
		r.p.Tell.Log.Error("keep the evidence of a dimension", "dimension", d.out.Question, "err", err)
	}
}

// searchedOnce counts a search and the sources it brought. It may be called from
// several dimensions.
func (r *research) searchedOnce(addresses []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, at := range addresses {
		r.known[rank.NormalizeURL(at)] = true
	}
	r.p.Tell.Counters.Searches++
	r.p.Tell.Counters.Sources = max(r.p.Tell.Counters.Sources, len(r.known))
	r.p.Tell.Emit(r.p.Tell.Counters)
}

// pagesRead counts pages, each once however many dimensions read it, and notes
// those that cannot be read, so that no dimension tries them again.
func (r *research) pagesRead(pages []evidence.Document, failed []contract.Unread) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, doc := range pages {
		r.readOnce[rank.NormalizeURL(doc.Source.Address)] = true
	}
	for _, u := range failed {
		if u.Code != "timeout" { // it may come another time
			r.unread[rank.NormalizeURL(u.Address)] = true
		}
	}
	r.p.Tell.Counters.Pages = max(r.p.Tell.Counters.Pages, len(r.readOnce))
	r.p.Tell.Emit(r.p.Tell.Counters)
}

func (r *research) unreadable(address string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.unread[rank.NormalizeURL(address)]
}

// adequate reports whether every dimension that found anything is well covered.
func (r *research) adequate() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	facts, covered := 0, 0
	for _, x := range r.study.Productive() {
		facts += len(x.Facts) + len(x.Quotes)
		if !x.Weak {
			covered++
		}
	}
	return covered >= r.p.Task.Settings.Deep.DimensionsMin && facts >= enoughFacts
}

// enoughFacts are facts and quotes of all dimensions with which a report can be
// written.
const enoughFacts = 24

// addressesOf names what a search brought.
func addressesOf(leads []evidence.Lead, found []evidence.Found) []string {
	var out []string
	for _, l := range leads {
		out = append(out, l.Source.Address)
	}
	for _, f := range found {
		out = append(out, f.Source.Address)
	}
	return out
}

// budget is the limit on tokens, money or time that most is used of, and the share.
func (r *research) budget() (limit string, share float64) {
	tokens, cost := r.p.Tell.Spent()
	deep, most := r.p.Task.Settings.Deep, r.p.Task.Settings.Limits.Cost
	limit, share = r.say("minutes", deep.Minutes), float64(r.spent())/float64(time.Duration(deep.Minutes)*time.Minute)
	if of := float64(tokens) / float64(max(1, deep.Tokens)); deep.Tokens > 0 && of > share {
		limit, share = r.say("tokens", deep.Tokens), of
	}
	if most > 0 && cost/most > share {
		limit, share = r.say("money", strconv.FormatFloat(most, 'f', -1, 64)), cost/most
	}
	return limit, share
}

// Phases of deep research, as usage names them.
const (
	phasePlan    = "Plan"
	phaseAnalyze = "Analyze"
)

// code is the language of the question.
func (r *research) code() lang.Code { return lang.Spoken(r.p.Plan.Standalone) }

// say is a text of the product in the language of the question.
func (r *research) say(what string, values ...any) string { return r.code().Say(what, values...) }
