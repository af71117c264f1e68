package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// everyday are the commands that -h of footnote itself explains; it names the others.
var everyday = []string{"ask", "library", "threads", "export", "models", "serve", "doctor"}

// help gives every command its examples, and -h a page that fits on a screen.
func help(env *Env, root *cobra.Command) {
	var each func(*cobra.Command)
	each = func(c *cobra.Command) {
		c.Example = examples[c.CommandPath()]
		for _, sub := range c.Commands() {
			each(sub)
		}
	}
	each(root)
	whole := root.HelpFunc()
	root.SetHelpFunc(func(c *cobra.Command, args []string) {
		if slices.Contains(env.Args, "-h") {
			fmt.Fprint(env.Stdout, short(c))
			return
		}
		whole(c, args)
	})
}

// short is the help of a command on one screen.
func short(c *cobra.Command) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\n  %s\n", c.Short, c.UseLine())
	more := shortCommands(&b, c)
	if flags := c.LocalFlags().FlagUsages(); c.HasParent() && c.HasAvailableLocalFlags() {
		fmt.Fprintf(&b, "\n%s", flags)
	}
	if len(more) > 0 {
		fmt.Fprintf(&b, "\nAlso: %s\n", strings.Join(more, ", "))
	}
	fmt.Fprintf(&b, "\n%s --help has examples%s.\n", c.CommandPath(), others(c))
	return b.String()
}

// shortCommands explains the commands below one; of footnote's own, those of every
// day. It gives the names of the others.
func shortCommands(b *strings.Builder, c *cobra.Command) (more []string) {
	first := true
	for _, sub := range c.Commands() {
		switch {
		case !sub.IsAvailableCommand() || sub.Name() == "help":
			continue
		case !c.HasParent() && !slices.Contains(everyday, sub.Name()):
			more = append(more, sub.Name())
			continue
		case first:
			b.WriteString("\n")
		}
		first = false
		fmt.Fprintf(b, "  %-10s %s\n", sub.Name(), sub.Short)
	}
	return more
}

// others names the flags that every command takes.
func others(c *cobra.Command) string {
	var names []string
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	if len(names) == 0 {
		return " and all flags"
	}
	return ", and the flags of every command: " + strings.Join(names, ", ")
}
