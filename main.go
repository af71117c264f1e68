// Footnote answers a question from the web and from the reader's own files, and
// proves each sentence with a footnote that opens at the exact passage.
//
// This file is the process: its signals, its standard streams, its exit code.
// backend/app builds the rooms, backend/command is the command line.
package main

import (
	"context"
	"embed"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"footnote/backend/app"
	"footnote/backend/command"
	"footnote/backend/update"
)

//go:embed frontend/packed build/library
var assets embed.FS

var version = "0.1.0"

// A release stamps its commit and date, and who tells of newer ones: an address, and
// the key that must have signed what it says.
var commit, date, updates, updateKey string

func main() {
	ctx, stop := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	var caught os.Signal
	go func() {
		caught = <-signals
		stop(errors.New(caught.String()))
		<-signals // a second wish is not discussed
		os.Exit(130)
	}()
	dir, err := os.Getwd()
	if err != nil {
		dir = string(filepath.Separator)
	}
	code := app.Program{Version: version, Build: command.Build{Commit: commit, Date: date}, Assets: assets, Bind: bind, BindBox: bindBox, Updates: update.Origin{Address: updates, Key: updateKey}}.Run(ctx, &command.Env{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Dir: dir, Environ: os.Environ(), Terminal: isTerminal(os.Stderr), Columns: command.Columns(os.Stdout),
	})
	if ctx.Err() != nil && caught == syscall.SIGTERM && code != 0 {
		code = 143
	}
	os.Exit(code)
}

func isTerminal(f *os.File) bool {
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
