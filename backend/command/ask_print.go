package command

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
	"footnote/backend/fault"
)

func (a *asking) event(e contract.Event) (done bool, err error) {
	if a.flags.lines {
		line, err := json.Marshal(e)
		if err != nil {
			return false, err
		}
		fmt.Fprintln(a.env.Stdout, escaped(string(line)))
	}
	if a.status.follow(e) {
		a.showStatus()
	}
	switch b := e.Body.(type) {
	case contract.TextDelta:
		if a.streams() {
			return false, a.add(b)
		}
	case contract.ToolPart:
		a.step(b)
	case contract.Noticed:
		a.offline = a.offline || b.Code == "offline" && b.Level == "warn"
		if b.Code != contract.NoticeCutOff { // it stands below the answer
			a.note(b.Message)
		}
	case contract.Unread:
		a.note(fmt.Sprintf("not read: %s: %s", b.Address, b.Reason))
	case contract.FinishedRun:
		return true, a.finished(b.Answer)
	case contract.FailedRun:
		return true, a.failed(e.Run, b.Partial, fault.New(b.Code, b.Message, b.Hint))
	case contract.StoppedRun:
		return true, a.stopped(e.Run, b)
	}
	return false, nil
}

// streams reports whether the answer is shown while it is written.
func (a *asking) streams() bool { return a.env.Columns > 0 && !a.flags.json && !a.flags.lines }

// step tells of a call of a tool when it has ended.
func (a *asking) step(b contract.ToolPart) {
	if !a.env.Terminal || b.State == contract.ToolRequested || b.State == contract.ToolRunning || b.State == contract.ToolWarned {
		return
	}
	line := b.Name
	var in struct{ Query, URL, Question string }
	if err := json.Unmarshal(b.Input, &in); err == nil {
		line += " " + first(in.Query, in.URL, in.Question)
	}
	if b.State != contract.ToolDone {
		line += " (" + string(b.State) + ")"
	}
	a.note(line + ": " + b.Output)
}

func (a *asking) finished(ans contract.Answer) error {
	a.clearStatus()
	switch {
	case a.flags.lines:
	case a.flags.json:
		if err := printJSON(a.env.Stdout, ans); err != nil {
			return err
		}
	default:
		if err := a.print(ans); err != nil {
			return err
		}
		if !a.private {
			a.goOn(ans)
		}
	}
	switch {
	case ans.Outcome != contract.NoEvidence && ans.Grade != contract.GradeClosest:
		return nil
	case a.offline:
		return exitNetwork
	}
	return exitNoEvidence
}

func (a *asking) print(ans contract.Answer) error {
	if err := a.rest(ans.Answer, len(ans.Sources)); err != nil {
		return err
	}
	if cut := ans.CutOff(); cut != "" {
		if err := a.lines().write("\n" + cut + "\n"); err != nil {
			return err
		}
	}
	if len(ans.Sources) == 0 && ans.Outcome != contract.NoEvidence {
		return nil
	}
	if sure := ans.Sureness(); sure != "" {
		if err := a.lines().write("\n" + sure + "\n"); err != nil {
			return err
		}
	}
	a.disagreements(ans)
	if err := a.sources(ans); err != nil {
		return err
	}
	if ans.Diff != nil {
		changes(a.env.Stdout, ans.Diff)
	}
	return nil
}

// sources lists what the answer rests on, by the numbers that it was printed with.
func (a *asking) sources(ans contract.Answer) error {
	shown := slices.DeleteFunc(slices.Clone(ans.Sources), func(s contract.SourceCard) bool { return ans.Outcome != contract.NoEvidence && !cited(ans, s.N) })
	for _, s := range shown {
		a.numbers.of(s.N)
	}
	slices.SortStableFunc(shown, func(s, other contract.SourceCard) int { return cmp.Compare(a.numbers.of(s.N), a.numbers.of(other.N)) })
	if len(shown) == 0 && ans.Outcome == contract.Answered {
		return a.lines().write("\nNothing of this answer has a footnote.\n")
	}
	list := "\nSources\n"
	for _, s := range shown {
		list += fmt.Sprintf("%s %s — %s\n", a.numbers.mark(s.N, a.style), safeLine(s.Title), safeLine(placeOf(s)))
	}
	return a.lines().write(list)
}

// goOn says how a further question is asked of the same conversation, in the same
// folder, files and network.
func (a *asking) goOn(ans contract.Answer) {
	words := []string{"footnote ask"}
	if a.data != "" {
		words = append(words, "--data", quoted(a.data))
	}
	if a.flags.offline {
		words = append(words, "--offline")
	}
	for _, path := range a.flags.files {
		words = append(words, "--files", quoted(path))
	}
	a.note("Go on: " + strings.Join(append(words, "--thread", string(ans.Thread), `"…"`), " "))
}

// quoted is a word as a shell takes it.
func quoted(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("/._-:,+@%", r)
	}) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func cited(ans contract.Answer, n int) bool {
	for _, d := range ans.Disagreements {
		if slices.ContainsFunc(d.Sides, func(side contract.Side) bool { return numberOf(ans, side) == n }) {
			return true // its words are printed
		}
	}
	for _, c := range ans.Citations {
		if c.Marker == n {
			return true
		}
	}
	return false
}

func placeOf(s contract.SourceCard) string {
	switch {
	case s.Kind == evidence.Pasted:
		return "with the question"
	case s.Kind != evidence.File:
		return s.URL
	case s.Locator.Place != "":
		return fmt.Sprintf("%s (%s)", s.Path, s.Locator.Place)
	case s.Locator.Page > 0:
		return fmt.Sprintf("%s:%d", s.Path, s.Locator.Page)
	case s.Locator.Line > 0:
		return fmt.Sprintf("%s:%d", s.Path, s.Locator.Line)
	}
	return s.Path
}

func (a *asking) failed(run contract.RunID, partial string, err error) error {
	a.clearStatus()
	f := fault.Of(err)
	if errors.Is(err, context.Canceled) {
		f = fault.New(fault.Interrupted, "The question was stopped.", "Ask it again.")
	}
	if a.flags.json {
		if jsonErr := printJSON(a.env.Stdout, map[string]any{
			"error": map[string]any{"code": f.Code, "message": f.Message, "hint": f.Hint}, "partial": partial, "run": run,
		}); jsonErr != nil {
			return jsonErr
		}
		return exitCode(codeOf(err))
	}
	if partial != "" && !a.flags.lines {
		if err := a.rest(partial, 0); err != nil {
			return err
		}
	}
	if f.Code == fault.Interrupted {
		return exitCode(130) // whoever stopped it knows
	}
	return err
}

func (a *asking) stopped(run contract.RunID, b contract.StoppedRun) error {
	if a.timedOut.Load() {
		return a.failed(run, b.Partial, a.tooLate())
	}
	return a.failed(run, b.Partial, context.Canceled)
}
