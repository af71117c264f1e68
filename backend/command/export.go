package command

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"footnote/backend/fault"
	"footnote/backend/plain"
	"footnote/backend/settings"
	"footnote/backend/store"
)

// exportFormats are the forms of a conversation, the readable ones first.
var exportFormats = []string{"md", "html", "pdf", "docx", "json", "jsonl", "bundle", "bibtex", "ris", "csl"}

// exporting is what is wanted of a conversation.
type exporting struct{ format, style, run, out string }

func newExport(env *Env, flags *Flags) *cobra.Command {
	var e exporting
	cmd := &cobra.Command{Use: "export THREAD", Short: "Write a conversation to a file or to standard output", Args: exactArgs(1, "the id of one thread")}
	p := cmd.Flags()
	p.StringVar(&e.format, "format", "md", strings.Join(exportFormats, ", "))
	p.StringVar(&e.style, "style", "", "how footnotes are written: [1] or [^1]")
	p.StringVar(&e.run, "run", "", "only this question of it")
	p.StringVarP(&e.out, "out", "o", "", "file to write; - or nothing is standard output")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		if e.out == "" && e.binary() && env.Columns > 0 {
			return usage("the format " + e.format + " is no text for a terminal: name a file with -o, or pipe it")
		}
		body, err := env.Export(ctx, h, Export{Thread: args[0], Format: e.format, Run: e.run, Style: e.style})
		if err != nil {
			if _, missing := threadOf(ctx, h, args[0]); missing != nil && fault.CodeOf(err) == fault.NotFound {
				return missing
			}
			return err
		}
		if e.out != "" && e.out != "-" {
			path := absolute(env.Dir, []string{e.out})[0]
			if err := writeNew(path, body); err != nil {
				return err
			}
			say(env, "Written: %s (%s)", path, plain.Bytes(int64(len(body))))
			return nil
		}
		_, err = env.Stdout.Write(e.shown(body))
		return err
	})
	return cmd
}

func (e exporting) binary() bool { return slices.Contains([]string{"pdf", "docx", "bundle"}, e.format) }

// shown is a conversation as a terminal may be given it.
func (e exporting) shown(body []byte) []byte {
	switch {
	case e.binary():
		return body
	case slices.Contains([]string{"json", "jsonl", "csl"}, e.format):
		return []byte(escaped(string(body)))
	}
	return []byte(safe(strings.ReplaceAll(string(body), "\r\n", "\n")))
}

// writeNew writes a file that only its owner reads. It never writes over one.
func writeNew(path string, body []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return notWritten(path, err)
	}
	_, err = f.Write(body)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return notWritten(path, errors.Join(err, os.Remove(path)))
	}
	return nil
}

func notWritten(path string, err error) error {
	if errors.Is(err, os.ErrExist) {
		return fault.Wrap(err, fault.PathNotAllowed, filepath.Base(path)+" is there already.", "Choose another name; no file is written over.")
	}
	return fault.Wrap(err, fault.PathNotAllowed, filepath.Base(path)+" cannot be written.", "Check the folder and the space on the disk.")
}

func newBackup(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "backup FILE", Short: "Write conversations, library, settings and uploads to one file", Args: exactArgs(1, "one file")}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		path := absolute(env.Dir, args)[0]
		if _, err := os.Lstat(path); err == nil {
			return notWritten(path, os.ErrExist)
		}
		if _, err := os.ReadDir(filepath.Dir(path)); err != nil {
			return notWritten(path, err)
		}
		if err := h.DB.Backup(ctx, path); err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return notWritten(path, err)
		}
		say(env, "Written: %s (%s). footnote restore puts it back.", path, plain.Bytes(info.Size()))
		return nil
	})
	return cmd
}

// newRestore does not open the house: it changes what a house stands on.
func newRestore(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "restore FILE", Short: "Put back a copy that backup wrote; what is there now is kept aside", Args: exactArgs(1, "one file")}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		dir, err := settings.DataDir(flags.Data, env.Environ)
		if err != nil {
			return err
		}
		if !flags.AnyOwner {
			if err := settings.CheckOwner(dir); err != nil {
				return err
			}
		}
		aside, err := store.Restore(cmd.Context(), dir, absolute(env.Dir, args)[0], time.Now)
		if err != nil {
			return err
		}
		say(env, "Put back into %s.", dir)
		if aside != "" {
			say(env, "What was there before is kept in %s.", aside)
		}
		return nil
	}
	return cmd
}
