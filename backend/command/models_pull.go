package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

func newModelsPull(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "pull P/M", Short: "Fetch a model into its server", Args: exactArgs(1, "provider/model")}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error { return pullModel(ctx, env, h, args[0]) })
	return cmd
}

// pullModel says each step, and every tenth part of it.
func pullModel(ctx context.Context, env *Env, h *House, model string) error {
	status, tenth := "", int64(-1)
	for step, err := range h.Models.Pull(ctx, model) {
		if err != nil {
			return err
		}
		now := int64(0)
		if step.Total > 0 {
			now = step.Done * 10 / step.Total
		}
		if step.Status == status && now <= tenth {
			continue
		}
		status, tenth = step.Status, now
		if step.Total > 0 {
			fmt.Fprintf(env.Stderr, "%s %d%% of %d MB\n", safeLine(status), now*10, step.Total/1_000_000)
		} else {
			fmt.Fprintln(env.Stderr, safeLine(status))
		}
	}
	_, err := fmt.Fprintf(env.Stdout, "%s is ready\n", safeLine(model))
	return err
}

func newModelsList(env *Env, flags *Flags, asJSON *bool) *cobra.Command {
	cmd := &cobra.Command{Use: "list PROVIDER", Short: "Ask one provider for its models, also one of the net", Args: exactArgs(1, "a provider")}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		models, err := h.Models.List(ctx, args[0])
		if err != nil {
			return err
		}
		return printModels(env, linesOf(args[0], models), *asJSON)
	})
	return cmd
}
