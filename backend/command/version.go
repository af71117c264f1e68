package command

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// Build is what a release stamps on the program; empty in one that was just built.
type Build struct{ Commit, Date string }

func newVersion(env *Env) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "version", Short: "Print the version", Args: noArgs, RunE: func(*cobra.Command, []string) error {
		return printVersion(env, asJSON)
	}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// versionFlags are those of footnote itself: they ask for what the command version prints.
func versionFlags(env *Env, root *cobra.Command) {
	var wanted, asJSON bool
	root.Flags().BoolVarP(&wanted, "version", "V", false, "print the version")
	root.Flags().BoolVar(&asJSON, "json", false, "with --version: print JSON")
	run := root.RunE
	root.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case wanted:
			return printVersion(env, asJSON)
		case asJSON:
			return usage("--json goes with --version here")
		}
		return run(cmd, args)
	}
}

func printVersion(env *Env, asJSON bool) error {
	if asJSON {
		return printJSON(env.Stdout, map[string]any{
			"version": env.Version, "commit": env.Build.Commit, "date": env.Build.Date, "go": runtime.Version(), "os": runtime.GOOS, "arch": runtime.GOARCH, "window": Desktop, "engines": libraries(),
		})
	}
	_, err := fmt.Fprint(env.Stdout, versionLine(env))
	return err
}

// versionLine is the version, with the commit and its date in a release.
func versionLine(env *Env) string {
	line := "footnote " + env.Version
	if b := env.Build; b.Commit != "" {
		line += fmt.Sprintf(" (%.12s, %s)", b.Commit, b.Date)
	}
	return line + "\n"
}

// libraries are the versions of the libraries that store, search, read and show.
func libraries() map[string]string {
	found := map[string]string{}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return found
	}
	names := map[string]string{"modernc.org/sqlite": "sqlite", "github.com/blevesearch/bleve/v2": "bleve", "github.com/tetratelabs/wazero": "wazero", "github.com/ledongthuc/pdf": "pdf", "github.com/wailsapp/wails/v2": "wails"}
	for _, m := range info.Deps {
		if name := names[m.Path]; name != "" {
			found[name] = strings.TrimPrefix(m.Version, "v")
		}
	}
	return found
}
