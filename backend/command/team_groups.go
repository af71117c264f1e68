package command

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"footnote/backend/fault"
	"footnote/backend/postgres"
	"footnote/backend/postgres/people"
)

func newTeamGroup(env *Env, flags *Flags) *cobra.Command {
	var remove bool
	cmd := &cobra.Command{Use: "group NAME", Short: "Add a group of people, to whom rights can be given together, or remove one", Args: exactArgs(1, "one name")}
	cmd.Flags().BoolVar(&remove, "remove", false, "remove the group with its rights")
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, args []string) error {
		if remove {
			group, err := h.grantee(ctx, args[0], false)
			if err == nil {
				err = people.DropGroup(ctx, h.DB, group.Group)
			}
			return h.noted(ctx, err, "removed group", args)
		}
		_, err := h.AddGroup(ctx, args[0])
		return h.noted(ctx, err, "added group", args)
	})
	return cmd
}

// newTeamMember is join or leave: what it does with a group and a person.
func newTeamMember(env *Env, flags *Flags, use, short, done string, do func(*postgres.DB, context.Context, int64, int64) error) *cobra.Command {
	cmd := &cobra.Command{Use: use + " GROUP PERSON", Short: short, Args: exactArgs(2, "a group and a person")}
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, args []string) error {
		group, err := h.grantee(ctx, args[0], false)
		if err != nil {
			return err
		}
		person, err := h.grantee(ctx, args[1], true)
		if err != nil {
			return err
		}
		return h.noted(ctx, do(h.DB, ctx, group.Group, person.Person), done, args)
	})
	return cmd
}

// grantee finds a person by name, or a group.
func (h *teamHouse) grantee(ctx context.Context, name string, person bool) (postgres.Grantee, error) {
	who, err := h.GranteeNamed(ctx, name)
	if err == nil && (who.Person != 0) != person {
		err = fault.New(fault.InvalidRequest, "“"+name+"” is a "+map[bool]string{true: "group", false: "person"}[person]+".", "footnote team list shows who is what.")
	}
	return who, err
}

// noted says what was done, and writes it into the audit log.
func (h *teamHouse) noted(ctx context.Context, err error, done string, about []string) error {
	if err != nil {
		return err
	}
	say(h.env, "%s: %s.", strings.ToUpper(done[:1])+done[1:], strings.Join(about, ", "))
	return h.Note(ctx, 0, done, strings.Join(about, ", "))
}
