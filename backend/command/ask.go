package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/library"
)

type askFlags struct {
	files                       []string
	library                     string // data folder whose library is measured
	focus, mode, submode        string
	chat, system                string
	thread, style               string
	personas                    []string
	offline, noWeb, json, lines bool
	quiet, force                bool
	k                           int
	timeout                     time.Duration
}

func newAsk(env *Env, flags *Flags) *cobra.Command {
	f := &askFlags{}
	cmd := &cobra.Command{
		Use:   "ask QUESTION|-",
		Short: "Ask a question; - reads it from standard input",
		Args:  atLeast(1, "a question"),
		PreRunE: func(_ *cobra.Command, args []string) error {
			if f.json && f.lines {
				return usage("--json and --events cannot be used together")
			}
			if f.style != "" && f.style != "[1]" && f.style != "[^1]" {
				return usage("--style is [1] or [^1]")
			}
			if f.k < 0 || f.k > 8 {
				return usage("--k is a number from 1 to 8")
			}
			if f.timeout < 0 {
				return usage("--timeout is a time like 30s or 2m")
			}
			if len(args) == 1 && args[0] == "-" && typing(env.Stdin) {
				say(env, "Type the question, Enter, then Ctrl+D.")
			}
			return nil
		},
	}
	p := cmd.Flags()
	p.BoolVar(&f.force, "force", false, "read files and folders of the system too, where --files names them")
	p.StringArrayVar(&f.files, "files", nil, "answer from this `file or folder`, read in place; may be repeated")
	p.StringVar(&f.focus, "focus", "", "web, local, all, academic, video, community, compute, writing")
	p.StringVar(&f.mode, "mode", "", "speed, balanced, agent, deep")
	p.StringVar(&f.submode, "submode", "", "of the mode deep: deep-research, due-diligence")
	p.StringVar(&f.chat, "model", "", "chat model: provider/model, or none")
	p.StringVar(&f.system, "system", "", "system model: provider/model, or none")
	p.BoolVar(&f.offline, "offline", false, "no connection beyond this computer")
	p.BoolVar(&f.noWeb, "no-web", false, "do not search the web")
	p.StringVar(&f.thread, "thread", "", "go on in this thread")
	p.StringArrayVar(&f.personas, "persona", nil, "answer in the manner of this `persona`")
	p.StringVar(&f.style, "style", "", "how footnotes are printed: [1] or [^1]")
	p.IntVar(&f.k, "k", 0, "passages given to the model, 1-8")
	p.BoolVar(&f.json, "json", false, "print one JSON object")
	p.BoolVar(&f.lines, "events", false, "print every event as a line of JSON")
	p.BoolVar(&f.quiet, "quiet", false, "no stage labels and notices")
	p.DurationVar(&f.timeout, "timeout", 0, "end after this time with the text so far")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		return ask(ctx, &asking{env: env, flags: f, data: flags.Data}, h, strings.Join(args, " "))
	})
	return cmd
}

func ask(ctx context.Context, out *asking, h *House, text string) error {
	set := h.Settings.Now()
	out.style, out.numbers = first(out.flags.style, set.Cite.Style), numbering{}
	began := time.Now()
	if text == "-" {
		b, err := io.ReadAll(io.LimitReader(out.env.Stdin, 1<<20))
		if err != nil {
			return fmt.Errorf("read the question: %w", err)
		}
		text = string(b)
	}
	q, err := out.prepared(ctx, h, text)
	if err != nil {
		return out.failed("", "", err)
	}
	if q.Mode == contract.ModeDeep {
		out.status.until = began.Add(time.Duration(set.Deep.Minutes) * time.Minute)
	}
	run, err := h.Engine.Ask(ctx, q)
	if err != nil {
		return out.failed("", "", err)
	}
	return out.follow(ctx, h, run.ID, out.flags.timeout-time.Since(began))
}

// prepared is the question with its files read, within the time limit.
func (a *asking) prepared(ctx context.Context, h *House, text string) (contract.Question, error) {
	if a.flags.timeout > 0 {
		timed, cancel := context.WithTimeout(ctx, a.flags.timeout)
		defer cancel()
		ctx = timed
	}
	q, err := a.question(ctx, h, text)
	if errors.Is(err, context.DeadlineExceeded) {
		return q, a.tooLate()
	}
	return q, err
}

func (a *asking) tooLate() error {
	return fault.New(fault.BudgetExceeded, fmt.Sprintf("The time limit of %v was reached.", a.flags.timeout), "Allow more time with --timeout.")
}

// asking prints one run.
type asking struct {
	env      *Env
	flags    *askFlags
	style    string
	data     string // the data folder, where one was named
	private  bool   // the question is kept nowhere
	timedOut atomic.Bool
	offline  bool // an engine could not be reached: the network is absent
	numbers  numbering
	told     told
	wrap     *wrapper
	status   status
}

func (a *asking) question(ctx context.Context, h *House, text string) (contract.Question, error) {
	f := a.flags
	q := h.Engine.Defaults()
	q.Text, q.Thread, q.K, q.Offline, q.Unattended = text, contract.ThreadID(f.thread), f.k, f.offline, true
	q.Web = q.Web && !f.noWeb && !f.offline
	a.private = q.Private
	q.Models, q.Personas = contract.Models{Chat: f.chat, System: f.system}, f.personas
	var err error
	if f.focus != "" {
		if q.Focus, err = contract.ParseFocus(f.focus); err != nil {
			return q, err
		}
	}
	if f.mode != "" {
		if q.Mode, err = contract.ParseMode(f.mode); err != nil {
			return q, err
		}
	}
	if f.submode != "" {
		if q.SubMode, err = contract.ParseSubMode(f.submode); err != nil {
			return q, err
		}
	}
	if err := a.possible(ctx, h, q); err != nil {
		return q, err
	}
	if len(f.files) == 0 {
		return q, open(ctx, h, q)
	}
	paths := make([]string, len(f.files))
	for i, path := range f.files {
		paths[i] = path
		if !filepath.IsAbs(path) {
			paths[i] = filepath.Join(a.env.Dir, path)
		}
	}
	q.Scope, err = a.attach(ctx, h, paths)
	return q, err
}

// open sets the library to work where a question may draw on it: only then are
// its stored vectors searched.
func open(ctx context.Context, h *House, q contract.Question) error {
	if q.Focus != contract.FocusLocal && q.Focus != contract.FocusAll {
		return nil
	}
	return h.Begin(ctx, false)
}

// possible refuses what cannot be answered before anything is read for it.
func (a *asking) possible(ctx context.Context, h *House, q contract.Question) error {
	if err := q.Focus.Reachable(q.Offline || h.Settings.Now().Privacy.Scope == "local-only"); err != nil {
		return err
	}
	if q.Thread != "" {
		_, err := threadOf(ctx, h, string(q.Thread))
		return err
	}
	return nil
}

func (a *asking) attach(ctx context.Context, h *House, paths []string) (contract.Scope, error) {
	if a.flags.force {
		ctx = library.WithConfirmed(ctx)
	}
	scope, skipped, err := attach(ctx, h, paths, func(done, total int) {
		if a.env.Terminal && !a.flags.quiet {
			fmt.Fprintf(a.env.Stderr, "\rReading your files… %d of %d", done, total)
			if done == total {
				fmt.Fprint(a.env.Stderr, "\r\033[K")
			}
		}
	})
	if err != nil {
		return scope, err // it names the path
	}
	for _, s := range skipped {
		a.note("not read: " + s)
	}
	return scope, nil
}

func (a *asking) note(text string) {
	if !a.flags.quiet {
		a.clearStatus()
		fmt.Fprintln(a.env.Stderr, safeLine(text))
	}
}

// follow prints a run until it has ended. An interrupt stops the run; what it
// says then is still printed.
func (a *asking) follow(ctx context.Context, h *House, id contract.RunID, limit time.Duration) error {
	stop := func(by string) {
		stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
		defer cancel()
		if err := h.Engine.Stop(stopping, id, by); err != nil {
			h.Log.Info("stop a question", "by", by, "err", err)
		}
	}
	if a.flags.timeout > 0 {
		timer := time.AfterFunc(max(0, limit), func() { a.timedOut.Store(true); stop("timeout") })
		defer timer.Stop()
	}
	defer context.AfterFunc(ctx, func() { stop("user") })()
	patient, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(closeTime, cancel) })()
	for e, err := range h.Engine.Follow(patient, id, 0) {
		if err != nil {
			return errors.Join(ctx.Err(), err)
		}
		if done, err := a.event(e); done || err != nil {
			return err
		}
	}
	return nil
}

func first(s ...string) string {
	for _, v := range s {
		if v != "" {
			return v
		}
	}
	return ""
}
