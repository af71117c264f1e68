package gather

import (
	"slices"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/answer/queries"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/lang"
	"footnote/backend/privacy"
	"footnote/backend/rank"
	"footnote/backend/settings"
)

// Task is a question with what a run knows before it plans.
type Task struct {
	Question  contract.Question
	Taint     *privacy.Taint // what of the conversation may leave
	Settings  settings.Settings
	Started   time.Time
	Names     evidence.Named   // what the @names of the question stand for
	History   []contract.Turn  // as models are given it
	Recalled  []evidence.Found // what earlier answers cited, oldest first
	Compacted *contract.Compacted
	Lenses    contract.Lenses
	Part      string // the subquestion of deep research that is looked into; else empty
	Fact      string // what was counted, for a model to say
	HasShelf  bool   // there are files of the reader that can be searched
	HasWeb    bool   // there are engines
}

// Evidence is what searching and reading brought.
type Evidence struct {
	Found      []evidence.Found
	Leads      []evidence.Lead
	Documents  []evidence.Document // pages that were read
	Failed     []contract.Unread   // pages that could not be read
	Facets     []string            // what else was looked for in modes that look several times
	Priorities map[string]priority // a model's opinions on web sources, by normalised address
	Engines    []string            // that were asked
	WebError   error               // why the web gave nothing
	ShelfError *fault.Fault        // why the reader's files were not searched
	Empty      bool                // the files that were to be searched have no text
}

// Plan is what a run is going to do, decided before anything is fetched.
type Plan struct {
	contract.Planned
	RankBy  rank.Preset
	Pages   []string // pages in the question, which are read instead of searching
	Summary bool     // the question is nothing but a page
}

// WantsShelf and wantsWeb say which sides a question may draw on, before it is
// known whether it needs any.
func (t *Task) WantsShelf() bool {
	return t.HasShelf && (t.Question.Focus == contract.FocusLocal || t.Question.Focus == contract.FocusAll) &&
		(!t.Question.Scope.Empty() || t.Settings.Library.SearchAll) && !queries.IsSmallTalk(t.Question.Text, t.History)
}

// WantsWeb reports whether the question may draw on the web.
func (t *Task) WantsWeb() bool {
	switch t.Question.Focus {
	case contract.FocusLocal, contract.FocusCompute, contract.FocusWriting:
		return false
	}
	return t.HasWeb && t.Question.Web && t.Settings.Web.Enabled && !t.Question.Offline && t.Settings.Privacy.Scope != "local-only"
}

// WebEngines are the engines that a focus restricts the search to; nil means the
// settings' order.
func (t *Task) WebEngines() []string {
	return t.enginesOf(t.Question.Focus)
}

func (t *Task) enginesOf(focus contract.Focus) []string {
	switch focus {
	case contract.FocusAcademic:
		return t.Settings.Web.Academic.Engines
	case contract.FocusCommunity:
		return t.Settings.Web.Community.Engines
	case contract.FocusVideo:
		return t.Settings.Web.Video.Engines
	}
	return t.Question.Engines
}

// EarlierCandidates are the passages that earlier answers of the thread cited,
// as far as this question may draw on their side.
func (t *Task) EarlierCandidates(found []evidence.Found) []rank.Candidate {
	files := t.HasShelf && (t.Question.Focus == contract.FocusLocal || t.Question.Focus == contract.FocusAll) && t.Question.Scope.Empty()
	pages := t.Question.Focus != contract.FocusLocal
	known := map[evidence.PassageID]bool{}
	for _, f := range found {
		known[f.Passage.ID] = true
	}
	var out []rank.Candidate
	for _, f := range slices.Backward(t.Recalled) {
		local := f.Source.Kind == evidence.File
		if known[f.Passage.ID] || local && !files || !local && !pages {
			continue
		}
		known[f.Passage.ID] = true
		out = append(out, rank.Candidate{Source: f.Source, Passage: f.Passage, Via: f.Via, Coverage: 1})
	}
	return out
}

func (t *Task) SplitDocument(doc evidence.Document, c rank.Candidate) []rank.Candidate {
	c.Score = evidence.Score{Boost: c.Score.Boost, Partial: c.Score.Partial}
	out := []rank.Candidate{}
	for _, c.Passage = range evidence.Split(doc, t.Settings.Library.Split()) {
		out = append(out, c)
	}
	return out
}

// WebQuery asks for a page of results.
func (t *Task) WebQuery(text string, page int) WebQuery {
	return WebQuery{Text: text, N: t.Settings.Web.Results, Page: page}
}

// ReadWait is how long quick modes wait for pages.
func (t *Task) ReadWait() time.Duration {
	return time.Duration(t.Settings.Web.ReadCloseMs) * time.Millisecond
}

// RankOptions are the settings of ranking.
func (t *Task) RankOptions() rank.Options {
	r := t.Settings.Rank
	authority := rank.DefaultAuthority()
	a := r.Authority
	authority.Base, authority.Trusted, authority.Edu, authority.Gov = a.Base, a.Trusted, a.Edu, a.Gov
	authority.HTTPS, authority.Words500, authority.Words1500, authority.Domains = a.HTTPS, a.Words500, a.Words1500, a.Domains
	return rank.Options{
		Measure: rank.Measure(r.Measure), Authority: authority,
		Freshness: rank.Freshness{HalfLife: time.Duration(r.HalfLifeDays * 24 * float64(time.Hour)), Unknown: r.UnknownFreshness},
	}
}

// RecallsFiles reports whether earlier answers hold text of files.
func (t *Task) RecallsFiles() bool {
	return slices.ContainsFunc(t.Recalled, func(f evidence.Found) bool { return f.Source.Kind == evidence.File })
}

// ReplyIn is the language of a reply: the one that the reader chose, else that of
// the message.
func (t *Task) ReplyIn(code lang.Code) lang.Code {
	chosen, _, _ := strings.Cut(strings.ToLower(t.Question.Language), "-")
	if lang.Code(chosen).Known() {
		return lang.Code(chosen)
	}
	return code
}
