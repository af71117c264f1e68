package command

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"footnote/backend/disk"
	"footnote/backend/fault"
)

// largestBundle is what is read of a file: more is no bundle.
const largestBundle = 256 << 20

func newImport(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "import FILE", Short: "Bring back a conversation that was exported as bundle", Args: exactArgs(1, "one file")}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		bundle, err := readBundle(absolute(env.Dir, args)[0])
		if err != nil {
			return err
		}
		thread, err := env.Import(ctx, h, bundle)
		if err != nil {
			return removable(err)
		}
		if _, err := fmt.Fprintln(env.Stdout, thread); err != nil {
			return err
		}
		say(env, "Imported. footnote export %s shows it.", thread)
		return nil
	})
	return cmd
}

// removable names the command that makes room for a conversation that is here
// already.
func removable(err error) error {
	f := fault.Of(err)
	if thread, ok := f.Details["thread"]; ok && f.Code == fault.ConfirmNeeded {
		return fault.Wrap(err, f.Code, f.Message, fmt.Sprintf("To put the bundle's in its place, run footnote threads remove %v first.", thread))
	}
	return err
}

func readBundle(path string) ([]byte, error) {
	name := filepath.Base(path)
	bundle, err := disk.ReadRegular(path, largestBundle)
	switch {
	case errors.Is(err, disk.ErrTooLarge):
		return nil, fault.Wrap(err, fault.TooLarge, name+" is no bundle: it is larger than one may be.", "Choose a file that was exported as bundle.")
	case err != nil:
		return nil, fault.Wrap(err, fault.PathNotAllowed, name+" cannot be read.", "Check the name of the file, and whether you may read it.")
	}
	return bundle, nil
}
