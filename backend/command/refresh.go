package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

func newRefresh(env *Env, flags *Flags) *cobra.Command {
	f, later := &askFlags{}, &freshFlags{}
	cmd := &cobra.Command{Use: "refresh RUN|THREAD", Short: "Ask an answered question again and tell what changed since, now or from time to time", Args: later.args}
	later.add(cmd)
	p := cmd.Flags()
	p.StringVar(&f.style, "style", "", "how footnotes are printed: [1] or [^1]")
	p.BoolVar(&f.json, "json", false, "print one JSON object")
	p.BoolVar(&f.quiet, "quiet", false, "no stage labels and notices")
	p.DurationVar(&f.timeout, "timeout", 0, "end after this time with the text so far")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		if later.wanted() {
			return later.act(ctx, env, h, args, f.json)
		}
		before, err := answered(ctx, h, args[0])
		if err != nil {
			return err
		}
		if err := errors.Join(h.Begin(ctx, false), h.Library.Renew(ctx, before.FilesRead())); err != nil {
			return err
		}
		run, err := h.Engine.Refresh(ctx, before.ID)
		if err != nil {
			return err
		}
		out := &asking{env: env, flags: f, data: flags.Data, style: first(f.style, h.Settings.Now().Cite.Style)}
		return out.follow(ctx, h, run.ID, f.timeout)
	})
	return cmd
}

// answered is the run that is meant: of a thread, the last one with an answer.
func answered(ctx context.Context, h *House, id string) (contract.Run, error) {
	if !strings.HasPrefix(id, "thr_") {
		run, err := h.DB.Run(ctx, contract.RunID(id))
		if fault.CodeOf(err) == fault.NotFound {
			err = fault.Wrap(err, fault.NotFound, fmt.Sprintf("There is no question or conversation with the id %q.", id), "footnote threads lists the conversations with their ids.")
		}
		return run, err
	}
	thread, err := threadOf(ctx, h, id)
	if err != nil {
		return contract.Run{}, err
	}
	for _, run := range slices.Backward(thread.Items) {
		if run.Answer != nil {
			return run, nil
		}
	}
	return contract.Run{}, fault.New(fault.NotFound, "This conversation has no answer that could be refreshed.", "Ask its question again.")
}

// changes prints how a refreshed answer differs from the one before.
func changes(w io.Writer, d *contract.Diff) {
	fmt.Fprint(w, "\nWhat changed\n")
	if len(d.Claims)+len(d.Links)+len(d.Passages)+len(d.Sources) == 0 {
		fmt.Fprintln(w, "nothing")
	}
	for _, c := range d.Claims {
		for _, side := range [][2]string{{"-", c.Before}, {"+", c.After}} {
			if side[1] != "" {
				fmt.Fprintf(w, "%s %s\n", side[0], safeLine(side[1]))
			}
		}
	}
	for _, p := range d.Passages {
		fmt.Fprintf(w, "edited: %s — %s\n", safeLine(p.Title), safeLine(p.Address))
	}
	for _, l := range d.Links {
		fmt.Fprintf(w, "dead: %s — %s (%s)\n", safeLine(l.Title), safeLine(l.Address), safeLine(l.Reason))
	}
	for _, s := range d.Sources {
		fmt.Fprintf(w, "%s source: %s — %s\n", s.Change, safeLine(s.Title), safeLine(s.Address))
	}
}
