// Package command is the command line: one more mouth that translates between
// words typed in a terminal and the rooms.
//
//	command.go   Execute: from arguments to an exit code; what a command needs
//	exit.go      faults → exit codes, and how an error is printed    usage.go   what was typed wrong, and what was meant
//	ask.go, ask_print.go  footnote ask  library.go  footnote library …
//	stream.go, status.go  an answer on a terminal while it is written    wrap.go  its lines    output.go  what was printed, or lost
//	help.go      -h on one screen, --help with examples
//	models.go    footnote models       system.go   serve, keys, threads    version.go  footnote version
//	doctor.go    footnote doctor
//	eval.go      footnote eval         export.go   footnote export, backup, restore    import.go  footnote import
//	refresh.go, fresh.go  footnote refresh   man.go      footnote man   completion.go  what a shell may complete
//	mcp.go       footnote mcp
//	handover.go  commands handed to the process that holds the data
//	host.go      what commands in one house share
package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"footnote/backend/answer"
	"footnote/backend/answer/gather"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/llm"
	"footnote/backend/plain"
	"footnote/backend/privacy"
	"footnote/backend/refresh"
	"footnote/backend/settings"
	"footnote/backend/store"
	"footnote/backend/table"
	"footnote/backend/update"
	"footnote/backend/web"
)

// House is the opened program: every room, ready to be used.
type House struct {
	Settings  *settings.Store
	Keys      *settings.Keys
	DB        *store.DB
	Library   *library.Library
	Engine    *answer.Engine
	Models    *llm.Registry
	Engines   *web.EngineRegistry
	Warmer    *web.Warmer
	Pictures  *web.Pictures
	Pages     *web.Cache
	Refresher *refresh.Refresher                                           // of answers that are kept fresh
	Tables    *table.Tables                                                // of evidence tables
	Aside     *privacy.Aside                                               // what goes out beside runs
	Updates   *update.Checker                                              // nil: newer versions are not looked for
	Confined  func(context.Context) (gaps []string, why string, err error) // what who reads files can do besides, and why
	Log       *slog.Logger
	Close     func(context.Context) error

	// With makes an engine and a library over other stores; all else they share with
	// the house. Both are the caller's to close.
	With func(Stores) (*answer.Engine, *library.Library)

	host *host
	lent bool // of another process's command, which is a guest here
}

// Stores are what is one reader's own.
type Stores struct {
	answer.Stores
	Texts   gather.Texts
	Catalog library.Catalog
	Index   library.Index
	Resting bool // nothing is read in here
}

// Flags are the options that every command takes.
type Flags struct {
	Data   string
	Config string
	Set    []string
	Log    string

	AnyOwner bool // the data folder may belong to another user
}

// ServeOptions are the options of `footnote serve`.
type ServeOptions struct {
	Addr        string
	Open        bool
	AllowRemote bool
	Watch       bool
	Team        bool // the library of several people, who sign in
}

// Env is where a command runs: its words, streams and folder, and how the
// program is opened. Open returns a house whose Close the command calls once.
type Env struct {
	Args     []string
	Stdin    io.Reader
	Stdout   io.Writer
	Stderr   io.Writer
	Dir      string // current folder, for relative paths
	Environ  []string
	Terminal bool // stderr is a terminal: a status line is shown
	Columns  int  // width of the terminal that stdout is; 0 = it is none
	Version  string
	Build    Build

	Open       func(context.Context, Flags) (*House, error)
	Serve      func(context.Context, *House, ServeOptions, *Env) error
	Window     func(context.Context, *House, Opening) error // nil in a program without one
	Alert      func(ctx context.Context, text string) error // shows a text where no terminal does; goes with Window
	Export     func(context.Context, *House, Export) ([]byte, error)
	Import     func(ctx context.Context, h *House, bundle []byte) (thread string, err error)
	Delete     func(ctx context.Context, h *House, thread string) error // stops what runs in it
	MCP        MCP                                                      // of `footnote mcp`
	References References
	Hidden     map[string]func(context.Context, []string) error // child commands: extract-worker, index-probe
}

// Export is a wish for a conversation, or one run of it, in a form. Empty fields
// are as the settings say.
type Export struct{ Thread, Format, Run, Style string }

// Execute runs one command line and returns its exit code.
func Execute(ctx context.Context, env *Env) int {
	if len(env.Args) > 0 {
		if run, ok := env.Hidden[env.Args[0]]; ok {
			if err := run(ctx, env.Args[1:]); err != nil {
				io.WriteString(env.Stderr, err.Error()+"\n")
				return 1
			}
			return 0
		}
	}
	own := *env
	out := &output{Writer: env.Stdout}
	own.Stdout = out
	err := execute(ctx, &own)
	if lost := out.lost(); lost != nil && ctx.Err() == nil {
		err = lost
	}
	return report(ctx, env, err)
}

func execute(ctx context.Context, env *Env) error {
	root := newRoot(env)
	root.SetArgs(env.Args)
	cmd, err := root.ExecuteContextC(ctx)
	err = advised(cmd, err)
	if asJSON := cmd.Flags().Lookup("json"); asJSON != nil && asJSON.Value.String() == "true" {
		return failedJSON(env, err)
	}
	return err
}

// failedJSON prints the object that stands for the answer of a failed command,
// unless the command has printed its own.
func failedJSON(env *Env, err error) error {
	var printed exitCode
	if err == nil || errors.Is(err, errLater) || errors.Is(err, context.Canceled) || errors.As(err, &printed) {
		return err
	}
	f := fault.Of(err)
	if err := printJSON(env.Stdout, map[string]any{"error": map[string]any{"code": f.Code, "message": f.Message, "hint": f.Hint}}); err != nil {
		return err
	}
	return exitCode(codeOf(err))
}

// report prints an error, if nobody has, and turns it into the exit code.
func report(ctx context.Context, env *Env, err error) int {
	var code exitCode
	switch {
	case err == nil:
		return 0
	case errors.As(err, &code):
		return int(code)
	}
	if ctx.Err() == nil {
		printError(env.Stderr, err)
	}
	return codeOf(err)
}

// alerted shows why the window did not open to a person who started it without a
// terminal, where nobody reads what is printed.
func alerted(env *Env, ctx context.Context, err error) error {
	var told exitCode
	if err == nil || env.Terminal || env.Alert == nil || ctx.Err() != nil || errors.As(err, &told) {
		return err
	}
	f := fault.Of(err)
	if failed := env.Alert(ctx, strings.TrimSpace(f.Message+"\n"+f.Hint)); failed != nil {
		fmt.Fprintf(env.Stderr, "no dialog could be shown: %v\n", failed)
	}
	return err
}

var logLevels = []string{"debug", "info", "warn", "error"}

func newRoot(env *Env) *cobra.Command {
	flags := &Flags{}
	root := &cobra.Command{
		Use:           "footnote",
		Short:         "Answers from your files and the web, each sentence with a footnote that opens at its passage",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
	}
	hidden := false
	root.RunE = func(cmd *cobra.Command, args []string) error {
		opening, err := openingOf(env.Dir, args)
		if err != nil {
			return err
		}
		opening.Hidden = hidden
		for _, path := range opening.Paths {
			if _, err := os.Stat(path); err != nil {
				name := filepath.Base(path)
				return usage(fmt.Sprintf("there is no command and no file called %q%s", name, perhaps("footnote ", plain.Nearest(name, subcommands(root)))))
			}
		}
		if env.Window == nil {
			return cmd.Help()
		}
		return alerted(env, cmd.Context(), withHouse(env, flags, func(ctx context.Context, h *House, _ []string) error {
			err := env.Window(ctx, h, opening)
			if err != nil {
				h.Log.Error("the window did not open", "err", err)
			}
			return err
		})(cmd, args))
	}
	root.PersistentPreRunE = func(*cobra.Command, []string) error {
		if flags.Log != "" && !slices.Contains(logLevels, flags.Log) {
			return usage(fmt.Sprintf("--log is %s, not %q", strings.Join(logLevels, ", "), flags.Log))
		}
		return nil
	}
	root.SetIn(env.Stdin)
	root.SetOut(env.Stdout)
	root.SetErr(env.Stderr)
	p := root.PersistentFlags()
	p.StringVar(&flags.Data, "data", "", "data folder")
	p.BoolVar(&flags.AnyOwner, "any-owner", false, "use a data folder that belongs to another user")
	p.StringVar(&flags.Config, "config", "", "configuration file")
	p.StringArrayVar(&flags.Set, "set", nil, "one setting for this run: `section.key=value`")
	p.StringVar(&flags.Log, "log", "", "log level on stderr: "+strings.Join(logLevels, ", "))
	root.SetFlagErrorFunc(badFlag)
	versionFlags(env, root)
	if env.Window != nil {
		root.Flags().BoolVar(&hidden, "hidden", false, "start without showing the window; the tray, the keys or a second start show it")
	}
	root.AddCommand(
		newAsk(env, flags), newLibrary(env, flags), newServe(env, flags), newModels(env, flags), newThreads(env, flags), newPersonas(env, flags),
		newKeys(env, flags), newExport(env, flags), newImport(env, flags), newRefresh(env, flags), newTable(env, flags), newBackup(env, flags), newRestore(env, flags), newEval(env, flags), newDoctor(env, flags), newTeam(env, flags), newMCP(env, flags), newMCPCall(env, flags), newVersion(env),
	)
	root.AddCommand(newMan(env))
	completion(env, flags, root)
	help(env, root)
	return root
}

// withHouse opens the program for one command, or hands the command to the
// process that holds the data folder. While the command runs, those of other
// processes run beside it. One that meets a damaged database before it printed
// anything is run once more: opened again, the database is mended.
func withHouse(env *Env, flags *Flags, run func(context.Context, *House, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		reads := readsStdin(cmd, args)
		once := func() error {
			return inHouse(cmd.Context(), env, *flags, reads, func(ctx context.Context, h *House) error { return run(ctx, h, args) })
		}
		err := once()
		if fault.CodeOf(err) == fault.DataDamaged && !reads && !printed(env.Stdout) && cmd.Context().Err() == nil {
			err = once()
		}
		return err
	}
}

func inHouse(ctx context.Context, env *Env, flags Flags, reads bool, run func(context.Context, *House) error) error {
	house, err := enter(ctx, env, flags, reads)
	if err != nil {
		return err
	}
	if house.lent {
		return run(ctx, house)
	}
	finish := accept(ctx, env, house)
	err = run(ctx, house)
	finish()
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	return errors.Join(err, house.Close(closing))
}

// readsStdin tells whether a command takes text from standard input.
func readsStdin(cmd *cobra.Command, args []string) bool {
	return slices.Contains(args, "-") || cmd.CommandPath() == "footnote keys set"
}
