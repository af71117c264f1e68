package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"footnote/backend/fault"
)

// exitCode ends a command with a status of its own, without another message.
type exitCode int

func (c exitCode) Error() string { return fmt.Sprintf("exit status %d", int(c)) }

// Exit codes, as the contract lists them.
const (
	exitInternal   exitCode = 1
	exitUsage      exitCode = 2
	exitNoEvidence exitCode = 3
	exitNetwork    exitCode = 4
	exitModel      exitCode = 5
	exitData       exitCode = 6
	exitBudget     exitCode = 7
	exitSomeFailed exitCode = 8
)

const closeTime = 5 * time.Second

var exitCodes = map[fault.Code]exitCode{
	fault.InvalidRequest: exitUsage, fault.InvalidJSON: exitUsage, fault.QuestionEmpty: exitUsage, fault.QuestionTooLong: exitUsage,
	fault.InvalidFocus: exitUsage, fault.InvalidMode: exitUsage, fault.InvalidModel: exitUsage, fault.InvalidSetting: exitUsage,
	fault.ConfirmNeeded: exitUsage, fault.ForbiddenHost: exitUsage, fault.NotAcceptable: exitUsage, fault.AlreadyEnded: exitUsage, fault.OriginNotAllowed: exitUsage,
	fault.MissingID: exitUsage, fault.TooLarge: exitUsage, fault.PathNotAllowed: exitUsage, fault.NotFound: exitUsage, fault.UnsupportedMedia: exitUsage,
	fault.LocalOnly: exitNetwork, fault.Offline: exitNetwork, fault.SearchFailed: exitNetwork, fault.SearchBlocked: exitNetwork, fault.SearchTimeout: exitNetwork,
	fault.ModelRefused: exitModel, fault.ModelAuth: exitModel, fault.ModelQuota: exitModel, fault.ModelMissing: exitModel,
	fault.ModelUnreachable: exitModel, fault.ModelTimeout: exitModel, fault.ContextTooLong: exitModel,
	fault.DiskFull: exitData, fault.DataDamaged: exitData, fault.DataLocked: exitData, fault.DataInUse: exitData,
	fault.BudgetExceeded: exitBudget, fault.RequestTimeout: exitBudget,
}

func codeOf(err error) int {
	if errors.Is(err, context.Canceled) {
		return 130
	}
	if code, ok := exitCodes[fault.CodeOf(err)]; ok {
		return int(code)
	}
	return int(exitInternal)
}

func printError(w io.Writer, err error) {
	f := fault.Of(err)
	hint := f.Hint
	if f.Code == fault.QuestionTooLong {
		hint = "Put the long part into a file and name it with --files."
	}
	fmt.Fprintf(w, "error: %s\n", safe(f.Message))
	if hint != "" {
		fmt.Fprintf(w, "hint: %s\n", safe(hint))
	}
}

// say says on standard error, in one line, what a command has done: standard
// output is for what was asked for.
func say(env *Env, format string, values ...any) {
	fmt.Fprintln(env.Stderr, safeLine(fmt.Sprintf(format, values...)))
}

// counted is a number with its thing, which takes an s.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// safe neutralises control characters, so that no page and no file name can
// steer the terminal. Line ends and tabs stay.
func safe(s string) string {
	return strings.Map(func(r rune) rune {
		if steers(r) {
			return '\uFFFD'
		}
		return r
	}, s)
}

// steers reports whether a character moves a terminal's cursor or turns the
// direction of text.
func steers(r rune) bool {
	return r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 ||
		r == 0x061c || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// escaped writes the same characters in JSON as escapes: what is read back is
// what was there.
func escaped(json string) string {
	if strings.IndexFunc(json, steers) < 0 {
		return json
	}
	var b strings.Builder
	for _, r := range json {
		if steers(r) {
			fmt.Fprintf(&b, `\u%04x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// safeLine is safe for a text that must stay on one line.
func safeLine(s string) string { return strings.Join(strings.Fields(safe(s)), " ") }

// printJSON writes a value as indented JSON that steers no terminal.
func printJSON(w io.Writer, v any) error {
	var body strings.Builder
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write JSON: %w", err)
	}
	_, err := io.WriteString(w, escaped(body.String()))
	return err
}
