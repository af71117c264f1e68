package research

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/answer/journal"
	"footnote/backend/answer/quote"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/lang"
	"footnote/backend/pattern"
	"footnote/backend/plain"
	"footnote/backend/rank"
	"footnote/backend/research/calls"
)

// section is one part of a report. about are the dimensions whose evidence it
// rests on, by place in the study's productive ones; nil means all.
type section struct {
	kind   string // what it is, as package lang says it: "summary"; empty for a subquestion
	title  string // its heading
	parent string // heading above it, written once; empty when it stands alone
	task   string // what belongs in it
	about  []int
	asks   string // the subquestion it answers; empty for the whole question
	words  int
	quoted bool // without a model it is quoted

	cue        *pattern.Regexp // without a model it is quoted from sentences that have this
	everywhere bool            // of all dimensions
	none       string          // what is said when no sentence has it

	write func(*reporter) (quoted, said string) // what findings make of it, with a model too
}

// name tells a section from all others of its report.
func (s section) name() string { return s.parent + "/" + s.title }

// Shares of a report's words.
const (
	summaryShare    = 0.12
	findingsShare   = 0.16
	detailShare     = 0.42
	connectingShare = 0.15
)

// Kinds of sections that are told apart.
const (
	summaryKind        = "summary"
	keyFindings        = "key-findings"
	connectionsKind    = "connections"
	conclusionsKind    = "conclusions"
	recommendationKind = "recommendation"
)

// say is a text of the product in the language of the question.
func (r *research) say(what string, values ...any) string {
	return lang.Spoken(r.p.Plan.Standalone).Say(what, values...)
}

// sayWithin is say for a text that stands inside a sentence.
func (r *research) sayWithin(what string) string {
	if code := lang.Spoken(r.p.Plan.Standalone); code.NamesByCapitals() {
		return strings.ToLower(code.Say(what))
	}
	return r.say(what)
}

// headed is a section with the heading of its kind.
func (r *research) headed(kind string, s section) section {
	s.kind, s.title = kind, r.say(kind)
	return s
}

// sections are the parts of this report, in order.
func (r *research) sections(explored []contract.Explored) []section {
	words := func(share float64) int {
		return int(share * float64(r.p.Task.Settings.Deep.WordsMin+r.p.Task.Settings.Deep.WordsMax) / 2)
	}
	detail := func(parent string) (all []section) {
		for i, x := range explored {
			all = append(all, section{title: x.Question, parent: parent, about: []int{i}, asks: x.Question, words: max(120, words(detailShare)/max(1, len(explored))), quoted: true,
				task: "Analyse what the passages say on this part of the question: facts and figures first, then how far they go, where they differ, and how sure they are."})
		}
		return all
	}
	if r.p.Task.Question.SubMode == contract.DueDiligence {
		return r.diligent(explored, words, detail(r.say("analysis")))
	}
	all := []section{
		r.headed(summaryKind, section{words: words(summaryShare), quoted: true, task: "Two to three paragraphs that answer the question as far as the passages do, and say what stays open."}),
		r.headed(keyFindings, section{words: words(findingsShare), quoted: true, task: "The most important findings, grouped by theme: a line in bold for each theme, under it a list of findings."}),
	}
	all = append(all, detail(r.say("detailed-analysis"))...)
	return append(all,
		r.headed(connectionsKind, section{words: words(connectingShare), task: "How the findings of the different parts hang together: causes, dependencies, agreements and contradictions between sources."}),
		r.headed(conclusionsKind, section{words: words(connectingShare), task: "What follows from the findings, how sure it is, and what stays open."}))
}

// placesOf are the explored dimensions that are about a side of due diligence.
func placesOf(explored []contract.Explored, side string) (at []int) {
	for i, x := range explored {
		if strings.HasSuffix(x.Question, side) {
			at = append(at, i)
		}
	}
	return at
}

// report writes what was found, section by section, with its sources numbered
// once, and has it checked like any other answer.
func (r *research) report(ctx context.Context) (contract.Answer, error) {
	explored := onePerQuestion(productive(&r.study))
	r.p.Tell.Begin(contract.StageSynthesis)
	r.p.Tell.UnsayTo(0) // what an earlier process had written
	r.p.Selection.Chosen = r.evidence(ctx, explored)
	if len(r.p.Selection.Chosen) == 0 {
		return r.p.NothingFound(ctx), nil
	}
	r.readOf(ctx, r.p, r.p.Selection.Chosen) // an earlier process may have read them
	if err := r.p.Number(ctx); err != nil {
		return contract.Answer{}, err
	}
	r.p.Tell.InPhase(journal.PhaseAnswer)
	pictures := r.p.FetchPictures(ctx)
	w := &reporter{r: r, explored: explored, limit: r.hardLimit()}
	text, outcome, err := w.write(ctx)
	if err != nil {
		return contract.Answer{}, err
	}
	if text != "" && len(w.topics) > 0 {
		text += r.tell("\n\n## " + r.say("related-topics") + "\n\n- " + strings.Join(w.topics, "\n- "))
	}
	w.tellUnborne()
	r.p.Tell.Timing.Compose = r.p.Tell.Finish(len(r.p.Selection.Chosen), w.written)
	if outcome == contract.NoEvidence {
		return r.p.NothingFound(ctx), nil
	}
	followUps := r.chips(explored)
	r.p.Tell.Emit(contract.FollowUps{Questions: plain.Full(followUps)})
	c := r.p.Check(ctx, text)
	r.p.AddPictures(pictures)
	a := r.p.Conclude(c.Text, outcome, c.Citations, c.Report, followUps)
	a.Disagreements = append(a.Disagreements, w.untold(a.Disagreements)...)
	a.Research = r.told(explored, w.topics)
	return a, ctx.Err()
}

// evidence is all that the report may cite, the best of each dimension first.
// What was read twice under one address counts as it was first read.
func (r *research) evidence(ctx context.Context, explored []contract.Explored) []rank.Candidate {
	var all []rank.Candidate
	for i := range mostEvidence * max(1, r.p.Task.Settings.Deep.Passes) {
		for _, x := range explored {
			if i < len(x.Evidence) {
				all = append(all, x.Evidence[i])
			}
		}
	}
	if len(all) == 0 {
		all = r.unextracted(ctx)
	}
	r.learnProducts(all)
	all = append(all, r.onSubject(ctx, all)...)
	return r.onePerText(onePerAddress(all))
}

// unextracted is the best of what was found when no dimension came to an end: a
// reader who wants the answer now gets it from that.
func (r *research) unextracted(ctx context.Context) []rank.Candidate {
	b := r.p.Branch(r.p.Plan.Standalone)
	b.Evidence.Leads, b.Evidence.Found, b.Evidence.Documents = r.p.Evidence.Leads, r.p.Evidence.Found, r.p.Evidence.Documents
	for _, x := range r.study.Done {
		b.Selection.Pool = append(b.Selection.Pool, x.Evidence...)
	}
	if len(b.Evidence.Leads)+len(b.Evidence.Found) == 0 {
		b.Evidence.Leads = r.study.Warm
	}
	ranked := rank.Rank(r.p.Plan.Standalone, b.Pool(ctx), r.p.Plan.RankBy, r.p.Tell.Now(), r.p.Task.RankOptions())
	ranked = rank.DedupAbove(append(b.Selection.Pool, ranked...), r.p.Task.Settings.Rank.Jaccard)
	return rank.Balance(ranked, mostEvidence, r.p.Task.Settings.Rank.Floor)
}

// onePerAddress leaves out repeats, and other readings of an address.
func onePerAddress(all []rank.Candidate) []rank.Candidate {
	read := map[string]rank.Candidate{}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(c rank.Candidate) bool {
		at := rank.NormalizeURL(c.Source.Address)
		first, known := read[at]
		if !known {
			read[at] = c
		}
		id := string(c.Passage.ID)
		again := seen[id] || known && first.Source.ID != c.Source.ID
		seen[id] = true
		return again
	})
}

// reporter writes one report.
type reporter struct {
	r         *research
	explored  []contract.Explored
	limit     time.Time
	written   int                         // sections
	writers   sync.WaitGroup              // what is written ahead
	said      map[string]bool             // sentences of the report so far, by key
	repeated  map[string]bool             // those below the summary
	reserved  map[string]string           // quotations of sections by cues, by kind, once they are chosen
	found     []*finding                  // about the subject, told apart by headings
	conflicts []conflict                  // among them
	outdated  map[evidence.PassageID]bool // of documents that were read in a newer version too
	versions  []string                    // those documents, with their years
	left      leftOut
	alone     int                    // sources of what answers the question, where all of them say it in the words of one; else 0
	answers   bool                   // the summary says what answers the whole question, or comes closest
	asked     func(text string) bool // has anything of what is asked of the topic, where the summary has said that nothing answers it
	toldOpen  bool                   // the report has said what nothing was found on
	parent    string                 // heading that was written last
	byModel   bool
	topics    []string // related ones
}

// tell publishes words of the program and gives them back.
func (r *research) tell(words string) string {
	r.p.Tell.Say(words)
	return words
}

// write writes all sections.
func (w *reporter) write(ctx context.Context) (string, contract.Outcome, error) {
	w.said = map[string]bool{}
	var text strings.Builder
	text.WriteString(w.banner())
	w.learnVersions()
	w.sortFindings(ctx)
	sections := w.sections()
	w.r.p.Tell.Emit(outlineOf(sections))
	writing, cancel := context.WithCancel(ctx)
	defer w.writers.Wait()
	defer cancel()
	drafts, related := w.writeAhead(writing, sections)
	if w.r.p.Models.Chat.Model == nil {
		w.reserve(sections)
	}
	for i, s := range sections {
		if err := ctx.Err(); err != nil {
			return "", "", err
		}
		w.r.p.Tell.Progress(s.title)
		text.WriteString(w.section(ctx, s, drafts[i], text.Len() > 0))
		if s.parent != "" && sections[i+1].parent == "" && w.parent == s.parent {
			text.WriteString(w.add(w.notFound()))
			w.toldOpen = true
		}
	}
	w.topics = <-related
	switch {
	case w.written == 0:
		return "", contract.NoEvidence, ctx.Err()
	case !w.byModel:
		w.noModel("")
		return text.String(), contract.Extracted, ctx.Err()
	}
	return text.String(), contract.Answered, ctx.Err()
}

// outlineOf are the headings of a report, each once.
func outlineOf(sections []section) contract.Outlined {
	var all []string
	for _, s := range sections {
		all = append(all, cmp.Or(s.parent, s.title))
	}
	return contract.Outlined{Sections: slices.Compact(all)}
}

// banner opens a report that had to be written early.
func (w *reporter) banner() string {
	why := ""
	switch {
	case w.r.study.Early != "":
		why = w.r.say("early-limit", w.r.study.Early)
	case w.r.p.Tell.CutShort():
		why = w.r.say("early-asked")
	default:
		return ""
	}
	said := "> " + w.r.say("early", why)
	if missing := w.r.missing(); len(missing) > 0 {
		said += " " + w.r.say("early-missing", listed(missing))
	}
	return w.r.tell(said + "\n\n")
}

// section writes one section: by the model, else by quoting. What does not come
// about leaves nothing behind.
func (w *reporter) section(ctx context.Context, s section, d *draft, below bool) string {
	at := utf8.RuneCountInString(w.r.p.Tell.Partial())
	before := w.parent
	heading := w.heading(s, below)
	text := w.sectionByModel(ctx, d, heading)
	if borne := w.borne(ctx, strings.TrimPrefix(text, heading)); borne != "" {
		w.written++
		w.byModel = true
		w.note(borne)
		if body := w.fresh(s, text[len(heading):], borne, at+utf8.RuneCountInString(heading), before != s.parent); body != "" {
			w.noteRepeats(s, body)
			return heading + body
		}
		return w.leaveOut(s, before, at)
	}
	w.r.p.Tell.UnsayTo(at)
	if ctx.Err() != nil {
		w.parent = before
		return ""
	}
	quoted, said := w.sectionByQuotes(ctx, s)
	switch {
	case quoted != "":
		w.answers = w.answers || s.kind == summaryKind
		if said != "" {
			heading += said + "\n\n"
		}
		w.r.tell(heading)
		w.r.p.Publish(quoted)
		w.written++
		return heading + quoted
	case said != "" && (w.written > 0 || s.about == nil && s.quoted):
		return w.r.tell(heading + said)
	}
	return w.leaveOut(s, before, at)
}

// leaveOut takes back a section that says nothing, and notes its subquestion.
func (w *reporter) leaveOut(s section, before string, at int) string {
	w.r.p.Tell.UnsayTo(at)
	if w.parent = before; s.asks != "" {
		w.left.bare = append(w.left.bare, s.title)
	}
	return ""
}

// add publishes a paragraph below what stands, and gives it back.
func (w *reporter) add(paragraph string) string {
	if paragraph == "" {
		return ""
	}
	w.r.tell("\n\n")
	w.r.p.Publish(paragraph)
	return "\n\n" + paragraph
}

// heading is the heading of a section, below that of its parent where it is the
// first of it.
func (w *reporter) heading(s section, below bool) string {
	text := ""
	if below {
		text = "\n\n"
	}
	if s.parent == "" {
		w.parent = s.title
		return text + "## " + s.title + "\n\n"
	}
	if w.parent != s.parent {
		w.parent = s.parent
		text += "## " + s.parent + "\n\n"
	}
	return text + "### " + quote.EscapeMarkdown(s.title) + "\n\n"
}

// sectionByModel gives the reader the section that the model writes ahead; empty
// when it cannot. What was too much for the model is asked for again with fewer
// passages; what came too late, now that the sections before are done.
func (w *reporter) sectionByModel(ctx context.Context, d *draft, heading string) string {
	if d == nil {
		return ""
	}
	ctx, cancel := context.WithDeadline(ctx, time.Now().Add(w.limit.Sub(w.r.p.Tell.Now())))
	defer cancel()
	at := utf8.RuneCountInString(w.r.p.Tell.Partial())
	w.r.tell(heading)
	text, err := w.readDraft(ctx, d)
	for try := 0; err != nil; try++ {
		w.r.p.Tell.UnsayTo(at)
		code := fault.CodeOf(err)
		if code != fault.ContextTooLong && code != fault.ModelTimeout || try == answer.ShortenTimes || w.r.calls.GivenUp(calls.Section) || ctx.Err() != nil {
			w.r.p.Tell.Log.Warn("a section was not written", "section", d.section.title, "err", err)
			w.noModel(fault.Of(err).Message)
			return ""
		}
		if code == fault.ContextTooLong {
			d.room = d.room * 6 / 10
			w.fit(d)
		}
		w.r.tell(heading)
		text, err = w.r.p.Stream(ctx, d.call.Messages, d.call.MaxTokens, d.kept)
	}
	return heading + w.withoutHeadings(text, at+utf8.RuneCountInString(heading))
}

// readDraft publishes a draft as it comes and gives its canonical text. What it
// used is counted where it is received.
func (w *reporter) readDraft(ctx context.Context, d *draft) (string, error) {
	return w.r.p.Relay(ctx, d.reply, d.call)
}

// noModel says that a part of the report was quoted, and why.
func (w *reporter) noModel(why string) {
	if w.byModel && why == "" {
		return
	}
	message := "Extracted from the sources; no model was used."
	switch {
	case w.byModel || why != "":
		message = "A part of the report was extracted from the sources, because the model could not write it. " + why
	case w.r.p.Models.Why != nil:
		message += " " + fault.Of(w.r.p.Models.Why).Message
	}
	w.r.p.Tell.Notice(contract.Notice{Code: "extractive", Level: "info", Message: strings.TrimSpace(message), Action: "choose-model"})
}

// reply is how many tokens a section may have.
func (w *reporter) reply(s section) int {
	return min(w.r.p.Tell.Window()/4, w.r.p.Task.Settings.Models.AnswerReserve, max(300, 2*s.words))
}

// withoutHeadings takes headings out of a section that a model wrote: the report
// has its own. What was published is replaced.
func (w *reporter) withoutHeadings(text string, at int) string {
	lines := strings.Split(text, "\n")
	kept := slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), "#") })
	clean := strings.TrimSpace(strings.Join(kept, "\n"))
	if clean == "" || clean == strings.TrimSpace(text) {
		return text
	}
	w.r.p.Tell.UnsayTo(at)
	w.r.p.Publish(clean)
	return clean
}
