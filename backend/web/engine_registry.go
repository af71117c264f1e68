package web

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"footnote/backend/answer"
	"footnote/backend/answer/gather"
	"footnote/backend/fault"
	"footnote/backend/privacy"
	"footnote/backend/settings"
)

// Line is one engine in the table of engines. Address gives the engine's own
// address as the settings have it now, Key the key; nil means it takes none.
// Make builds the engine for an address.
type Line struct {
	Name     string
	Kinds    []string
	NeedsKey bool // does not serve without one
	Keyless  bool // serves without anything configured
	Consent  bool // keyless only for a reader who agreed to the company
	Pace     time.Duration
	Address  func() string
	Key      func() string
	At       func() string // where it is asked, by a client of its own
	Idle     string        // path of a page there that costs little; empty means /
	Make     func(address string) gather.Finder
}

func (l Line) address() string {
	if l.Address == nil {
		return ""
	}
	return l.Address()
}

func (l Line) hasKey() bool { return l.Key != nil && l.Key() != "" }

// Standing is how an engine stands, for the reader of the settings.
type Standing struct {
	Name           string     `json:"name"`
	Kinds          []string   `json:"kinds"`
	NeedsKey       bool       `json:"needs_key"`
	Enabled        bool       `json:"enabled"`
	Consent        bool       `json:"consent"`
	State          string     `json:"state"` // ready, suspended, no-address, no-key, no-consent, off
	SuspendedUntil *time.Time `json:"suspended_until"`
	Reason         string     `json:"reason"`
}

// EngineRegistry keeps the engines at hand: each is made once for its address, with its
// decorators, and made anew when the address changes. Safe for concurrent use.
type EngineRegistry struct {
	lines    []Line
	settings func() settings.Settings
	wrap     func(Line, gather.Finder) *Breaker
	now      func() time.Time

	mu   sync.Mutex
	made map[string]seat
}

type seat struct {
	address string
	engine  *Breaker
}

// NewEngineRegistry makes a registry over a table; wrap puts the decorators before an engine.
func NewEngineRegistry(lines []Line, set func() settings.Settings, wrap func(Line, gather.Finder) *Breaker, now func() time.Time) *EngineRegistry {
	return &EngineRegistry{lines: lines, settings: set, wrap: wrap, now: now, made: map[string]seat{}}
}

// Engines lists the engines that have what they need, for NewSearcher.
func (r *EngineRegistry) Engines() []Engine {
	var out []Engine
	for _, line := range r.lines {
		if state, _ := r.lacks(line); state == "" {
			out = append(out, Engine{Name: line.Name, Keyless: line.Keyless && !line.hasKey(), Finder: r.engine(line)})
		}
	}
	return out
}

// General lists the usable engines for everything, in the settings' order.
func (r *EngineRegistry) General() []Engine {
	usable := r.Engines()
	var out []Engine
	for _, name := range r.settings().Web.Engines {
		i := slices.IndexFunc(usable, func(e Engine) bool { return e.Name == name })
		j := slices.IndexFunc(r.lines, func(l Line) bool { return l.Name == name })
		if i >= 0 && j >= 0 && slices.Contains(r.lines[j].Kinds, "general") {
			out = append(out, usable[i])
		}
	}
	return out
}

// lacks says what an engine is missing; an empty state means nothing.
func (r *EngineRegistry) lacks(line Line) (state, reason string) {
	switch {
	case line.Address != nil && line.address() == "":
		return "no-address", "No address is set."
	case line.NeedsKey && !line.hasKey():
		return "no-key", "No key is set."
	case line.Consent && !line.hasKey() && !slices.Contains(r.settings().Web.Consent, line.Name):
		return "no-consent", "You have not agreed to send questions to this company."
	}
	return "", ""
}

func (r *EngineRegistry) engine(line Line) *Breaker {
	address := line.address()
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.made[line.Name]; ok && s.address == address {
		return s.engine
	}
	s := seat{address, r.wrap(line, line.Make(address))}
	r.made[line.Name] = s
	return s.engine
}

// Standings tells how every engine of the table stands. Nothing is sent.
func (r *EngineRegistry) Standings(ctx context.Context) []Standing {
	set := r.settings().Web
	listed := slices.Concat(set.Engines, set.Academic.Engines, set.Community.Engines, set.Video.Engines)
	out := make([]Standing, 0, len(r.lines))
	for _, line := range r.lines {
		s := Standing{
			Name: line.Name, Kinds: line.Kinds, NeedsKey: line.NeedsKey, Enabled: set.Enabled && slices.Contains(listed, line.Name),
			Consent: !line.Consent || line.hasKey() || slices.Contains(set.Consent, line.Name), State: "ready",
		}
		if state, reason := r.lacks(line); state != "" {
			s.State, s.Reason = state, reason
		} else if !s.Enabled {
			s.State, s.Reason = "off", "Switched off in the settings."
		} else {
			r.standing(ctx, line, &s)
		}
		out = append(out, s)
	}
	return out
}

// Chosen lists pages of the engines that the next question would go to, as far
// as the reader gave them an address or a key. Nothing is sent.
func (r *EngineRegistry) Chosen(ctx context.Context) []string {
	var out []string
	set := r.settings().Web
	for _, name := range set.Engines[:min(len(set.Engines), max(set.Parallel, 1))] {
		i := slices.IndexFunc(r.lines, func(l Line) bool { return l.Name == name })
		if i < 0 || r.lines[i].At == nil || !r.lines[i].hasKey() && r.lines[i].address() == "" {
			continue
		}
		s := Standing{State: "ready"}
		if lacks, _ := r.lacks(r.lines[i]); lacks != "" {
			continue
		}
		if r.standing(ctx, r.lines[i], &s); s.State == "ready" {
			out = append(out, strings.TrimSuffix(r.lines[i].At(), "/")+cmp.Or(r.lines[i].Idle, "/"))
		}
	}
	return out
}

// standing adds what the breaker of an engine knows.
func (r *EngineRegistry) standing(ctx context.Context, line Line, s *Standing) {
	known := r.engine(line).State(ctx)
	switch {
	case known.Off:
		s.State, s.Reason = "off", known.Reason
	case known.Until.After(r.now()):
		until := known.Until.UTC()
		s.State, s.SuspendedUntil, s.Reason = "suspended", &until, known.Reason
	}
}

// Here reports whether an engine is on this computer: asking it causes no traffic.
func (r *EngineRegistry) Here(name string) bool {
	return slices.ContainsFunc(r.lines, func(l Line) bool {
		if l.Name != name || l.At == nil {
			return false
		}
		u, err := url.Parse(l.At())
		return err == nil && onLoopback(u)
	})
}

// Test asks one engine a harmless question, past its breaker's rest only when it
// is not resting, and tells how many results came. A SearXNG is examined, so
// that the fault is named. An unknown or unset engine is a fault not-found.
func (r *EngineRegistry) Test(ctx context.Context, name string) (int, error) {
	for _, line := range r.lines {
		if line.Name != name {
			continue
		}
		if state, reason := r.lacks(line); state != "" {
			return 0, fault.New(fault.SearchFailed, line.Name+" cannot be asked: "+strings.ToLower(reason[:1])+reason[1:], "Change that in the settings.")
		}
		timed, cancel := context.WithTimeout(answer.WithFresh(privacy.WithPurpose(ctx, "test")), time.Duration(r.settings().Web.TimeoutMs)*time.Millisecond)
		defer cancel()
		if doctor, ok := line.Make(line.address()).(interface{ Doctor(context.Context) error }); ok {
			if err := doctor.Doctor(timed); err != nil {
				return 0, err
			}
		}
		leads, err := r.engine(line).Find(timed, gather.WebQuery{Text: "lighthouse", N: 10})
		return len(leads), err
	}
	return 0, fault.New(fault.NotFound, "There is no engine of this name.", "See the list of engines.")
}
