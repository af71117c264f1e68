package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"footnote/backend/fault"
	"footnote/backend/library"
)

func newCollection(env *Env, flags *Flags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "collection", Short: "Named sets of files and folders, asked as @name", Args: noArgs}
	cmd.Long = cmd.Short + ".\nWithout a command they are listed. In a question: footnote ask 'What is the rent? @contracts'."
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, _ []string) error {
		list, err := h.Library.Collections(ctx)
		if err != nil {
			return err
		}
		if len(list) == 0 && !asJSON {
			say(env, "There are no collections. footnote library collection add NAME PATH... makes one.")
		}
		return printCollections(ctx, env, h, list, asJSON)
	})
	cmd.AddCommand(newCollect(env, flags), newUncollect(env, flags), newRenameCollection(env, flags))
	return cmd
}

type listedCollection struct {
	ID      string   `json:"id"`
	Name    string   `json:"name"`
	Folders []string `json:"folders"`
	Files   []string `json:"files"` // paths
}

func printCollections(ctx context.Context, env *Env, h *House, list []library.Collection, asJSON bool) error {
	out := make([]listedCollection, len(list))
	for i, c := range list {
		out[i] = listedCollection{c.ID, c.Name, c.Folders, []string{}}
		if len(c.Files) == 0 {
			continue
		}
		files, _, err := h.Library.Files(ctx, library.FileQuery{IDs: c.Files, Unlisted: true})
		if err != nil {
			return err
		}
		for _, f := range files {
			out[i].Files = append(out[i].Files, f.Path)
		}
	}
	if asJSON {
		return printJSON(env.Stdout, out)
	}
	for _, c := range out {
		fmt.Fprintf(env.Stdout, "@%s\n", safeLine(library.CollectionKey(c.Name)))
		for _, path := range append(c.Folders, c.Files...) {
			fmt.Fprintf(env.Stdout, "    %s\n", safeLine(path))
		}
	}
	return nil
}

func newCollect(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "add NAME ID|PATH...", Short: "Put files and folders into a collection; what is new joins the library", Args: atLeast(2, "a name and at least one id or path")}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		name := strings.TrimPrefix(args[0], "@")
		if err := h.Library.CanCollect(ctx, name); err != nil {
			return err
		}
		if err := h.Begin(ctx, false); err != nil {
			return err
		}
		members, err := membersOf(ctx, env, h, args[1:])
		if err != nil {
			return err
		}
		c, err := h.Library.Collect(ctx, name, members)
		if err == nil {
			say(env, "@%s holds %s and %s. Ask in it: footnote ask \"… @%s\"", library.CollectionKey(c.Name), counted(len(c.Folders), "folder"), counted(len(c.Files), "file"), library.CollectionKey(c.Name))
		}
		return err
	})
	return cmd
}

// membersOf are ids as they are and paths as they stand in the library, to which
// those are added that it does not have.
func membersOf(ctx context.Context, env *Env, h *House, args []string) ([]string, error) {
	var members, paths []string
	for _, arg := range args {
		if strings.HasPrefix(arg, "fil_") || strings.HasPrefix(arg, "rot_") {
			members = append(members, arg)
		} else {
			paths = append(paths, arg)
		}
	}
	if len(paths) == 0 {
		return members, nil
	}
	result, err := added(ctx, env, h, paths, false)
	if err != nil {
		return nil, err
	}
	err = h.Library.Wait(ctx, result.Paths, func(f library.File) { acknowledge(env, f, false) })
	return append(members, result.Paths...), err
}

func newUncollect(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "remove NAME [ID|PATH...]", Short: "Take files and folders out of a collection, or forget it; they stay in the library", Args: atLeast(1, "a name")}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		name := strings.TrimPrefix(args[0], "@")
		if len(args) == 1 {
			if err := h.Library.DropCollection(ctx, name); err != nil {
				return err
			}
			say(env, "@%s is forgotten; its files stay in the library.", library.CollectionKey(name))
			return nil
		}
		for _, member := range args[1:] {
			_, err := h.Library.Uncollect(ctx, name, []string{member})
			if fault.CodeOf(err) == fault.NotFound {
				_, err = h.Library.Uncollect(ctx, name, absolute(env.Dir, []string{member}))
			}
			if err != nil {
				return err
			}
		}
		say(env, "Taken out of @%s: %s", library.CollectionKey(name), strings.Join(args[1:], ", "))
		return nil
	})
	return cmd
}

func newRenameCollection(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "rename NAME NEW", Short: "Give a collection another name", Args: exactArgs(2, "a name and a new one")}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		c, err := h.Library.ChangeCollection(ctx, strings.TrimPrefix(args[0], "@"), strings.TrimPrefix(args[1], "@"), nil)
		if err == nil {
			say(env, "It is @%s now.", library.CollectionKey(c.Name))
		}
		return err
	})
	return cmd
}
