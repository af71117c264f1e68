package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"footnote/backend/eval"
)

// newEvalSpeed measures what Footnote costs over a folder, beside recollindex where
// that is installed.
func newEvalSpeed(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "speed DIR", Short: "Take a folder in, search it, ask and change a file, and print what each costs", Args: exactArgs(1, "one folder")}
	return measuring(env, cmd, func(ctx context.Context, paths []string) (rows []eval.SpeedRow, err error) {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find this program: %w", err)
		}
		work, err := os.MkdirTemp("", "footnote-speed-")
		if err != nil {
			return nil, fmt.Errorf("make a data folder: %w", err)
		}
		defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
		program := eval.SpeedProgram{
			Looks: 60, Models: true,
			Command: func(ctx context.Context, data string, args ...string) *exec.Cmd {
				return exec.CommandContext(ctx, self, append([]string{"--data", data}, args...)...)
			},
			Open: func(ctx context.Context, data string, with func(eval.Shelf) error) error {
				return withHouseAt(ctx, env, *flags, data, func(ctx context.Context, h *House) error {
					if err := h.Begin(ctx, false); err != nil {
						return err
					}
					return with(h.Library)
				})
			},
		}
		if peer, err := exec.LookPath("recollindex"); err == nil {
			program.Peer = peer
		}
		rows, err = eval.Speed(ctx, paths[0], work, program)
		return rows, unreadable(err)
	})
}
