package command

import (
	"context"
	"errors"
	"io"

	"github.com/spf13/cobra"

	"footnote/backend/records"
)

// completes gives a shell the words that a command may go on with.
type completes = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective)

// completion names what the commands of root take: threads, models and the words
// of flags. `footnote completion bash|zsh|fish|powershell` writes the script.
func completion(env *Env, flags *Flags, root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	threads := fromHouse(env, flags, 1, threadNames)
	models := fromHouse(env, flags, 2, modelNames)
	styles := words("[1]", "[^1]")
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.RunE = func(c *cobra.Command, _ []string) error { return c.Help() } // it would pass over a wrong word
			c.Args = noArgs
		case "export", "refresh":
			c.ValidArgsFunction = threads
		case "models":
			for _, sub := range c.Commands() {
				sub.ValidArgsFunction = models
			}
		}
		for flag, list := range map[string]completes{
			"focus": words("web", "local", "all", "academic", "video", "community", "compute", "writing"), "mode": words("speed", "balanced", "agent", "deep"),
			"style": styles, "format": words(exportFormats...), "thread": threads, "model": models, "system": models, "log": words(logLevels...), "every": words("hour", "day", "week"),
		} {
			if c.Flags().Lookup(flag) == nil {
				continue
			}
			if err := c.RegisterFlagCompletionFunc(flag, list); err != nil {
				panic(err) // two lists for one flag: a mistake in this table
			}
		}
	}
}

func words(list ...string) completes {
	return func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// fromHouse asks the opened program for words, while fewer than most are typed.
// Where another process holds the data folder, that one answers the shell.
func fromHouse(env *Env, flags *Flags, most int, list func(context.Context, *House) ([]string, error)) completes {
	return func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
		const none = cobra.ShellCompDirectiveNoFileComp
		ctx := cmd.Context()
		if ctx == nil {
			ctx = context.Background()
		}
		if len(args) >= most {
			return nil, none
		}
		house, err := enter(ctx, env, *flags, false)
		if err != nil {
			var answered exitCode
			if errors.As(err, &answered) {
				cmd.Root().SetOut(io.Discard)
			}
			return nil, none
		}
		found, err := list(ctx, house)
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
		defer cancel()
		if err := errors.Join(err, house.Close(closing)); err != nil {
			return nil, cobra.ShellCompDirectiveError
		}
		return found, none
	}
}

// threadNames are the newest conversations: id and, for shells that show it, title.
func threadNames(ctx context.Context, h *House) ([]string, error) {
	threads, _, err := h.DB.Threads(ctx, records.ThreadQuery{Limit: 50})
	var names []string
	for _, t := range threads {
		names = append(names, string(t.ID)+"\t"+safeLine(t.Title))
	}
	return names, err
}

func modelNames(ctx context.Context, h *House) ([]string, error) {
	names := []string{"none"}
	for _, s := range h.Models.States(ctx) {
		for _, m := range linesOf(s.Provider.ID, s.Models) {
			names = append(names, safeLine(m.Model))
		}
	}
	return names, nil
}
