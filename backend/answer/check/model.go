package check

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"footnote/backend/answer/prompts"
	"footnote/backend/cite"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/privacy"
)

const (
	askedAbout   = 8 // claims that a model is asked about, at most
	checkTime    = 20 * time.Second
	checkPassage = 1500 // characters of a passage
)

// askAboutPartly has the system model, when the settings want it and it runs on
// this computer, look again at claims that are only partly supported. It has no
// say where a number, name or negation differs, nor over any other verdict.
func (x *Examiner) askAboutPartly(ctx context.Context, bindings []binding) {
	if !x.Task.Settings.Cite.ModelCheck || x.Models.System.Model == nil || x.Tell.CutShort() {
		return
	}
	var doubtful []*binding
	for i := range bindings {
		if b := &bindings[i]; b.passage != nil && b.finding.Verdict == cite.Partly && !b.finding.Held && len(doubtful) < askedAbout {
			doubtful = append(doubtful, b)
		}
	}
	if len(doubtful) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(privacy.WithPurpose(privacy.WithLocalOnly(ctx), "check"), checkTime)
	defer cancel()
	said, usage, err := llm.Complete(ctx, x.Models.System, llm.Call{Messages: checkMessages(doubtful), MaxTokens: 20 + 8*len(doubtful), Purpose: "check"})
	if err != nil {
		x.Tell.Log.Info("no second look at citations", "err", err)
		return
	}
	x.Tell.Count(&x.Tell.Usage.System, x.Models.System.Name, usage)
	for i, word := range parseShares(said, len(doubtful)) {
		f := &doubtful[i].finding
		switch word {
		case "all":
			f.Verdict, f.Why = cite.Supported, ""
		case "none":
			f.Verdict, f.Why = cite.NotFound, "the passage does not say this"
		}
	}
}

func checkMessages(doubtful []*binding) []llm.Message {
	fence := "=====" + prompts.FenceWord() + "====="
	var b strings.Builder
	fmt.Fprintf(&b, "Passages stand between two lines %s\n", fence)
	for i, d := range doubtful {
		fmt.Fprintf(&b, "\n%d. Claim: %s\n%s\n%s\n%s\n", i+1, plain.OneLine(d.claim.Text, 600), fence, plain.OneLine(d.passage.Passage.Text, checkPassage), fence)
	}
	return []llm.Message{{Author: llm.System, Text: prompts.Fill("check")}, {Author: llm.User, Text: b.String()}}
}

// parseShares reads the one array of n words that a model was asked for; anything
// else gives nothing.
func parseShares(said string, n int) []string {
	start, end := strings.IndexByte(said, '['), strings.LastIndexByte(said, ']')
	if start < 0 || end < start {
		return nil
	}
	var words []string
	if json.Unmarshal([]byte(said[start:end+1]), &words) != nil || len(words) != n {
		return nil
	}
	return words
}
