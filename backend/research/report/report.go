// Package report writes what a research found as a report: sections in order, by a model
// or by quoting, each sentence with its footnote.
package report

import (
	"cmp"
	"context"
	"footnote/backend/plain"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"footnote/backend/answer"
	"footnote/backend/answer/compose"
	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/lang"
	"footnote/backend/llm"
	"footnote/backend/pattern"
	"footnote/backend/research/calls"
	"footnote/backend/research/headings"
	"footnote/backend/research/subject"
)

// MostEvidence are the passages of a dimension that may be cited.
const MostEvidence = 12

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

// code is the language of the question.
func (w *reporter) code() lang.Code { return lang.Spoken(w.Pipeline.Plan.Standalone) }

// say is a text of the product in the language of the question.
func (w *reporter) say(what string, values ...any) string { return w.code().Say(what, values...) }

// sayWithin is say for a text that stands inside a sentence.
func (w *reporter) sayWithin(what string) string {
	if code := w.code(); code.NamesByCapitals() {
		return strings.ToLower(code.Say(what))
	}
	return w.say(what)
}

// headed is a section with the heading of its kind.
func (w *reporter) headed(kind string, s section) section {
	s.kind, s.title = kind, w.say(kind)
	return s
}

// sections are the parts of this report, in order.
func (w *reporter) allSections() []section {
	words := func(share float64) int {
		return int(share * float64(w.Pipeline.Task.Settings.Deep.WordsMin+w.Pipeline.Task.Settings.Deep.WordsMax) / 2)
	}
	detail := func(parent string) (all []section) {
		for i, x := range w.Explored {
			all = append(all, section{title: x.Question, parent: parent, about: []int{i}, asks: x.Question, words: max(120, words(detailShare)/max(1, len(w.Explored))), quoted: true,
				task: "Analyse what the passages say on this part of the question: facts and figures first, then how far they go, where they differ, and how sure they are."})
		}
		return all
	}
	if w.Pipeline.Task.Question.SubMode == contract.DueDiligence {
		return w.diligent(words, detail(w.say("analysis")))
	}
	all := []section{
		w.headed(summaryKind, section{words: words(summaryShare), quoted: true, task: "Two to three paragraphs that answer the question as far as the passages do, and say what stays open."}),
		w.headed(keyFindings, section{words: words(findingsShare), quoted: true, task: "The most important findings, grouped by theme: a line in bold for each theme, under it a list of findings."}),
	}
	all = append(all, detail(w.say("detailed-analysis"))...)
	return append(all,
		w.headed(connectionsKind, section{words: words(connectingShare), task: "How the findings of the different parts hang together: causes, dependencies, agreements and contradictions between sources."}),
		w.headed(conclusionsKind, section{words: words(connectingShare), task: "What follows from the findings, how sure it is, and what stays open."}))
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

// Run is the research that a report is of.
type Run interface {
	// Related are topics beside the question.
	Related(ctx context.Context) []string
	// Missing are subquestions that were not looked into to their end, or in vain.
	Missing() []string
	// Wrote counts what a section took, and keeps one that is whole for a later process.
	Wrote(ctx context.Context, section contract.SectionDraft, whole bool, took time.Duration, used llm.Usage)
}

// Input is what a report is written from.
type Input struct {
	Run      Run
	Pipeline *answer.Pipeline // its selection is numbered
	Study    contract.Study
	Explored []contract.Explored // of the study, each question once
	Subject  *subject.Reader
	Calls    *calls.Asker
	Vectors  headings.Encoder // nil: findings are not told apart by headings
	Asked    *headings.Asked
	Limit    time.Time // when models stop writing
}

// Report is a report as it was published.
type Report struct {
	Text          string
	Outcome       contract.Outcome
	Topics        []string // related ones
	Sections      int
	Disagreements []contract.Disagreement // of its findings
}

// Write writes a report, section by section.
func Write(ctx context.Context, in Input) (Report, error) {
	w := &reporter{Input: in}
	text, outcome, err := w.write(ctx)
	if err != nil {
		return Report{}, err
	}
	if text != "" && len(w.topics) > 0 {
		text += w.tell("\n\n## " + w.say("related-topics") + "\n\n- " + strings.Join(w.topics, "\n- "))
	}
	w.tellUnborne()
	return Report{Text: text, Outcome: outcome, Topics: w.topics, Sections: w.written, Disagreements: w.disagreements()}, nil
}

// reporter writes one report.
type reporter struct {
	Input
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
	vectorOf  map[string][]float32   // of texts, by what was compared
	alone     int                    // sources of what answers the question, where all of them say it in the words of one; else 0
	answers   bool                   // the summary says what answers the whole question, or comes closest
	asked     func(text string) bool // has anything of what is asked of the topic, where the summary has said that nothing answers it
	toldOpen  bool                   // the report has said what nothing was found on
	parent    string                 // heading that was written last
	byModel   bool
	topics    []string // related ones
}

// tell publishes words of the program and gives them back.
func (w *reporter) tell(words string) string {
	w.Pipeline.Tell.Say(words)
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
	w.Pipeline.Tell.Emit(outlineOf(sections))
	writing, cancel := context.WithCancel(ctx)
	defer w.writers.Wait()
	defer cancel()
	drafts, related := w.writeAhead(writing, sections)
	if w.Pipeline.Models.Chat.Model == nil {
		w.reserve(sections)
	}
	for i, s := range sections {
		if err := ctx.Err(); err != nil {
			return "", "", err
		}
		w.Pipeline.Tell.Progress(s.title)
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
	case w.Study.Early != "":
		why = w.say("early-limit", w.Study.Early)
	case w.Pipeline.Tell.CutShort():
		why = w.say("early-asked")
	default:
		return ""
	}
	said := "> " + w.say("early", why)
	if missing := w.Run.Missing(); len(missing) > 0 {
		said += " " + w.say("early-missing", listed(missing))
	}
	return w.tell(said + "\n\n")
}

// section writes one section: by the model, else by quoting. What does not come
// about leaves nothing behind.
func (w *reporter) section(ctx context.Context, s section, d *draft, below bool) string {
	at := utf8.RuneCountInString(w.Pipeline.Tell.Partial())
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
	w.Pipeline.Tell.UnsayTo(at)
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
		w.tell(heading)
		w.Pipeline.Publish(quoted)
		w.written++
		return heading + quoted
	case said != "" && (w.written > 0 || s.about == nil && s.quoted):
		return w.tell(heading + said)
	}
	return w.leaveOut(s, before, at)
}

// leaveOut takes back a section that says nothing, and notes its subquestion.
func (w *reporter) leaveOut(s section, before string, at int) string {
	w.Pipeline.Tell.UnsayTo(at)
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
	w.tell("\n\n")
	w.Pipeline.Publish(paragraph)
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
	return text + "### " + plain.EscapeMarkdown(s.title) + "\n\n"
}

// sectionByModel gives the reader the section that the model writes ahead; empty
// when it cannot. What was too much for the model is asked for again with fewer
// passages; what came too late, now that the sections before are done.
func (w *reporter) sectionByModel(ctx context.Context, d *draft, heading string) string {
	if d == nil {
		return ""
	}
	ctx, cancel := context.WithDeadline(ctx, time.Now().Add(w.Limit.Sub(w.Pipeline.Tell.Now())))
	defer cancel()
	at := utf8.RuneCountInString(w.Pipeline.Tell.Partial())
	w.tell(heading)
	text, err := w.readDraft(ctx, d)
	for try := 0; err != nil; try++ {
		w.Pipeline.Tell.UnsayTo(at)
		code := fault.CodeOf(err)
		if code != fault.ContextTooLong && code != fault.ModelTimeout || try == compose.ShortenTimes || w.Calls.GivenUp(calls.Section) || ctx.Err() != nil {
			w.Pipeline.Tell.Log.Warn("a section was not written", "section", d.section.title, "err", err)
			w.noModel(fault.Of(err).Message)
			return ""
		}
		if code == fault.ContextTooLong {
			d.room = d.room * 6 / 10
			w.fit(d)
		}
		w.tell(heading)
		text, err = w.Pipeline.Stream(ctx, d.call.Messages, d.call.MaxTokens, d.kept)
	}
	return heading + w.withoutHeadings(text, at+utf8.RuneCountInString(heading))
}

// readDraft publishes a draft as it comes and gives its canonical text. What it
// used is counted where it is received.
func (w *reporter) readDraft(ctx context.Context, d *draft) (string, error) {
	return w.Pipeline.Relay(ctx, d.reply, d.call)
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
	case w.Pipeline.Models.Why != nil:
		message += " " + fault.Of(w.Pipeline.Models.Why).Message
	}
	w.Pipeline.Tell.Notice(contract.Notice{Code: "extractive", Level: "info", Message: strings.TrimSpace(message), Action: "choose-model"})
}

// reply is how many tokens a section may have.
func (w *reporter) reply(s section) int {
	return min(w.Pipeline.Tell.Window()/4, w.Pipeline.Task.Settings.Models.AnswerReserve, max(300, 2*s.words))
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
	w.Pipeline.Tell.UnsayTo(at)
	w.Pipeline.Publish(clean)
	return clean
}
