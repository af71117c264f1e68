package command

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"footnote/backend/fault"
	"footnote/backend/library"
	"footnote/backend/postgres"
	"footnote/backend/postgres/people"
	"footnote/backend/settings"
	"footnote/backend/team"
)

// teamHouse is what the commands of a team need: no data folder.
type teamHouse struct {
	*postgres.DB
	door *team.Door
	set  settings.Settings
	env  *Env
}

func newTeam(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "team", Short: "The library of several people: its database, people, collections and rights", Args: noArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	cmd.AddCommand(newTeamInit(env, flags), newTeamDoctor(env, flags), newTeamPerson(env, flags), newTeamCollection(env, flags), newTeamAdd(env, flags),
		newTeamGrant(env, flags), newTeamRevoke(env, flags), newTeamBlock(env, flags), newTeamGroup(env, flags),
		newTeamMember(env, flags, "join", "Make a person a member of a group", "joined", (*postgres.DB).Join),
		newTeamMember(env, flags, "leave", "Take a person out of a group, with the rights they had by it, at once", "left", (*postgres.DB).Leave), newTeamShare(env, flags), newTeamUnshare(env, flags), newTeamShares(env, flags), newTeamExport(env, flags), newTeamErase(env, flags),
		newTeamList(env, flags), newTeamAudit(env, flags))
	return cmd
}

func teamSettings(env *Env, flags *Flags) (settings.Settings, error) {
	store, err := settings.Load(settings.LoadOptions{DataDir: flags.Data, ConfigFile: flags.Config, Env: env.Environ, Set: flags.Set, AnyOwner: flags.AnyOwner})
	if err != nil {
		return settings.Settings{}, err
	}
	set := store.Now()
	if set.Team.Database == "" {
		return set, fault.New(fault.InvalidSetting, "No database of a team is set.", "Set team.database to postgres://name:password@host/database, in config.toml or with --set.")
	}
	return set, nil
}

// withTeam opens the team's database for one command.
func withTeam(env *Env, flags *Flags, run func(context.Context, *teamHouse, []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		set, err := teamSettings(env, flags)
		if err != nil {
			return err
		}
		h, err := openTeam(cmd.Context(), env, flags, set)
		if err != nil {
			return err
		}
		defer h.Close()
		return run(cmd.Context(), h, args)
	}
}

func openTeam(ctx context.Context, env *Env, flags *Flags, set settings.Settings) (*teamHouse, error) {
	db, err := postgres.Open(ctx, set.Team.Database, logTo(env, flags))
	if err != nil {
		return nil, err
	}
	return &teamHouse{db, team.NewDoor(db, db, time.Now), set, env}, nil
}

func newTeamInit(env *Env, flags *Flags) *cobra.Command {
	name := "admin"
	cmd := &cobra.Command{Use: "init", Short: "Make the tables of a team's library, or bring them up to date, with a first administrator", Args: noArgs}
	cmd.Flags().StringVar(&name, "administrator", name, "name of the first administrator")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		ctx := cmd.Context()
		set, err := teamSettings(env, flags)
		if err != nil {
			return err
		}
		if err := postgres.Init(ctx, set.Team.Database, logTo(env, flags)); err != nil {
			return err
		}
		say(env, "The team's database is ready.")
		h, err := openTeam(ctx, env, flags, set)
		if err != nil {
			return err
		}
		defer h.Close()
		accounts, err := h.People(ctx)
		if err != nil || slices.ContainsFunc(accounts, func(a team.Account) bool { return a.Administrator }) {
			return err
		}
		return h.invite(ctx, name, true)
	}
	return cmd
}

// invite makes a person, unless there is one of this name, and prints the address at
// which they choose a password.
func (h *teamHouse) invite(ctx context.Context, name string, administrator bool) error {
	account, err := h.AccountOf(ctx, name)
	if err != nil {
		return err
	}
	if account == nil {
		id, err := h.AddPerson(ctx, name)
		if err != nil {
			return err
		}
		account = &team.Account{Person: team.Person{ID: id, Name: name}}
	}
	if administrator {
		if err := h.Appoint(ctx, account.ID, true); err != nil {
			return err
		}
	}
	secret, err := h.door.Invite(ctx, account.Person)
	if err != nil {
		return err
	}
	if err := h.Note(ctx, 0, "invited", account.Name); err != nil {
		return err
	}
	say(h.env, "Start footnote serve --team. Then %s chooses a password at this address (once, within a week):", account.Name)
	fmt.Fprintf(h.env.Stdout, "http://%s/?invitation=%s\n", h.set.Server.Addr, secret)
	return nil
}

func newTeamDoctor(env *Env, flags *Flags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "doctor", Short: "Examine the team's database and name the next step for each fault", Args: noArgs}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		set, err := teamSettings(env, flags)
		if err != nil {
			return tell(env, asJSON, []finding{faulty("settings", err)})
		}
		found, err := postgres.Examine(cmd.Context(), set.Team.Database, time.Now)
		if err != nil {
			return tell(env, asJSON, []finding{faulty("database", err)})
		}
		findings := make([]finding, len(found))
		for i, f := range found {
			findings[i] = finding{Part: f.Part, OK: f.OK, Says: f.Says}
			if !f.OK {
				findings[i].Next = f.Next
			}
		}
		return tell(env, asJSON, findings)
	}
	return cmd
}

func newTeamPerson(env *Env, flags *Flags) *cobra.Command {
	var administrator bool
	cmd := &cobra.Command{Use: "person NAME", Short: "Add a person, or invite them again, and print the address at which they choose a password", Args: exactArgs(1, "one name")}
	cmd.Flags().BoolVar(&administrator, "administrator", false, "make them an administrator")
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, args []string) error {
		return h.invite(ctx, args[0], administrator)
	})
	return cmd
}

func newTeamCollection(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "collection NAME", Short: "Add a collection, which nobody may see yet", Args: exactArgs(1, "one name")}
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, args []string) error {
		_, err := h.AddCollection(ctx, args[0])
		return h.noted(ctx, err, "added collection", args)
	})
	return cmd
}

var levels = []string{string(postgres.Reader), string(postgres.Editor), string(postgres.Owner)}

func newTeamGrant(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "grant COLLECTION NAME LEVEL", Short: "Let a person or group read a collection, or edit or own it", Args: exactArgs(3, "a collection, a name and a level")}
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, args []string) error {
		if !slices.Contains(levels, args[2]) {
			return usage("the level is one of " + strings.Join(levels, ", "))
		}
		collection, to, err := h.right(ctx, args)
		if err != nil {
			return err
		}
		return h.noted(ctx, h.Grant(ctx, collection, to, postgres.Level(args[2])), "granted", args)
	})
	return cmd
}

func newTeamRevoke(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "revoke COLLECTION NAME", Short: "Take a right to a collection away, at once", Args: exactArgs(2, "a collection and a name")}
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, args []string) error {
		collection, from, err := h.right(ctx, args)
		if err != nil {
			return err
		}
		return h.noted(ctx, h.Revoke(ctx, collection, from), "revoked", args)
	})
	return cmd
}

func (h *teamHouse) right(ctx context.Context, args []string) (collection int, who postgres.Grantee, err error) {
	if collection, err = h.CollectionNamed(ctx, args[0]); err == nil {
		who, err = h.GranteeNamed(ctx, args[1])
	}
	return collection, who, err
}

func newTeamBlock(env *Env, flags *Flags) *cobra.Command {
	var back bool
	cmd := &cobra.Command{Use: "block NAME", Short: "Shut a person out at once, with all sessions and tokens", Args: exactArgs(1, "one name")}
	cmd.Flags().BoolVar(&back, "undo", false, "let them in again")
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, args []string) error {
		who, err := h.grantee(ctx, args[0], true)
		if err == nil {
			err = h.Block(ctx, who.Person, !back)
		}
		return h.noted(ctx, err, map[bool]string{false: "blocked", true: "unblocked"}[back], args)
	})
	return cmd
}

func newTeamList(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "list", Short: "List people, collections and rights", Args: noArgs}
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, _ []string) error {
		accounts, err := h.People(ctx)
		if err != nil {
			return err
		}
		for _, p := range accounts {
			fmt.Fprintf(env.Stdout, "person  %s%s\n", safeLine(p.Name), stateOf(p))
		}
		groups, err := people.Groups(ctx, h.DB)
		if err != nil {
			return err
		}
		for _, g := range groups {
			fmt.Fprintf(env.Stdout, "group  %s  %s\n", safeLine(g.Name), safeLine(strings.Join(g.Members, ", ")))
		}
		collections, err := h.Collections(ctx)
		for _, c := range collections {
			fmt.Fprintf(env.Stdout, "collection  %s  %d files  %s\n", safeLine(c.Name), c.Files, safeLine(strings.Join(c.Rights, ", ")))
		}
		return err
	})
	return cmd
}

func stateOf(p team.Account) (state string) {
	if p.Administrator {
		state += "  administrator"
	}
	switch {
	case p.Blocked:
		state += "  blocked"
	case p.Password == "":
		state += "  invited"
	}
	return state
}

func newTeamAudit(env *Env, flags *Flags) *cobra.Command {
	n := 50
	cmd := &cobra.Command{Use: "audit", Short: "Print who came in, who asked and who changed rights, newest first", Args: noArgs}
	cmd.Flags().IntVarP(&n, "lines", "n", n, "how many lines")
	cmd.RunE = withTeam(env, flags, func(ctx context.Context, h *teamHouse, _ []string) error {
		entries, err := h.Audit(ctx, 0, n)
		for _, e := range entries {
			who := e.Person
			if who == "" {
				who = "(command line)"
			}
			fmt.Fprintf(env.Stdout, "%s  %s  %s  %s\n", e.At.Local().Format(time.DateTime), safeLine(who), e.What, safeLine(e.About))
		}
		return err
	})
	return cmd
}

func newTeamAdd(env *Env, flags *Flags) *cobra.Command {
	cmd := &cobra.Command{Use: "add COLLECTION PATH...", Short: "Read files and folders of this computer into a collection", Args: atLeast(2, "a collection and at least one path")}
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		set, err := teamSettings(env, flags)
		if err != nil {
			return err
		}
		t, err := openTeam(ctx, env, flags, set)
		if err != nil {
			return err
		}
		defer t.Close()
		collection, err := t.CollectionNamed(ctx, args[0])
		if err != nil {
			return err
		}
		return t.readIn(ctx, h, collection, absolute(env.Dir, args[1:]))
	})
	return cmd
}

// readIn reads paths into a collection and waits until they can be searched. One
// process at a time does so for a collection.
func (t *teamHouse) readIn(ctx context.Context, h *House, collection int, paths []string) (err error) {
	release, err := t.Lease(ctx, collection)
	if err != nil {
		return err
	}
	defer release()
	view := t.Collection(postgres.House, collection)
	engine, shelf := h.With(Stores{Catalog: view, Index: view.Index()})
	defer func() { err = errors.Join(err, shelf.Close(), engine.Close(context.WithoutCancel(ctx))) }()
	if err := shelf.Start(ctx); err != nil {
		return err
	}
	own := *h
	own.Library = shelf
	result, err := added(ctx, t.env, &own, paths, false)
	if err != nil {
		return err
	}
	read, failed := 0, 0
	if err := shelf.Wait(ctx, result.Paths, func(f library.File) {
		one := acknowledge(t.env, f, false)
		read, failed = read+1-one, failed+one
	}); err != nil {
		return err
	}
	if err := shelf.Rest(ctx); err != nil {
		return err
	}
	say(t.env, "%s can be searched.", counted(read, "file"))
	if failed > 0 || len(result.Skipped) > 0 {
		return exitSomeFailed
	}
	return nil
}

// logTo is the log of commands that open no data folder: standard error, at the
// level that was asked for.
func logTo(env *Env, flags *Flags) *slog.Logger {
	var level slog.Level
	if flags.Log == "" || level.UnmarshalText([]byte(flags.Log)) != nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(slog.NewTextHandler(env.Stderr, &slog.HandlerOptions{Level: level}))
}
