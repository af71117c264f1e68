package command

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"footnote/backend/answer/contract"
	"footnote/backend/postgres/people"
)

func newTeamShare(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "share PERSON THREAD NAME", Short: "Show a person's conversation to another person or to a group that they are in", Args: exactArgs(3, "whose it is, a conversation and a name")}
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, args []string) error {
		owner, err := h.grantee(ctx, args[0], true)
		if err == nil {
			_, err = people.Sharing{DB: h.DB, Own: h.Own(owner.Person, time.Now)}.Give(ctx, contract.ThreadID(args[1]), args[2])
		}
		return h.noted(ctx, err, "shared", args)
	})
	return cmd
}

func newTeamUnshare(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "unshare SHARE", Short: "Take a share back, whoever's it is, at once", Args: exactArgs(1, "a share, as team shares names it")}
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, args []string) error {
		return h.noted(ctx, people.DropShare(ctx, h.DB, args[0]), "ended share", args)
	})
	return cmd
}

func newTeamShares(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "shares", Short: "List who shares which conversation with whom, newest first", Args: noArgs}
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, _ []string) error {
		list, err := people.Showings(ctx, h.DB)
		for _, s := range list {
			fmt.Fprintf(env.Stdout, "%s  %s  %s of %s  %s %s\n", s.ID, s.Made.Local().Format(time.DateTime), s.Thread, safeLine(s.From), s.Kind, safeLine(s.To))
		}
		return err
	})
	return cmd
}

func newTeamExport(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "export PERSON", Short: "Write all that is kept of a person to standard output, a line of JSON a row", Args: exactArgs(1, "one name")}
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, args []string) error {
		who, err := h.grantee(ctx, args[0], true)
		if err == nil {
			err = people.Export(ctx, h.DB, who.Person, env.Stdout)
		}
		return h.noted(ctx, err, "exported", args)
	})
	return cmd
}

func newTeamErase(env *Env, flags *Flags) *cobra.Command {
	var sure bool
	cmd := &cobra.Command{Use: "erase PERSON", Short: "Remove a person with all that is kept of them; backups of the database keep it", Args: exactArgs(1, "one name")}
	cmd.Flags().BoolVar(&sure, "yes", false, "this cannot be undone")
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, args []string) error {
		who, err := h.grantee(ctx, args[0], true)
		if err != nil {
			return err
		}
		if !sure {
			return usage("what is kept of " + safeLine(args[0]) + " would be gone for good: add --yes, after team export if they want a copy")
		}
		if err := people.Erase(ctx, h.DB, who.Person); err != nil {
			return err
		}
		say(env, "%s is erased.", args[0])
		return h.Note(ctx, 0, "erased a person", "")
	})
	return cmd
}
