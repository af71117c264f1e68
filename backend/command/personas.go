package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

func newPersonas(env *Env, flags *Flags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "personas", Short: "List personas, which --persona of ask names", Args: noArgs}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, _ []string) error {
		personas, err := h.DB.Personas(ctx)
		if err != nil {
			return err
		}
		if asJSON {
			return printJSON(env.Stdout, personas)
		}
		if len(personas) == 0 {
			say(env, "There are no personas. They are made in Settings, in the window or the browser.")
		}
		for _, p := range personas {
			fmt.Fprintf(env.Stdout, "%s  %s\n", p.ID, safeLine(p.Name))
		}
		return nil
	})
	return cmd
}
