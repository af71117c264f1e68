package answer

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/plain"
	"footnote/backend/rank"
)

// Actions of a lens.
const (
	Boost = "boost"
	Lower = "lower"
	Block = "block"
)

const mostLenses = 2000

// Lens is the reader's standing wish about a domain or folder: it comes first,
// last or never. Pattern is a domain, which means its subdomains too, or an
// absolute path, which means all below it.
type Lens struct {
	Pattern string `json:"pattern"`
	Action  string `json:"action"` // boost, lower, block
	Note    string `json:"note"`
}

// Lenses are the reader's wishes; the longest pattern that fits decides.
type Lenses []Lens

// Checked brings patterns into one form and refuses what is none. A pattern that
// comes twice keeps its last action. The fault is invalid-request.
func (l Lenses) Checked() (Lenses, error) {
	if len(l) > mostLenses {
		return nil, fault.New(fault.InvalidRequest, fmt.Sprintf("There are %d lenses; %d are allowed.", len(l), mostLenses), "Remove some.")
	}
	out, at := Lenses{}, map[string]int{}
	for _, lens := range l {
		pattern := canonicalPattern(lens.Pattern)
		if pattern == "" || lens.Action != Boost && lens.Action != Lower && lens.Action != Block {
			return nil, fault.New(fault.InvalidRequest, "“"+plain.OneLine(lens.Pattern, 80)+"” with “"+plain.OneLine(lens.Action, 20)+"” is no lens.",
				"Name a domain or an absolute folder, and boost, lower or block.")
		}
		lens.Pattern, lens.Note = pattern, plain.OneLine(lens.Note, 200)
		if i, twice := at[pattern]; twice {
			out[i] = lens
			continue
		}
		at[pattern] = len(out)
		out = append(out, lens)
	}
	return out, nil
}

// canonicalPattern is a domain in lower case or a clean absolute path; empty when
// the pattern is neither.
func canonicalPattern(s string) string {
	s = strings.TrimSpace(s)
	if filepath.IsAbs(s) {
		return filepath.Clean(s)
	}
	if u, err := url.Parse(s); err == nil && u.Host != "" {
		s = u.Hostname()
	}
	s = strings.TrimSuffix(strings.TrimPrefix(strings.ToLower(s), "www."), ".")
	if s == "" || strings.ContainsAny(s, "/\\:@?# \t\n*") || strings.HasPrefix(s, ".") {
		return ""
	}
	return s
}

// OfHost is the action for a host, empty when no lens is about it.
func (l Lenses) OfHost(host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	return l.longest(func(pattern string) bool {
		return host == pattern || strings.HasSuffix(host, "."+pattern)
	})
}

// OfPath is the action for a file, empty when no lens is about it.
func (l Lenses) OfPath(path string) string {
	return l.longest(func(pattern string) bool {
		return path == pattern || strings.HasPrefix(path, strings.TrimSuffix(pattern, string(filepath.Separator))+string(filepath.Separator))
	})
}

func (l Lenses) longest(fits func(string) bool) (action string) {
	length := -1
	for _, lens := range l {
		if len(lens.Pattern) > length && fits(lens.Pattern) {
			action, length = lens.Action, len(lens.Pattern)
		}
	}
	return action
}

// of is the action for a source.
func (l Lenses) of(src evidence.Source) string {
	if src.Kind == evidence.File {
		return l.OfPath(src.Address)
	}
	u, err := url.Parse(src.Address)
	if err != nil {
		return ""
	}
	return l.OfHost(u.Hostname())
}

// takeLenses reads the wishes that hold for this run.
func (p *Pipeline) takeLenses(ctx context.Context) {
	if p.engine.Preferences == nil {
		return
	}
	var err error
	if p.Task.Lenses, err = p.engine.Preferences.Lenses(ctx); err != nil {
		p.Tell.Log.Warn("read lenses", "err", err)
	}
}

// Unblocked leaves out leads to blocked places.
func (t *Task) Unblocked(leads []evidence.Lead) []evidence.Lead {
	return slices.DeleteFunc(leads, func(l evidence.Lead) bool { return t.Lenses.of(l.Source) == Block })
}

// focusPool drops candidates of blocked places and gives those of boosted ones
// all the authority there is, and those of lowered ones none.
func (t *Task) focusPool(pool []rank.Candidate) []rank.Candidate {
	if len(t.Lenses) == 0 {
		return pool
	}
	kept := pool[:0]
	for _, c := range pool {
		switch t.Lenses.of(c.Source) {
		case Block:
			continue
		case Boost:
			c.AuthorityBonus++
		case Lower:
			c.AuthorityBonus--
		}
		kept = append(kept, c)
	}
	return kept
}

// lensReason says on a card that the reader had a hand in its rank.
func (t *Task) lensReason(src evidence.Source) string {
	switch t.Lenses.of(src) {
	case Boost:
		return "You put this place first."
	case Lower:
		return "You put this place last."
	}
	return ""
}
