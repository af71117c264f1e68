package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"footnote/backend/fault"
	"footnote/backend/refresh"
)

// freshFlags are the wishes of footnote refresh for later.
type freshFlags struct {
	every    string
	onChange bool
	off      bool
	list     bool
}

func (f *freshFlags) add(cmd *cobra.Command) {
	p := cmd.Flags()
	p.StringVar(&f.every, "every", "", "keep the answer fresh: ask again every hour, day, week, or after a `time` like 12h or 3d")
	p.BoolVar(&f.onChange, "on-change", false, "keep the answer fresh: ask again when a file that it cites changes")
	p.BoolVar(&f.off, "off", false, "keep the answer fresh no longer")
	p.BoolVar(&f.list, "list", false, "list the answers that are kept fresh")
}

// args takes one answer, or none to list them.
func (f *freshFlags) args(cmd *cobra.Command, args []string) error {
	if f.list && (f.off || f.on()) || f.off && f.on() {
		return usage("--list and --off go with nothing else of --every, --on-change, --list and --off")
	}
	if f.list {
		return noArgs(cmd, args)
	}
	return exactArgs(1, "the id of one run or thread")(cmd, args)
}

func (f *freshFlags) on() bool { return f.every != "" || f.onChange }

// wanted reports whether the command is about later, not about now.
func (f *freshFlags) wanted() bool { return f.on() || f.off || f.list }

// act does what the flags say.
func (f *freshFlags) act(ctx context.Context, env *Env, h *House, args []string, asJSON bool) error {
	if h.Refresher == nil {
		return fault.New(fault.NotFound, "Nothing is kept fresh here.", "")
	}
	if f.list {
		return listFresh(ctx, env, h, asJSON)
	}
	every, err := everyOf(f.every)
	if err != nil {
		return err
	}
	run, err := answered(ctx, h, args[0])
	if err != nil {
		return err
	}
	if f.off {
		if err := h.Refresher.Drop(ctx, run.ID); err != nil {
			return err
		}
		say(env, "Not kept fresh any more: %s", run.ID)
		return nil
	}
	kept, err := h.Refresher.Keep(ctx, run.ID, refresh.Schedule{EveryMs: every.Milliseconds(), OnChange: f.onChange})
	if err != nil {
		return err
	}
	if asJSON {
		return printJSON(env.Stdout, kept)
	}
	say(env, "Kept fresh: %s, %s", kept.Run, rhythm(kept))
	whoChecks(env, h)
	return nil
}

// whoChecks says so when no program is there that would check.
func whoChecks(env *Env, h *House) {
	if !h.Refresher.Runs() {
		say(env, "Answers are checked while Footnote's window is open or footnote serve runs; neither does now.")
	}
}

func listFresh(ctx context.Context, env *Env, h *House, asJSON bool) error {
	all, err := h.Refresher.List(ctx, "")
	if err != nil {
		return err
	}
	if asJSON {
		if all == nil {
			all = []refresh.Subscription{}
		}
		return printJSON(env.Stdout, all)
	}
	if len(all) == 0 {
		say(env, "No answer is kept fresh. footnote refresh THREAD --every day begins it.")
		return nil
	}
	for _, s := range all {
		title, err := h.DB.Title(ctx, s.Thread)
		if err != nil {
			return err
		}
		fmt.Fprintf(env.Stdout, "%s  %s  %s  %s\n", s.Run, rhythm(s), standing(s), safeLine(title))
	}
	whoChecks(env, h)
	return nil
}

// standing is how the checks of an answer went.
func standing(s refresh.Subscription) string {
	at := func(t *time.Time) string { return t.Local().Format(time.DateTime) }
	switch {
	case s.Checking:
		return "checking now"
	case s.Paused && s.Failure != nil:
		return "given up: " + safeLine(s.Failure.Message)
	case s.Failure != nil:
		return "failed: " + safeLine(s.Failure.Message)
	case s.Checked == nil:
		return "not checked yet"
	case s.Changed != nil && !s.Changed.Before(*s.Checked):
		return "changed " + at(s.Changed)
	}
	return "checked " + at(s.Checked) + ", nothing changed"
}

// rhythm says when an answer is checked.
func rhythm(s refresh.Subscription) string {
	var when []string
	if s.EveryMs > 0 {
		when = append(when, "every "+spell(time.Duration(s.EveryMs)*time.Millisecond))
	}
	if s.OnChange {
		when = append(when, "when a file changes")
	}
	return strings.Join(when, " and ")
}

const day = 24 * time.Hour

var spans = []struct {
	name string
	of   time.Duration
}{{"week", 7 * day}, {"day", day}, {"hour", time.Hour}}

func spell(d time.Duration) string {
	for _, s := range spans {
		if d == s.of {
			return s.name
		}
		if d%s.of == 0 {
			return counted(int(d/s.of), s.name)
		}
	}
	return d.String()
}

// everyOf reads a time between two checks; empty is none.
func everyOf(text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	for _, s := range spans {
		if text == s.name {
			return s.of, nil
		}
		if n, err := strconv.Atoi(strings.TrimSuffix(text, s.name[:1])); err == nil && n > 0 && n < 10000 && strings.HasSuffix(text, s.name[:1]) {
			return time.Duration(n) * s.of, nil
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil || d <= 0 {
		return 0, usage(fmt.Sprintf("--every is hour, day, week, or a time like 12h or 3d, not %q", text))
	}
	return d, nil
}
