package contract

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/plain"
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

// Of is the action for a source.
func (l Lenses) Of(src evidence.Source) string {
	if src.Kind == evidence.File {
		return l.OfPath(src.Address)
	}
	u, err := url.Parse(src.Address)
	if err != nil {
		return ""
	}
	return l.OfHost(u.Hostname())
}
