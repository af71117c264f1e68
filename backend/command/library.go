package command

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/library/walk"
)

// attach reads paths in place for one question and tells which gave no text.
func attach(ctx context.Context, h *House, paths []string, progress func(done, total int)) (contract.Scope, []string, error) {
	if err := h.Begin(ctx, false); err != nil {
		return contract.Scope{}, nil, err
	}
	scope, skipped, err := h.Library.Attach(ctx, paths, func(p library.Progress) { progress(p.FilesDone, p.FilesTotal) })
	var notes []string
	for _, s := range skipped {
		notes = append(notes, s.Path+": "+s.Reason)
	}
	return scope, notes, err
}

func newLibrary(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "library", Short: "Your files", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(newAdd(env, flags), newList(env, flags), newRemove(env, flags), newStatus(env, flags), newSearch(env, flags), newCount(env, flags), newWhy(env, flags), newRescan(env, flags), newCollection(env, flags), newZotero(env, flags), newCiteKeys(env, flags))
	return cmd
}

func newAdd(env *Env, flags *Flags) *cobra.Command {
	var watch, wait, force bool
	cmd := &cobra.Command{Use: "add PATH...", Short: "Add files and folders, read in place", Args: atLeast(1, "at least one path")}
	cmd.Flags().BoolVar(&watch, "watch", false, "follow changes until interrupted")
	cmd.Flags().BoolVar(&force, "force", false, "read folders and files of the system too")
	cmd.Flags().BoolVar(&wait, "wait", false, "print ACK and its id for each file once it is stored for good")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		if watch && h.lent && h.greeter() == nil {
			return errLater
		}
		defer sayNotices(ctx, env, h.Library)()
		if err := h.Begin(ctx, watch); err != nil {
			return err
		}
		adding := ctx
		if force {
			adding = library.WithConfirmed(ctx)
		}
		result, err := added(adding, env, h, args, watch)
		if err != nil {
			return err
		}
		read, failed := 0, 0
		err = h.Library.Wait(ctx, result.Paths, func(f library.File) {
			one := acknowledge(env, f, wait)
			read, failed = read+1-one, failed+one
		})
		for (wait || watch) && fault.CodeOf(err) == fault.IndexRebuilding { // the library goes on by itself, and so does this
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(indexPause):
			}
			err = h.Library.Wait(ctx, result.Paths, func(library.File) {})
		}
		if wait && err == nil {
			err = h.Library.Rest(ctx)
		}
		if err != nil {
			return err
		}
		say(env, "%s can be searched.", counted(read, "file"))
		if wait {
			if err := encoded(ctx, env, h); err != nil {
				return err
			}
		}
		if watch && !h.lent {
			say(env, "Changes are followed; Ctrl+C ends it.")
			<-ctx.Done()
			return nil
		}
		missed := slices.ContainsFunc(result.Skipped, func(s walk.Skip) bool { return !s.Incidental() })
		if wait && (failed > 0 || missed) {
			return exitSomeFailed
		}
		return nil
	})
	return cmd
}

// How long adding waits for the vectors of a small library, so that the first question finds
// them.
const (
	encodedMost = 2_000 // passages; of more they are made while Footnote runs
	encodedWait = 30 * time.Second
)

func encoded(ctx context.Context, env *Env, h *House) error {
	if h.Library.Meaning == nil {
		return nil
	}
	limited, cancel := context.WithTimeout(ctx, encodedWait)
	defer cancel()
	left, err := h.Library.Meaning.Encode(limited, encodedMost)
	if err == nil && left > 0 {
		say(env, "They are compared by words until all passages are compared by meaning, which goes on while Footnote runs.")
	}
	return err
}

// added adds paths to the library and tells which of several were refused. When
// all were, the error says why.
func added(ctx context.Context, env *Env, h *House, paths []string, watch bool) (library.AddResult, error) {
	result, err := h.Library.Add(ctx, absolute(env.Dir, paths), watch)
	if err == nil || len(result.Skipped) > 1 {
		for _, s := range result.Skipped {
			say(env, "not added: %s: %s", s.Path, s.Reason)
		}
	}
	return result, err
}

// indexPause is between two looks whether the index can be written again.
const indexPause = time.Second

// sayNotices prints what the library tells people meanwhile, each thing once: a
// full disk, folders that cannot be watched. The result ends it.
func sayNotices(ctx context.Context, env *Env, l *library.Library) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	events := l.Events(ctx, l.LastEvent())
	go func() {
		defer close(ended)
		said := map[string]bool{}
		for e := range events {
			if n, ok := e.Body.(library.Noticed); ok && !said[n.Message] {
				said[n.Message] = true
				fmt.Fprintf(env.Stderr, "note: %s\n", safeLine(n.Message))
			}
		}
	}()
	return func() { cancel(); <-ended }
}

// acknowledge prints what became of a file and returns 1 when it failed.
func acknowledge(env *Env, f library.File, wait bool) int {
	switch {
	case f.Stored():
		if wait {
			fmt.Fprintf(env.Stdout, "ACK %s\n", f.ID)
		}
		if f.State == library.Partial {
			fmt.Fprintf(env.Stderr, "read in part: %s: %s\n", safeLine(f.Path), safeLine(f.Reason))
		}
		if as := doubtful(f); as != "" {
			fmt.Fprintf(env.Stderr, "doubtful: %s: %s\n", safeLine(f.Path), as)
		}
		return 0
	case f.State == library.Failed, f.State == library.Skipped:
		fmt.Fprintf(env.Stderr, "not read: %s: %s\n", safeLine(f.Path), safeLine(f.Reason))
		return 1
	}
	return 0
}

func absolute(dir string, paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = p
		if !filepath.IsAbs(p) {
			out[i] = filepath.Join(dir, p)
		}
	}
	return out
}

func newList(env *Env, flags *Flags) *cobra.Command {
	var ids, asJSON bool
	var states []string
	cmd := &cobra.Command{Use: "list", Short: "List files and how they were read", Args: noArgs}
	cmd.Flags().BoolVar(&ids, "ids", false, "print ids of files that are stored for good, one a line")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringSliceVar(&states, "status", nil, "only files that are waiting, ready, partial, failed, skipped or not-reachable")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, _ []string) error {
		wanted, err := statesOf(states)
		if err != nil {
			return err
		}
		files, _, err := h.Library.Files(ctx, library.FileQuery{States: wanted})
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.Stdout, listed(files))
		}
		if len(files) == 0 {
			say(env, "No files. footnote library add PATH... adds some.")
		}
		for _, f := range files {
			switch {
			case !ids:
				fmt.Fprintf(env.Stdout, "%-12s %s%s%s\n", f.State, safeLine(f.Path), about(f), because(f))
			case f.Stored():
				fmt.Fprintln(env.Stdout, f.ID)
			}
		}
		return nil
	})
	return cmd
}

func statesOf(names []string) (states []library.State, err error) {
	for _, name := range names {
		state := library.State(strings.TrimSpace(name))
		if !slices.Contains([]library.State{library.Waiting, library.Ready, library.Partial, library.Failed, library.Skipped, library.NotReachable}, state) {
			return nil, usage(fmt.Sprintf("--status is waiting, ready, partial, failed, skipped or not-reachable, not %q", name))
		}
		states = append(states, state)
	}
	return states, nil
}

// because tells how much of a file was read, where it is not all, and why.
func because(f library.File) string {
	var parts []string
	if c := f.Coverage; c.Pages > 0 && c.Read < c.Pages {
		parts = append(parts, fmt.Sprintf("%d of %d pages with text", c.Read, c.Pages))
	}
	if c := f.Coverage; c.Garbled >= 0.01 && f.Reason == "" {
		parts = append(parts, fmt.Sprintf("%.0f %% unreadable characters", 100*c.Garbled))
	}
	if f.Reason != "" {
		parts = append(parts, safeLine(f.Reason))
	}
	if as := doubtful(f); as != "" {
		parts = append(parts, as)
	}
	if len(parts) == 0 {
		return ""
	}
	return "  (" + strings.Join(parts, "; ") + ")"
}

// doubtful says in which character set a file was read where that may be wrong.
func doubtful(f library.File) string {
	if f.Coverage.ReadAs == "" {
		return ""
	}
	return "the characters of this file are doubtful: read as " + f.Coverage.ReadAs
}

func about(f library.File) string {
	if len(f.Topics) == 0 {
		return ""
	}
	return "  [" + safeLine(strings.Join(f.Topics, ", ")) + "]"
}

type listedFile struct {
	ID     string   `json:"id"`
	Path   string   `json:"path"`
	Status string   `json:"status"`
	Reason string   `json:"reason"`
	Chunks int      `json:"chunks"`
	Topics []string `json:"topics"`
	Digest string   `json:"digest"`

	Pages     int     `json:"pages"`
	Read      int     `json:"pages_read"`
	Empty     int     `json:"pages_empty"`
	Garbled   float64 `json:"garbled"`
	Truncated bool    `json:"truncated"`
	ReadAs    string  `json:"read_as"` // the character set, where it is doubtful
}

func listed(files []library.File) []listedFile {
	out := make([]listedFile, 0, len(files))
	for _, f := range files {
		out = append(out, listedFile{
			ID: f.ID, Path: f.Path, Status: string(f.State), Reason: f.Reason, Chunks: f.Chunks, Topics: append([]string{}, f.Topics...), Digest: f.Digest,
			Pages: f.Coverage.Pages, Read: f.Coverage.Read, Empty: f.Coverage.Empty, Garbled: f.Coverage.Garbled, Truncated: f.Coverage.Truncated, ReadAs: f.Coverage.ReadAs,
		})
	}
	return out
}

func newRemove(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "remove ID|PATH...", Short: "Forget files and folders; they stay where they are", Args: atLeast(1, "at least one id or path")}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		if err := h.Begin(ctx, false); err != nil {
			return err
		}
		for _, name := range args {
			err := h.Library.Remove(ctx, name)
			if err != nil && !filepath.IsAbs(name) {
				err = h.Library.Remove(ctx, filepath.Join(env.Dir, name))
			}
			if err != nil {
				return err
			}
			say(env, "Removed from the library: %s. It stays on the disk.", name)
		}
		return nil
	})
	return cmd
}

func newStatus(env *Env, flags *Flags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "status", Short: "What the library holds", Args: noArgs}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, _ []string) error {
		s, err := h.Library.Status(ctx)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.Stdout, map[string]any{"roots": s.Roots, "totals": s.Totals, "rebuilding": s.Rebuilding, "progress": s.Progress})
		}
		t := s.Totals
		for _, r := range s.Roots {
			fmt.Fprintf(env.Stdout, "%s\n", safeLine(r.Path))
		}
		fmt.Fprintf(env.Stdout, "%d files: %d ready, %d read in part, %d failed, %d skipped, %d waiting\n", t.Files, t.Ready, t.Partial, t.Failed, t.Skipped, t.Waiting)
		fmt.Fprintf(env.Stdout, "%d passages, %d of them compared by meaning\n", t.Chunks, t.Vectors)
		return sayReasons(ctx, env, h)
	})
	return cmd
}

// shownReasons is how many reasons status tells.
const shownReasons = 12

// sayReasons tells why files were not read, or only in part, the most frequent
// reason first.
func sayReasons(ctx context.Context, env *Env, h *House) error {
	files, _, err := h.Library.Files(ctx, library.FileQuery{States: []library.State{library.Partial, library.Failed, library.Skipped}})
	if err != nil || len(files) == 0 {
		return err
	}
	times := map[string]int{}
	for _, f := range files {
		times[string(f.State)+": "+f.Reason]++
	}
	reasons := slices.SortedFunc(maps.Keys(times), func(a, b string) int { return cmp.Or(cmp.Compare(times[b], times[a]), cmp.Compare(a, b)) })
	fmt.Fprintln(env.Stdout, "\nNot read, or in part:")
	rest := 0
	for i, reason := range reasons {
		if i < shownReasons {
			fmt.Fprintf(env.Stdout, "%6d  %s\n", times[reason], safeLine(reason))
		} else {
			rest += times[reason]
		}
	}
	if rest > 0 {
		fmt.Fprintf(env.Stdout, "%6d  for other reasons\n", rest)
	}
	fmt.Fprintln(env.Stdout, "Which: footnote library list --status failed,partial,skipped")
	return nil
}

func newRescan(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "rescan", Short: "Look for changes now", Args: noArgs}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, _ []string) error {
		if err := h.Begin(ctx, false); err != nil {
			return err
		}
		if err := h.Library.Rescan(ctx); err != nil {
			return err
		}
		s, err := h.Library.Status(ctx)
		if err != nil {
			return err
		}
		paths := make([]string, 0, len(s.Roots))
		for _, r := range s.Roots {
			paths = append(paths, r.Path)
		}
		read := 0
		if err := h.Library.Wait(ctx, paths, func(f library.File) { read += 1 - acknowledge(env, f, false) }); err != nil {
			return err
		}
		if len(paths) == 0 {
			say(env, "There are no folders to look through. footnote library add FOLDER adds one.")
			return nil
		}
		say(env, "Looked through %s: %s can be searched.", counted(len(paths), "folder"), counted(read, "file"))
		return nil
	})
	return cmd
}
