package command

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"footnote/backend/fault"
)

// usage is a mistake in how a command was typed. Its hint, how the command is
// typed, is given by advised, which knows the command.
func usage(message string) error {
	return fault.New(fault.InvalidRequest, strings.TrimSpace(message), "")
}

// advised gives a mistake of usage the way its command is typed as hint.
func advised(cmd *cobra.Command, err error) error {
	var f *fault.Fault
	if !errors.As(err, &f) || f.Code != fault.InvalidRequest || f.Hint != "" {
		return err
	}
	hint := "Run " + cmd.CommandPath() + " --help."
	if !cmd.HasAvailableSubCommands() {
		hint = "Type " + strings.TrimSuffix(cmd.UseLine(), " [flags]") + "; " + cmd.CommandPath() + " --help has more."
	}
	return fault.Wrap(err, f.Code, f.Message, hint)
}

// badFlag says which flag is wrong, and which one may have been meant.
func badFlag(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var empty *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case errors.As(err, &unknown) && unknown.GetSpecifiedShortnames() != "":
		return usage(fmt.Sprintf("%s has no flag -%s", cmd.CommandPath(), unknown.GetSpecifiedName()))
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		return usage(fmt.Sprintf("%s has no flag --%s%s", cmd.CommandPath(), name, perhaps("--", similar(name, flagNames(cmd)))))
	case errors.As(err, &empty):
		return usage(fmt.Sprintf("--%s needs a value: %s", empty.GetFlag().Name, empty.GetFlag().Usage))
	case errors.As(err, &invalid):
		return usage(fmt.Sprintf("--%s is %s, not %q", invalid.GetFlag().Name, kindOf(invalid.GetFlag()), invalid.GetValue()))
	}
	return usage(err.Error())
}

// kindOf says what the value of a flag looks like.
func kindOf(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "duration":
		return "a time with its unit, like 30s or 2m"
	case "bool":
		return "true or false"
	case "int":
		return "a whole number"
	case "float64":
		return "a number"
	}
	return "a " + f.Value.Type()
}

func flagNames(cmd *cobra.Command) (names []string) {
	collect := func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	}
	cmd.Flags().VisitAll(collect)
	cmd.InheritedFlags().VisitAll(collect)
	return names
}

// noArgs refuses words after a command; after a group of commands, they were
// meant as one of it.
func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasAvailableSubCommands():
		return usage(fmt.Sprintf("%s has no command %q%s", cmd.CommandPath(), args[0], perhaps(cmd.CommandPath()+" ", similar(args[0], subcommands(cmd)))))
	}
	return usage(fmt.Sprintf("%s takes no words after it, and was given %q", cmd.CommandPath(), args[0]))
}

// typing reports whether standard input is typed by a person, who has to be told
// what is waited for.
func typing(stdin io.Reader) bool {
	f, ok := stdin.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// exactArgs refuses a wrong number of arguments with what is wanted.
func exactArgs(n int, want string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usage(cmd.CommandPath() + " takes " + want)
		}
		return nil
	}
}

func atLeast(n int, want string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < n {
			return usage(cmd.CommandPath() + " takes " + want)
		}
		return nil
	}
}

func subcommands(cmd *cobra.Command) (names []string) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			names = append(names, sub.Name())
		}
	}
	return names
}

// perhaps asks whether a name was meant; nothing where there is none.
func perhaps(before, name string) string {
	if name == "" {
		return ""
	}
	return "; did you mean " + before + name + "?"
}

// similar is the name that a typed one was most likely meant as: it goes on where
// the typed one ends, or differs by two letters at the most. Empty where none does.
func similar(typed string, names []string) string {
	const most = 2
	typed = strings.ToLower(typed)
	best, least := "", most+1
	for _, name := range slices.SortedFunc(slices.Values(names), func(a, b string) int { return cmp.Compare(a, b) }) {
		d := distance(typed, name)
		if typed != "" && strings.HasPrefix(name, typed) {
			d = 0
		}
		if d < least && d < len(name) {
			best, least = name, d
		}
	}
	return best
}

// distance is how many letters must be put in, left out, changed or swapped with
// their neighbour to make b of a.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
