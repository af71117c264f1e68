package command

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"footnote/backend/fault"
	"footnote/backend/plain"
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
		return usage(fmt.Sprintf("%s has no flag --%s%s", cmd.CommandPath(), name, perhaps("--", plain.Nearest(name, flagNames(cmd)))))
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
		return usage(fmt.Sprintf("%s has no command %q%s", cmd.CommandPath(), args[0], perhaps(cmd.CommandPath()+" ", plain.Nearest(args[0], subcommands(cmd)))))
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
