package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"footnote/backend/fault"
	"footnote/backend/llm"
)

func newModels(env *Env, flags *Flags) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{Use: "models", Short: "List models, or test, pull and choose one", Args: noArgs}
	cmd.PersistentFlags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.RunE = withHouse(env, flags, func(ctx context.Context, h *House, _ []string) error { return listModels(ctx, env, h, asJSON) })

	test := &cobra.Command{Use: "test P/M", Short: "Make a short round trip", Args: exactArgs(1, "provider/model")}
	test.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		ability, took, err := h.Models.Test(ctx, args[0])
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(env.Stdout, "%s answers in %d ms; window %d tokens\n", args[0], took.Milliseconds(), ability.Window)
		return err
	})

	use := &cobra.Command{Use: "use chat|system|embedding|rewrite|rerank P/M|none", Short: "Choose the model of a role", Args: exactArgs(2, "a role and a model")}
	use.RunE = withHouse(env, flags, func(_ context.Context, h *House, args []string) error {
		switch args[0] {
		case "chat", "system", "embedding", "rewrite", "rerank":
		default:
			return usage(fmt.Sprintf("there is no role %q: they are chat, system, embedding, rewrite and rerank", args[0]))
		}
		var lacking error // a key, which may follow
		if strings.Contains(args[1], "/") {
			if _, _, lacking = h.Models.Find(args[1]); fault.CodeOf(lacking) == fault.InvalidModel {
				return lacking
			}
		}
		if err := h.Settings.Put(map[string]any{"models." + args[0]: args[1]}); err != nil {
			return err
		}
		say(env, "The %s model is %s from now on.", args[0], args[1])
		if lacking != nil {
			say(env, "%s %s", fault.Of(lacking).Message, fault.Of(lacking).Hint)
		}
		return nil
	})
	allow := &cobra.Command{Use: "allow PROVIDER", Short: "Let a provider beyond this computer be sent text of your files", Args: exactArgs(1, "one provider")}
	allow.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		if _, _, err := h.Models.Find(args[0] + "/any"); fault.CodeOf(err) == fault.InvalidModel {
			return err
		}
		if err := h.DB.Consent(ctx, args[0], true); err != nil {
			return err
		}
		say(env, "Text of your files may be sent to %s from now on.", args[0])
		return nil
	})
	disallow := &cobra.Command{Use: "disallow PROVIDER", Short: "Let a provider be sent no text of your files any more", Args: exactArgs(1, "one provider")}
	disallow.RunE = withHouse(env, flags, func(ctx context.Context, h *House, args []string) error {
		may, err := h.DB.MaySend(ctx, args[0])
		if err != nil {
			return err
		}
		if !may {
			say(env, "%s was not allowed to be sent text of your files.", args[0])
			return nil
		}
		if err := h.DB.Consent(ctx, args[0], false); err != nil {
			return err
		}
		say(env, "No text of your files is sent to %s from now on.", args[0])
		return nil
	})
	cmd.AddCommand(allow, disallow, newModelsList(env, flags, &asJSON), newModelsPull(env, flags), test, use)
	return cmd
}

type modelLine struct {
	Model     string `json:"model"`
	Window    int    `json:"window"`
	Tools     bool   `json:"tools"`
	Schema    bool   `json:"schema"`
	Embedding bool   `json:"embedding"`
}

func linesOf(provider string, models []llm.Ability) []modelLine {
	lines := []modelLine{}
	for _, m := range models {
		lines = append(lines, modelLine{provider + "/" + m.Name, m.Window, m.Tools, m.Schema, m.Embeds})
	}
	return lines
}

func listModels(ctx context.Context, env *Env, h *House, asJSON bool) error {
	lines := []modelLine{}
	for _, s := range h.Models.States(ctx) {
		lines = append(lines, linesOf(s.ID, s.Models)...)
		switch {
		case asJSON:
		case s.Local && !s.Reachable:
			fmt.Fprintf(env.Stderr, "%s does not answer at %s\n", s.Name, s.Origin)
		case s.Offer != "":
			fmt.Fprintf(env.Stderr, "%s could use the key in %s: footnote models use chat %s/MODEL\n", s.Name, s.Offer, s.ID)
		}
	}
	if len(lines) == 0 && !asJSON {
		fmt.Fprintln(env.Stderr, "No model was found on this computer. Answers are quoted from the sources until there is one.")
	}
	if err := printModels(env, lines, asJSON); err != nil || asJSON {
		return err
	}
	may, err := h.DB.Consents(ctx)
	for _, provider := range may {
		fmt.Fprintf(env.Stderr, "Text of your files may be sent to %s; footnote models disallow %s takes that back.\n", safeLine(provider), safeLine(provider))
	}
	return err
}

func printModels(env *Env, lines []modelLine, asJSON bool) error {
	if asJSON {
		return printJSON(env.Stdout, lines)
	}
	for _, l := range lines {
		kind := ""
		if l.Window > 0 {
			kind = fmt.Sprintf("  %d tokens", l.Window)
		}
		if l.Embedding {
			kind += "  (embedding)"
		}
		fmt.Fprintf(env.Stdout, "%s%s\n", safeLine(l.Model), kind)
	}
	return nil
}
