package command

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/spf13/cobra"

	"footnote/backend/disk"
	"footnote/backend/fault"
	"footnote/backend/library"
)

// Adopted is what came of another program's library of works.
type Adopted struct {
	Paths []string // that joined the library
	Lines []string // what became of it, for people
}

// References are what a command takes over of reference managers.
type References struct {
	Zotero   func(ctx context.Context, h *House, folder string) (Adopted, error) // empty is the usual folder
	CiteKeys func(ctx context.Context, h *House, bibtex, folder string) (kept int, err error)
}

func newZotero(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "zotero [FOLDER]", Short: "Add Zotero's files, annotations and collections, which are only read", Args: cobra.MaximumNArgs(1)}
	cmd.Long = cmd.Short + ".\nFOLDER holds zotero.sqlite; without one it is Zotero in your own folder. Done again it brings everything up to date."
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		folder := ""
		if len(args) > 0 {
			folder = absolute(env.Dir, args)[0]
		}
		defer sayNotices(ctx, env, h.Library)()
		if err := h.Begin(ctx, false); err != nil {
			return err
		}
		got, err := env.References.Zotero(ctx, h, folder)
		for _, line := range got.Lines {
			say(env, "%s", safeLine(line))
		}
		if err != nil {
			return err
		}
		read := 0
		err = h.Library.Wait(ctx, got.Paths, func(f library.File) { read += 1 - acknowledge(env, f, false) })
		if err == nil {
			say(env, "%s can be searched.", counted(read, "file"))
		}
		return err
	})
	return cmd
}

const largestBibTeX = 64 << 20

func newCiteKeys(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "cite-keys FILE.bib", Short: "Keep the cite keys of a BibTeX file, for exports as bibtex, ris and csl", Args: exactArgs(1, "one .bib file")}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		path := absolute(env.Dir, args)[0]
		text, err := disk.ReadRegular(path, largestBibTeX)
		if errors.Is(err, disk.ErrTooLarge) {
			return fault.Wrap(err, fault.TooLarge, filepath.Base(path)+" is larger than is read.", "Export a part of your library.")
		}
		if err != nil {
			return fault.Wrap(err, fault.PathNotAllowed, filepath.Base(path)+" cannot be read.", "Check the name of the file.")
		}
		n, err := env.References.CiteKeys(ctx, h, string(text), filepath.Dir(path))
		if err == nil {
			say(env, "%s kept.", counted(n, "cite key"))
		}
		return err
	})
	return cmd
}
