package command

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"footnote/backend/fault"
)

func newMan(env *Env) *cobra.Command {
	cmd := &cobra.Command{Use: "man DIR", Short: "Write the manual pages of all commands into a folder", Args: exactArgs(1, "one folder")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir := absolute(env.Dir, args)[0]
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fault.Wrap(err, fault.PathNotAllowed, filepath.Base(dir)+" cannot be made.", "Choose another folder.")
		}
		pages := 0
		err := eachCommand(cmd.Root(), func(c *cobra.Command) error {
			pages++
			return os.WriteFile(filepath.Join(dir, pageName(c)+".1"), []byte(manPage(c, env.Version, env.Build.Date)), 0o644)
		})
		if err != nil {
			return fault.Wrap(err, fault.PathNotAllowed, dir+" cannot be written.", "Choose another folder.")
		}
		say(env, "Written: %s in %s", counted(pages, "page"), dir)
		return nil
	}
	return cmd
}

// eachCommand visits a command and all below it that people may see.
func eachCommand(c *cobra.Command, visit func(*cobra.Command) error) error {
	if c.Hidden || !c.IsAvailableCommand() && c.HasParent() || c.Name() == "help" {
		return nil
	}
	if err := visit(c); err != nil {
		return err
	}
	for _, sub := range c.Commands() {
		if err := eachCommand(sub, visit); err != nil {
			return err
		}
	}
	return nil
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// manPage is the manual page of a command in the words of its help.
func manPage(c *cobra.Command, version, date string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 %q \"Footnote %s\" \"Footnote\"\n", roff(strings.ToUpper(pageName(c))), date, roff(version))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(pageName(c)), roff(c.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(c.UseLine()))
	if c.Long != "" {
		fmt.Fprintf(&b, ".SH DESCRIPTION\n%s\n", roff(c.Long))
	}
	manFlags(&b, "OPTIONS", c.NonInheritedFlags())
	manFlags(&b, "OPTIONS OF EVERY COMMAND", c.InheritedFlags())
	if c.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(c.Example))
	}
	b.WriteString(exitStatus)
	b.WriteString(surroundings)
	var also []string
	if c.HasParent() {
		also = append(also, ".BR "+roff(pageName(c.Parent()))+" (1)")
	}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			also = append(also, ".BR "+roff(pageName(sub))+" (1)")
		}
	}
	if len(also) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(also, ",\n"))
	}
	return b.String()
}

func manFlags(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		name := "--" + f.Name
		if f.Shorthand != "" {
			name = "-" + f.Shorthand + ", " + name
		}
		value, says := pflag.UnquoteUsage(f)
		fmt.Fprintf(b, ".TP\n\\fB%s\\fR \\fI%s\\fR\n%s\n", roff(name), roff(value), roff(says))
	})
}

// roffSigns are those that an output of roff may print as another: what is copied
// out of a manual must run.
var roffSigns = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`)

// roff writes a text so that no sign of it is an order.
func roff(s string) string {
	s = roffSigns.Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return strings.ReplaceAll(s, "\n.", "\n\\&.")
}

const exitStatus = `.SH EXIT STATUS
.TP
0
answered, or done
.TP
1
internal error
.TP
2
wrong usage or invalid value
.TP
3
no evidence found
.TP
4
the network was needed and is absent or forbidden
.TP
5
the chosen model is missing, unreachable or refused
.TP
6
the data folder is held by another version, damaged or full
.TP
7
ended by a budget or time limit
.TP
8
some items failed
.TP
130
interrupted
.TP
143
terminated
`

const surroundings = `.SH ENVIRONMENT
.TP
FOOTNOTE_DATA
the data folder; \-\-data goes before it
.TP
XDG_DATA_HOME
where the data folder lies on Linux, as footnote
.TP
FOOTNOTE_SECTION_KEY
a setting, as FOOTNOTE_WEB_ENGINES for web.engines: it goes before config.toml, \-\-set before it
.TP
FOOTNOTE_KEY_NAME
the key of a service, as FOOTNOTE_KEY_OPENAI: it goes before one that is stored
.TP
FOOTNOTE_TOKEN
what programs that ask footnote serve must name; without it there is a new one at each start
.TP
TMPDIR
where temporary files lie; where that folder takes none, they lie in the data folder
.SH FILES
.TP
\(ti/.local/share/footnote
questions, answers, the index and the settings (config.toml) on Linux; footnote doctor names the folder in use
.TP
\(ti/Library/Application Support/footnote
the same on macOS
.TP
%LOCALAPPDATA%\efootnote
the same on Windows; where older versions left a data folder in %APPDATA%, that one
.TP
config.toml, keys.json, token
in the data folder: the settings that were changed, which keys are stored and where, and the token of footnote serve
`
