package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
	cmd.AddCommand(newEvalRetrieval(env), newEvalCitations(env), newEvalAsk(env, flags), newEvalAnswering(env, flags), newEvalConflicts(env, flags), newEvalResearch(env, flags), newEvalChunking(env), newEvalDocuments(env, flags), newEvalPages(env))
	return cmd
}

func newEvalRetrieval(env *Env) *cobra.Command {
	var opt eval.Options
	var asJSON bool
	cmd := &cobra.Command{Use: "retrieval DIR...", Short: "Search folders with corpus.jsonl, queries.jsonl and qrels.tsv", Args: atLeast(1, "at least one folder")}
	p := cmd.Flags()
	p.StringVar(&opt.Method, "method", "all", "words, static, hybrid, encoder, s2-20, s2-50, full or all")
	p.IntVar(&opt.Limit, "limit", 100, "documents ranked a query")
	p.StringVar(&opt.RunFile, "run", "", "write a TREC run file")
	p.BoolVar(&asJSON, "json", false, "print one JSON object a line")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		rows, err := eval.Retrieval(cmd.Context(), absolute(env.Dir, args), opt)
		return errors.Join(printRows(env, asJSON, rows), unreadable(err))
	}
	return cmd
}

func newEvalChunking(env *Env) *cobra.Command {
	var opt eval.ChunkingOptions
	var asJSON bool
	cmd := &cobra.Command{Use: "chunking DIR...", Short: "Cut the texts of corpora/ and find the places of questions.jsonl", Args: atLeast(1, "at least one folder")}
	p := cmd.Flags()
	p.StringVar(&opt.Method, "method", "all", "as in retrieval")
	p.IntVar(&opt.Limit, "limit", 0, "questions asked; 0 = all")
	p.IntVar(&opt.Split.Max, "max", 0, "characters of a passage; 0 = as in the library")
	p.IntVar(&opt.Split.Overlap, "overlap", 0, "characters repeated in the next passage")
	p.BoolVar(&asJSON, "json", false, "print one JSON object a line")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		rows, err := eval.Chunking(cmd.Context(), absolute(env.Dir, args), opt)
		return errors.Join(printRows(env, asJSON, rows), unreadable(err))
	}
	return cmd
}

func newEvalCitations(env *Env) *cobra.Command {
	var opt eval.CitationOptions
	var asJSON bool
	cmd := &cobra.Command{Use: "citations FILE...", Short: "Check pairs of claim and passage that people labelled", Args: atLeast(1, "at least one file")}
	cmd.Flags().StringVar(&opt.Table, "table", "both", "of the checker: words, encoder or both")
	cmd.Flags().StringVar(&opt.ScoresFile, "scores", "", "write the score of each pair, one JSON object a line")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object a line")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		rows, err := eval.Citations(cmd.Context(), absolute(env.Dir, args), opt)
		return errors.Join(printRows(env, asJSON, rows), unreadable(err))
	}
	return cmd
}

func newEvalAsk(env *Env, flags *Flags) *cobra.Command {
	f := &askFlags{}
	var opt eval.AskOptions
	cmd := &cobra.Command{Use: "ask FILE", Short: "Ask the questions of a file and measure the answers", Args: exactArgs(1, "one file of questions, or a folder with queries.jsonl and qrels.tsv")}
	p := cmd.Flags()
	p.StringArrayVar(&f.files, "files", nil, "answer from these files and folders")
	p.BoolVar(&f.offline, "offline", false, "no connection beyond this computer")
	p.StringVar(&f.focus, "focus", "", "as in footnote ask")
	p.StringVar(&f.mode, "mode", "", "as in footnote ask")
	p.StringVar(&f.chat, "model", "", "as in footnote ask")
	p.IntVar(&opt.Limit, "limit", 0, "questions asked; 0 = all")
	p.StringVar(&opt.ScoresFile, "scores", "", "write what became of each question, one JSON object a line")
	p.StringVar(&opt.ConsideredFile, "considered", "", "write what the answer scorer saw of each question, one JSON object a line")
	p.BoolVar(&f.json, "json", false, "print one JSON object")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withTemporaryHouse(cmd.Context(), env, *flags, func(ctx context.Context, h *House) error {
			f.quiet = true
			q, err := (&asking{env: env, flags: f}).question(ctx, h, "?")
			if err != nil {
				return err
			}
			row, err := eval.Ask(ctx, absolute(env.Dir, args)[0], measured{h.Engine, h.DB, q}, opt)
			if err != nil {
				return unreadable(err)
			}
			return printRows(env, f.json, []eval.AskRow{row})
		})
	}
	return cmd
}

// withTemporaryHouse opens the program over a data folder that is removed at the
// end.
func withTemporaryHouse(ctx context.Context, env *Env, flags Flags, run func(context.Context, *House) error) (err error) {
	dir, err := os.MkdirTemp("", "footnote-eval-")
	if err != nil {
		return fmt.Errorf("make a data folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	flags.Data = filepath.Join(dir, "data")
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
