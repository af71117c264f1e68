package command

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"footnote/backend/answer/gather"
	"footnote/backend/library"
)

// mostFound is how many files one search lists at the most.
const mostFound = 1000

const operators = `Operators: "exact words", -word, type:pdf, folder:name, after:2023-01, before:2024.`

func newSearch(env *Env, flags *Flags) *cobra.Command {
	var asJSON bool
	var limit int
	cmd := &cobra.Command{Use: "search WORDS...", Short: "Find passages by words, the last one by its beginning", Args: atLeast(1, "words to look for")}
	cmd.Long = cmd.Short + ".\n" + operators
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().IntVar(&limit, "limit", 20, "how many files at most")
	cmd.PreRunE = func(_ *cobra.Command, args []string) error {
		switch {
		case limit < 1 || limit > mostFound:
			return usage(fmt.Sprintf("--limit is a number from 1 to %d", mostFound))
		case strings.TrimSpace(strings.Join(args, " ")) == "":
			return usage("the query is empty")
		}
		return nil
	}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		found, err := h.Library.SearchWords(ctx, strings.Join(args, " "), limit)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.Stdout, found)
		}
		if found.Behind != nil {
			fmt.Fprintf(env.Stderr, "note: %s\n", found.Behind)
		}
		for _, m := range found.Items {
			fmt.Fprintf(env.Stdout, "%s\n    %s\n", safeLine(m.Path), safeLine(m.Snippet))
			for _, path := range m.AlsoIn {
				fmt.Fprintf(env.Stdout, "    also in %s\n", safeLine(path))
			}
		}
		if found.Total == 0 {
			fmt.Fprintln(env.Stderr, "Nothing found.")
			return exitNoEvidence
		}
		return nil
	})
	return cmd
}

func newCount(env *Env, flags *Flags) *cobra.Command {
	var asJSON bool
	var by string
	cmd := &cobra.Command{Use: "count QUERY", Short: "Count the files that mention all words and phrases exactly", Args: exactArgs(1, "one query")}
	cmd.Long = cmd.Short + ".\n" + operators
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&by, "by", "file", "file, folder or type")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		c, err := h.Library.Count(ctx, args[0], by)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.Stdout, c)
		}
		fmt.Fprintf(env.Stdout, "files: %d  passages: %d  places: %d\n", c.Total, c.Passages, c.Times)
		for _, g := range c.Groups {
			fmt.Fprintf(env.Stdout, "%6d  %s\n", g.Times, safeLine(g.Name))
		}
		if c.Unread > 0 {
			fmt.Fprintf(env.Stderr, "not counted: %d files that wait or could not be read\n", c.Unread)
		}
		return nil
	})
	return cmd
}

func newWhy(env *Env, flags *Flags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "why FILE QUESTION", Short: "Why a file is found for a question, or not", Args: exactArgs(2, "a file or its id, and one question")}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		file := args[0]
		if !strings.HasPrefix(file, "fil_") {
			file = absolute(env.Dir, args[:1])[0]
		}
		why, err := h.Library.Why(ctx, filepath.Clean(file), args[1], gather.ShelfPassages)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.Stdout, why)
		}
		fmt.Fprintln(env.Stdout, safeLine(why.Path))
		if why.Best != nil {
			fmt.Fprintf(env.Stdout, "best passage: %s\n%s", safeLine(why.Best.Snippet), ranked(why.Ranks))
		}
		fmt.Fprintln(env.Stdout, verdictOf(why))
		return nil
	})
	return cmd
}

func ranked(r library.Ranks) string {
	var b strings.Builder
	for _, line := range []struct {
		name string
		rank *int
	}{{"by words", r.Keyword}, {"by meaning", r.Vector}, {"together", r.Fused}} {
		if line.rank != nil {
			fmt.Fprintf(&b, "rank %s: %d\n", line.name, *line.rank)
		}
	}
	return b.String()
}

func verdictOf(w library.Why) string {
	if w.CutBy != "" {
		return "Not a candidate. " + safeLine(w.CutBy)
	}
	return fmt.Sprintf("A candidate: the first %d are looked at.", gather.ShelfPassages)
}
