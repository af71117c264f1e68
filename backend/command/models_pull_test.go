package command

import (
	"bytes"
	"context"
	"iter"
	"testing"
	"time"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

// fetcher is a server that fetches models in prepared steps.
type fetcher []llm.Progress

func (f fetcher) Stream(context.Context, llm.Call) iter.Seq2[llm.Delta, error] {
	return func(func(llm.Delta, error) bool) {}
}

func (f fetcher) Pull(context.Context, string) iter.Seq2[llm.Progress, error] {
	return func(yield func(llm.Progress, error) bool) {
		for _, step := range f {
			if !yield(step, nil) {
				return
			}
		}
		if len(f) == 0 {
			yield(llm.Progress{}, fault.New(fault.ModelMissing, "There is no such model.", "Choose another."))
		}
	}
}

func TestAPullSaysEachStepOnce(t *testing.T) {
	steps := fetcher{{Status: "pulling manifest"}}
	for done := range int64(101) {
		steps = append(steps, llm.Progress{Status: "pulling 7cd4\x1b[2J", Done: done * 1_000_000, Total: 100_000_000})
	}
	steps = append(steps, llm.Progress{Status: "success"})
	pull := func(server fetcher) (string, string, error) {
		var out, errs bytes.Buffer
		h := &House{Models: llm.NewRegistry(func() []llm.Provider {
			return []llm.Provider{{ID: "ollama", Name: "Ollama", Model: server, Server: server}}
		}, time.Now)}
		err := pullModel(t.Context(), &Env{Stdout: &out, Stderr: &errs}, h, "ollama/tiny")
		return out.String(), errs.String(), err
	}
	out, errs, err := pull(steps)
	if err != nil || out != "ollama/tiny is ready\n" {
		t.Fatalf("%q, %v", out, err)
	}
	if lines := bytes.Count([]byte(errs), []byte("\n")); lines != 13 || bytes.ContainsRune([]byte(errs), 0x1b) {
		t.Errorf("%d lines: %q", lines, errs)
	}
	if out, _, err := pull(fetcher{}); fault.CodeOf(err) != fault.ModelMissing || out != "" {
		t.Errorf("%q, %v", out, err)
	}
}
