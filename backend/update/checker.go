package update

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"footnote/backend/disk"
	"footnote/backend/fault"
	"footnote/backend/minisign"
	"footnote/backend/privacy"
	"footnote/backend/update/offer"
)

const (
	period   = 24 * time.Hour   // between two checks
	look     = time.Hour        // between two looks at the clock and the settings
	patience = 20 * time.Second // for the answer
	most     = 16 << 10         // bytes of the answer
)

// Origin says where new versions are told of and whose signature holds. A release
// stamps it on the program; without it nothing is ever asked.
type Origin struct {
	Address string // https
	Key     string // in the form of minisign
}

// Config makes a Checker. On reports what the settings say now; File keeps what was
// told last. Client is the guarded one.
type Config struct {
	Origin  Origin
	Version string // that runs
	On      func() bool
	Client  *http.Client
	File    string
	Now     func() time.Time
	Log     *slog.Logger
}

// State is how the program stands.
type State struct {
	Possible bool         // this program knows whom to ask
	Newer    *offer.Offer // nil: none is known
	Checked  time.Time    // zero: never
}

// kept is what the file holds.
type kept struct {
	Checked time.Time    `json:"checked"`
	Offer   *offer.Offer `json:"offer,omitempty"`
}

// Checker asks and keeps what was told. Safe for concurrent use.
type Checker struct {
	config Config
	mu     sync.Mutex
	begun  bool
}

// New makes a checker; it asks nothing by itself before Start.
func New(config Config) *Checker { return &Checker{config: config} }

// Start asks once a day, while the settings say so, until ctx ends. A second call
// does nothing.
func (c *Checker) Start(ctx context.Context) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.begun || !c.possible() {
		return
	}
	c.begun = true
	go func() {
		for next := time.NewTimer(0); ; next.Reset(look) {
			select {
			case <-ctx.Done():
				next.Stop()
				return
			case <-next.C:
			}
			if c.due() {
				if _, err := c.Check(ctx); err != nil && ctx.Err() == nil {
					c.config.Log.Info("look for a newer version", "err", err)
				}
			}
		}
	}()
}

func (c *Checker) possible() bool { return c.config.Origin.Address != "" && c.config.Origin.Key != "" }

func (c *Checker) due() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.load()
	since := c.config.Now().Sub(k.Checked)
	return c.config.On() && (since >= period || since < 0)
}

// State tells what is known, without any traffic.
func (c *Checker) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state(c.load())
}

func (c *Checker) state(k kept) State {
	s := State{Possible: c.possible(), Checked: k.Checked}
	if k.Offer != nil && k.Offer.Newer(c.config.Version) {
		s.Newer = k.Offer
	}
	return s
}

// Check asks now. A try that fails counts as one, so that a server that is away is
// asked once a day as well. Faults: not-acceptable where this program knows nobody
// to ask or the answer is not signed, local-only, and what the way out says.
func (c *Checker) Check(ctx context.Context) (State, error) {
	if !c.possible() {
		return State{}, fault.New(fault.NotAcceptable, "This Footnote knows no address that tells of new versions.", "Look where you got it from.")
	}
	told, failed := c.fetch(privacy.WithPurpose(ctx, "update"))
	c.mu.Lock()
	defer c.mu.Unlock()
	k := c.load()
	k.Checked = c.config.Now().UTC()
	if failed == nil {
		k.Offer = &told
	}
	if err := errors.Join(failed, c.save(k)); err != nil {
		return c.state(k), err
	}
	return c.state(k), nil
}

func (c *Checker) fetch(ctx context.Context) (offer.Offer, error) {
	key, err := minisign.ReadPublic([]byte(c.config.Origin.Key))
	if err != nil {
		return offer.Offer{}, fmt.Errorf("read the key of this program: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.config.Origin.Address, nil)
	if err != nil {
		return offer.Offer{}, fmt.Errorf("ask for newer versions: %w", err)
	}
	resp, err := c.config.Client.Do(req)
	if err != nil {
		return offer.Offer{}, unreachable(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return offer.Offer{}, unreachable(fmt.Errorf("the answer is %s", resp.Status))
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, most))
	if err != nil {
		return offer.Offer{}, unreachable(err)
	}
	return offer.Open(body, key)
}

func unreachable(err error) error {
	if fault.CodeOf(err) == fault.LocalOnly {
		return err
	}
	return fault.Wrap(err, fault.Offline, "What tells of new versions could not be asked.", "Try again when the network is there.")
}

// load reads what was kept. What is damaged counts as nothing: it is asked for again.
func (c *Checker) load() (k kept) {
	text, err := disk.ReadRegular(c.config.File, 4*most)
	if errors.Is(err, fs.ErrNotExist) {
		return kept{}
	}
	if err == nil {
		err = json.Unmarshal(text, &k)
	}
	if err != nil {
		c.config.Log.Warn("read what is known of newer versions", "err", err)
		return kept{}
	}
	return k
}

func (c *Checker) save(k kept) error {
	text, err := json.Marshal(k)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.config.File), 0o700); err != nil {
		return fmt.Errorf("keep what is known of newer versions: %w", err)
	}
	if err := os.WriteFile(c.config.File+".new", text, 0o600); err != nil {
		return fmt.Errorf("keep what is known of newer versions: %w", err)
	}
	return os.Rename(c.config.File+".new", c.config.File)
}
