package command

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/records"
	"footnote/backend/settings"
)

func newServe(env *Env, flags *Flags) *cobra.Command {
	opt := ServeOptions{}
	cmd := &cobra.Command{Use: "serve", Short: "Answer over HTTP on this computer, with the same pages as the window", Args: noArgs}
	p := cmd.Flags()
	p.StringVar(&opt.Addr, "addr", "", "host:port to listen on")
	p.BoolVar(&opt.Open, "open", false, "open the browser")
	p.BoolVar(&opt.AllowRemote, "allow-remote", false, "let other computers reach it")
	p.BoolVar(&opt.Team, "team", false, "serve the library of several people, who sign in (team.database)")
	p.BoolVar(&opt.Watch, "watch", true, "follow changes of the library on disk")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, _ []string) error {
		return env.Serve(ctx, h, opt, env)
	})
	return cmd
}

func newThreads(env *Env, flags *Flags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "threads [QUERY]", Short: "List conversations, newest first, with the ids that ask, export and refresh take", Args: cobra.ArbitraryArgs}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		threads, _, err := h.DB.Threads(ctx, records.ThreadQuery{Q: strings.Join(args, " "), Limit: 200})
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.Stdout, threads)
		}
		switch {
		case len(threads) == 0 && len(args) > 0:
			say(env, "No conversation has these words.")
		case len(threads) == 0:
			say(env, "No conversations yet. footnote ask \"…\" begins one.")
		}
		for _, t := range threads {
			fmt.Fprintf(env.Stdout, "%s  %s  %s\n", t.ID, t.Updated.Format(time.DateTime), safeLine(t.Title))
		}
		return nil
	})
	cmd.AddCommand(newThreadsRemove(env, flags))
	return cmd
}

func newThreadsRemove(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "remove THREAD...", Short: "Delete conversations; what runs in them is stopped", Args: atLeast(1, "the id of at least one thread")}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		for _, id := range args {
			if _, err := threadOf(ctx, h, id); err != nil {
				return err
			}
			if err := env.Delete(ctx, h, id); err != nil {
				return err
			}
			say(env, "Deleted: %s", id)
		}
		return nil
	})
	return cmd
}

// threadOf finds a conversation by its id; where there is none, the hint says how
// to find it.
func threadOf(ctx context.Context, h *House, id string) (records.ThreadDetail, error) {
	thread, err := h.DB.Thread(ctx, contract.ThreadID(id))
	if fault.CodeOf(err) == fault.NotFound {
		err = fault.Wrap(err, fault.NotFound, fmt.Sprintf("There is no conversation with the id %q.", id), "footnote threads lists them with their ids.")
	}
	return thread, err
}

func newKeys(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "keys", Short: "Keys of providers and engines", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	set := &cobra.Command{Use: "set NAME", Short: "Store a key, read from standard input", Args: exactArgs(1, "one name")}
	set.PreRun = func(_ *cobra.Command, args []string) {
		if typing(env.Stdin) {
			say(env, "Paste the key of %s, Enter, then Ctrl+D.", args[0])
		}
	}
	set.RunE = withHouse(env, flags, func(_ context.Context, h *House, args []string) error {
		if err := settings.HasKey(h.Settings.Now(), args[0]); err != nil {
			return err
		}
		text, err := io.ReadAll(io.LimitReader(env.Stdin, 16<<10))
		if err != nil {
			return fmt.Errorf("read the key: %w", err)
		}
		key := strings.TrimSpace(string(text))
		if key == "" {
			return usage("the key on standard input is empty")
		}
		if err := h.Keys.Set(args[0], settings.NewSecret(key)); err != nil {
			return err
		}
		say(env, "The key of %s is stored.", args[0])
		return nil
	})
	remove := &cobra.Command{Use: "remove NAME", Short: "Forget a key", Args: exactArgs(1, "one name")}
	remove.RunE = withHouse(env, flags, func(_ context.Context, h *House, args []string) error {
		known := slices.Contains(h.Keys.Names(), args[0])
		if err := h.Keys.Remove(args[0]); err != nil {
			return err
		}
		if !known {
			say(env, "There was no key of %s.", args[0])
			return nil
		}
		say(env, "The key of %s is forgotten.", args[0])
		return nil
	})
	cmd.AddCommand(set, remove)
	return cmd
}
