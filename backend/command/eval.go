package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"footnote/backend/answer"
	"footnote/backend/answer/contract"
	"footnote/backend/eval"
	"footnote/backend/fault"
	"footnote/backend/store"
)

// newEval measures Footnote over labelled data and prints one line a set and
// method. The reader's data folder is never opened.
func newEval(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "eval", Short: "Measure quality over labelled data", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(newEvalRetrieval(env), newEvalCitations(env), newEvalAsk(env, flags), newEvalAnswering(env, flags), newEvalTable(env, flags), newEvalConflicts(env, flags), newEvalResearch(env, flags), newEvalChunking(env), newEvalDocuments(env, flags), newEvalPages(env), newEvalSpeed(env, flags))
	return cmd
}

func newEvalRetrieval(env *Env) *cobra.Command {
	var opt eval.Options
	cmd := &cobra.Command{Use: "retrieval DIR...", Short: "Search folders with corpus.jsonl, queries.jsonl and qrels.tsv", Args: atLeast(1, "at least one folder")}
	p := cmd.Flags()
	p.StringVar(&opt.Method, "method", "all", "words, static, hybrid, encoder, s2-20, s2-50, full or all")
	p.IntVar(&opt.Limit, "limit", 100, "documents ranked a query")
	p.StringVar(&opt.RunFile, "run", "", "write a TREC run file")
	return measuring(env, cmd, func(ctx context.Context, paths []string) ([]eval.Row, error) {
		rows, err := eval.Retrieval(ctx, paths, opt)
		return rows, unreadable(err)
	})
}

func newEvalChunking(env *Env) *cobra.Command {
	var opt eval.ChunkingOptions
	cmd := &cobra.Command{Use: "chunking DIR...", Short: "Cut the texts of corpora/ and find the places of questions.jsonl", Args: atLeast(1, "at least one folder")}
	p := cmd.Flags()
	p.StringVar(&opt.Method, "method", "all", "as in retrieval")
	p.IntVar(&opt.Limit, "limit", 0, "questions asked; 0 = all")
	p.IntVar(&opt.Split.Max, "max", 0, "characters of a passage; 0 = as in the library")
	p.IntVar(&opt.Split.Overlap, "overlap", 0, "characters repeated in the next passage")
	return measuring(env, cmd, func(ctx context.Context, paths []string) ([]eval.ChunkRow, error) {
		rows, err := eval.Chunking(ctx, paths, opt)
		return rows, unreadable(err)
	})
}

func newEvalCitations(env *Env) *cobra.Command {
	var opt eval.CitationOptions
	cmd := &cobra.Command{Use: "citations FILE...", Short: "Check pairs of claim and passage that people labelled", Args: atLeast(1, "at least one file")}
	cmd.Flags().StringVar(&opt.Table, "table", "both", "of the checker: words, encoder or both")
	scores(cmd, &opt.ScoresFile, "the score of each pair")
	return measuring(env, cmd, func(ctx context.Context, paths []string) ([]eval.CitationRow, error) {
		rows, err := eval.Citations(ctx, paths, opt)
		return rows, unreadable(err)
	})
}

func newEvalAsk(env *Env, flags *Flags) *cobra.Command {
	f := &askFlags{quiet: true}
	var opt eval.AskOptions
	cmd := &cobra.Command{Use: "ask FILE", Short: "Ask the questions of a file and measure the answers", Args: exactArgs(1, "one file of questions, or a folder with queries.jsonl and qrels.tsv")}
	f.likeAsk(cmd)
	cmd.Flags().StringVar(&f.mode, "mode", "", "as in footnote ask")
	cmd.Flags().StringVar(&f.library, "library", "", "ask a copy of the library of this data `folder`, which nothing else has open")
	cmd.Flags().IntVar(&opt.Limit, "limit", 0, "questions asked; 0 = all")
	scores(cmd, &opt.ScoresFile, "what became of each question")
	cmd.Flags().StringVar(&opt.ConsideredFile, "considered", "", "write what the answer scorer saw of each question, one JSON object a line")
	cmd.Flags().StringVar(&opt.LearnFile, "learn", "", "write the same of questions with a key, judged, for build/train/sure.py")
	return measuring(env, cmd, func(ctx context.Context, paths []string) (rows []eval.AskRow, err error) {
		err = withMeasured(ctx, env, *flags, f, func(ctx context.Context, m measured) error {
			row, err := eval.Ask(ctx, paths[0], m, opt)
			if err == nil {
				rows = append(rows, row)
			}
			return unreadable(err)
		})
		return rows, err
	})
}

// measuring makes a command measure, and print its rows for people or as JSON.
func measuring[R fmt.Stringer](env *Env, cmd *cobra.Command, measure func(ctx context.Context, paths []string) ([]R, error)) *cobra.Command {
	asJSON := cmd.Flags().Bool("json", false, "print one JSON object a line")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		rows, err := measure(cmd.Context(), absolute(env.Dir, args))
		return errors.Join(printRows(env, *asJSON, rows), err)
	}
	return cmd
}

// scores is the flag of a file that gets more than the rows.
func scores(cmd *cobra.Command, file *string, what string) {
	cmd.Flags().StringVar(file, "scores", "", "write "+what+", one JSON object a line")
}

// likeAsk gives a command the flags of footnote ask that choose how it is asked.
func (f *askFlags) likeAsk(cmd *cobra.Command) {
	p := cmd.Flags()
	p.StringArrayVar(&f.files, "files", nil, "answer from this `file or folder`; may be repeated")
	p.BoolVar(&f.offline, "offline", false, "no connection beyond this computer")
	p.StringVar(&f.focus, "focus", "", "as in footnote ask")
	p.StringVar(&f.chat, "model", "", "as in footnote ask")
}

// oneOf refuses what is none of the choices.
func oneOf(what, value string, choices ...string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	last := len(choices) - 1
	return fault.New(fault.InvalidRequest, "There is no "+what+" "+value+".", "Use "+strings.Join(choices[:last], ", ")+" or "+choices[last]+".")
}

// withMeasured runs a function with the program over a data folder of its own, or over a
// copy of the one whose library is asked.
func withMeasured(ctx context.Context, env *Env, flags Flags, f *askFlags, run func(context.Context, measured) error) error {
	return withTemporaryHouse(ctx, env, flags, f.library, func(ctx context.Context, h *House) error {
		q, err := (&asking{env: env, flags: f}).question(ctx, h, "?")
		if err != nil {
			return err
		}
		return run(ctx, measured{h.Engine, h.DB, q})
	})
}

// withTemporaryHouse opens the program over a data folder that is removed at the
// end. It is a copy of the folder like, unless that is empty.
func withTemporaryHouse(ctx context.Context, env *Env, flags Flags, like string, run func(context.Context, *House) error) (err error) {
	dir, err := os.MkdirTemp("", "footnote-eval-")
	if err != nil {
		return fmt.Errorf("make a data folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	data := filepath.Join(dir, "data")
	if like != "" {
		if err := os.CopyFS(data, os.DirFS(like)); err != nil {
			return fmt.Errorf("copy the data folder: %w", err)
		}
	}
	return withHouseAt(ctx, env, flags, data, run)
}

// withHouseAt opens the program over a data folder.
func withHouseAt(ctx context.Context, env *Env, flags Flags, data string, run func(context.Context, *House) error) error {
	flags.Data = data
	house, err := env.Open(ctx, flags)
	if err != nil {
		return err
	}
	err = run(ctx, house)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	return errors.Join(err, house.Close(closing))
}

// measured is the program as eval asks it: every question on its own, not
// answered from an earlier one.
type measured struct {
	engine *answer.Engine
	*store.DB
	like contract.Question
}

// Ask asks one question to its end.
func (m measured) Ask(ctx context.Context, question string) (contract.Answer, error) {
	run, err := m.put(ctx, question)
	if err != nil {
		return contract.Answer{}, err
	}
	last, err := m.engine.Wait(ctx, run.ID)
	if err != nil {
		return contract.Answer{}, err
	}
	return answerOf(last)
}

func (m measured) put(ctx context.Context, question string) (contract.Run, error) {
	q := m.like
	q.Text, q.Cache = question, false
	return m.engine.Ask(ctx, q)
}

// answerOf is the answer of a run that ended with this event.
func answerOf(last contract.Event) (contract.Answer, error) {
	switch b := last.Body.(type) {
	case contract.FinishedRun:
		return b.Answer, nil
	case contract.FailedRun:
		return contract.Answer{}, fault.New(b.Code, b.Message, b.Hint)
	}
	return contract.Answer{}, fmt.Errorf("ask: the run ended with %s", last.Kind)
}

var _ eval.Program = measured{}

// unreadable says what is wrong with the data that were to be measured.
func unreadable(err error) error {
	if err == nil || fault.CodeOf(err) != fault.Internal || errors.Is(err, context.Canceled) {
		return err
	}
	return fault.Wrap(err, fault.InvalidRequest, "The data cannot be measured: "+err.Error()+".", "Run footnote eval --help for the form of the input.")
}

func printRows[T fmt.Stringer](env *Env, asJSON bool, rows []T) error {
	for _, row := range rows {
		if asJSON {
			if err := json.NewEncoder(env.Stdout).Encode(row); err != nil {
				return fmt.Errorf("print: %w", err)
			}
			continue
		}
		if _, err := fmt.Fprintln(env.Stdout, strings.ReplaceAll(safe(row.String()), "\n", " ")); err != nil {
			return fmt.Errorf("print: %w", err)
		}
	}
	return nil
}
