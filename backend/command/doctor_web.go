package command

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"footnote/backend/fault"
	"footnote/backend/web"
)

// engines names those that fail. One that the reader has not set up is no fault,
// unless there is none that could be asked. Those on this computer are asked;
// the others only with beyond, since asking them goes out.
func engines(ctx context.Context, h *House, beyond bool) []finding {
	set := h.Settings.Now()
	if !set.Web.Enabled {
		return []finding{{Part: "engines", OK: true, Says: "the web is switched off"}}
	}
	shut := set.Privacy.Scope == "local-only"
	beyond = beyond && !shut
	var findings []finding
	var usable, tried, waiting []string
	for _, e := range h.Engines.Standings(ctx) {
		switch {
		case e.Enabled && e.State == "ready" && (beyond || h.Engines.Here(e.Name)):
			tried = append(tried, e.Name)
		case e.Enabled && e.State == "ready":
			usable = append(usable, e.Name)
		case e.Enabled && e.State == "suspended":
			findings = append(findings, finding{"engine " + e.Name, false, e.Reason, "Wait until it is asked again, or use another engine."})
		case e.Enabled && e.State == "off": // its key was refused
			findings = append(findings, finding{"engine " + e.Name, false, e.Reason, keyAgain(e.Name)})
		case e.State != "off":
			waiting = append(waiting, e.Name)
		}
	}
	findings = append(asked(ctx, h, tried), findings...)
	switch {
	case len(usable) > 0 && shut:
		return append([]finding{{Part: "engines", OK: true, Says: "\"Local only\" is on: " + strings.Join(usable, ", ") + " are not asked"}}, findings...)
	case len(usable) > 0:
		return append([]finding{{Part: "engines", OK: true, Says: strings.Join(usable, ", ") + " can be asked; doctor --web tries them"}}, findings...)
	case len(tried) > 0:
	case len(waiting) > 0:
		return append(findings, finding{"engines", false, "None can be asked.", "Set one up: a key for " + waiting[0] + ", or the address of a SearXNG as web.searxng.url."})
	default:
		return append(findings, finding{Part: "engines", OK: true, Says: "none; answers come from your files"})
	}
	return findings
}

func keyAgain(engine string) string { return "Store its key again: footnote keys set " + engine }

// asked asks engines one word, side by side. When the way out is closed to all of
// them, that is one fault and not one of each.
func asked(ctx context.Context, h *House, names []string) []finding {
	findings, offline := make([]finding, len(names)), make([]bool, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() {
			n, err := h.Engines.Test(ctx, name)
			offline[i] = fault.CodeOf(err) == fault.Offline
			findings[i] = reply(name, n, err)
		})
	}
	all.Wait()
	away := 0
	for _, off := range offline {
		if off {
			away++
		}
	}
	if away < 2 || away < len(names) {
		return findings
	}
	return []finding{{"network", false, "No name can be looked up: none of " + strings.Join(names, ", ") + " can be reached.", "Check the network connection; until then, your files are searched."}}
}

func reply(engine string, n int, err error) finding {
	part := "engine " + engine
	var refused *web.Block
	switch {
	case err == nil && n > 0:
		return finding{Part: part, OK: true, Says: fmt.Sprintf("it answers; results: %d", n)}
	case err == nil:
		return finding{part, false, "It answers, but finds nothing for a common word.", "Ask it again in a while, or use another engine."}
	case errors.As(err, &refused) && refused.Why == web.BlockAuth:
		return finding{part, false, fault.Of(err).Message, keyAgain(engine)}
	}
	return faulty(part, err)
}
