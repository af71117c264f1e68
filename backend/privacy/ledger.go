package privacy

import (
	"cmp"
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"footnote/backend/evidence"
)

type meterKey struct{}
type purposeKey struct{}
type localOnlyKey struct{}

// LedgerEntry says what went to and came from one host for one purpose. Sent are
// the passages whose text went there: those that an answer is written from, and
// every one of a file of which a request carried words.
type LedgerEntry struct {
	Host     string               `json:"host"`
	Purpose  string               `json:"purpose"`
	BytesOut int64                `json:"bytes_out"`
	BytesIn  int64                `json:"bytes_in"`
	Requests int                  `json:"requests"`
	Sent     []evidence.PassageID `json:"sent"`
}

// Meter adds up what a run sent and received, by host and purpose, and how long
// it waited for others. The zero value is not usable; WithMeter makes one.
type Meter struct {
	mu      sync.Mutex
	entries map[[2]string]*LedgerEntry
	open    int       // exchanges in progress
	since   time.Time // when the first of them began
	waited  time.Duration
	quiet   func() // nil, or called when none is in progress any more
}

// WithMeter gives the context a fresh meter.
func WithMeter(ctx context.Context) (context.Context, *Meter) {
	m := &Meter{entries: map[[2]string]*LedgerEntry{}}
	return context.WithValue(ctx, meterKey{}, m), m
}

// WithPurpose names what the requests made under ctx are for: "search",
// "page", "robots", "chat", "rewrite" …
func WithPurpose(ctx context.Context, purpose string) context.Context {
	return context.WithValue(ctx, purposeKey{}, purpose)
}

// WithLocalOnly forbids every connection beyond loopback under ctx, whatever
// the settings say.
func WithLocalOnly(ctx context.Context) context.Context {
	return context.WithValue(ctx, localOnlyKey{}, true)
}

// LocalOnly reports whether ctx forbids connections beyond loopback.
func LocalOnly(ctx context.Context) bool {
	on, _ := ctx.Value(localOnlyKey{}).(bool)
	return on
}

// Entries lists what was counted so far, by host and purpose.
func (m *Meter) Entries() []LedgerEntry {
	m.mu.Lock()
	defer m.mu.Unlock()
	out := make([]LedgerEntry, 0, len(m.entries))
	for _, e := range m.entries {
		entry := *e
		entry.Sent = slices.Clone(e.Sent)
		out = append(out, entry)
	}
	slices.SortFunc(out, func(a, b LedgerEntry) int {
		return strings.Compare(a.Host+"\x00"+a.Purpose, b.Host+"\x00"+b.Purpose)
	})
	return out
}

// Waited is how long at least one exchange was open: the time of a run that
// models, engines and pages took. What is left of its latency is Footnote's own.
func (m *Meter) Waited() time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.open > 0 {
		return m.waited + time.Since(m.since)
	}
	return m.waited
}

// begin opens an exchange; the returned function ends it and may be called again.
func (m *Meter) begin() (end func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.open++; m.open == 1 {
		m.since = time.Now()
	}
	return sync.OnceFunc(func() {
		if m.ended() && m.quiet != nil {
			m.quiet()
		}
	})
}

// ended counts an exchange out, and tells whether it was the last in progress.
func (m *Meter) ended() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.open--; m.open == 0 {
		m.waited += time.Since(m.since)
	}
	return m.open == 0
}

// opens tells whether there is no account yet of a host and purpose, and makes it.
func (m *Meter) opens(host, purpose string) bool {
	m.mu.Lock()
	before := m.entries[[2]string{host, purpose}]
	m.mu.Unlock()
	m.account(host, purpose)
	return before == nil
}

// Take adds what was sent and received before.
func (m *Meter) Take(entries []LedgerEntry) {
	for _, e := range entries {
		a := m.account(e.Host, e.Purpose)
		a.add(int(e.BytesOut), int(e.BytesIn), e.Requests)
		a.sends(e.Sent)
	}
}

// account is where the bytes of one host and purpose are added up.
type account struct {
	meter *Meter
	entry *LedgerEntry
}

func (m *Meter) account(host, purpose string) *account {
	m.mu.Lock()
	defer m.mu.Unlock()
	key := [2]string{host, purpose}
	e := m.entries[key]
	if e == nil {
		e = &LedgerEntry{Host: host, Purpose: purpose, Sent: []evidence.PassageID{}}
		m.entries[key] = e
	}
	return &account{m, e}
}

func (a *account) add(out, in, requests int) {
	a.meter.mu.Lock()
	defer a.meter.mu.Unlock()
	a.entry.BytesOut += int64(out)
	a.entry.BytesIn += int64(in)
	a.entry.Requests += requests
}

// sends notes passages whose text goes out.
func (a *account) sends(passages []evidence.PassageID) {
	a.meter.mu.Lock()
	defer a.meter.mu.Unlock()
	for _, id := range passages {
		if !slices.Contains(a.entry.Sent, id) {
			a.entry.Sent = append(a.entry.Sent, id)
		}
	}
}

// Metered puts every exchange on the account of its host and purpose in the
// meter of the request's context. What it takes on the wire is counted by the
// connections of MeteredDial, which next must use. A context without a meter is
// passed through.
func Metered(next http.RoundTripper) http.RoundTripper { return metered{next} }

type metered struct{ next http.RoundTripper }

// CloseIdleConnections drops the idle connections of the transport below.
func (t metered) CloseIdleConnections() {
	if c, ok := t.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// RoundTrip sends the request and names who pays for the bytes of its connection.
func (t metered) RoundTrip(req *http.Request) (*http.Response, error) {
	m, _ := req.Context().Value(meterKey{}).(*Meter)
	if m == nil {
		return t.next.RoundTrip(paidBy(req, nil, &holder{}))
	}
	purpose, _ := req.Context().Value(purposeKey{}).(string)
	a := m.account(req.URL.Host, cmp.Or(purpose, "other"))
	a.add(0, 0, 1)
	a.sends(carriedBy(req.Context()))
	end := m.begin()
	h := &holder{}
	resp, err := t.next.RoundTrip(paidBy(req, a, h))
	if err != nil {
		end()
		return nil, err
	}
	body := &endedBody{ReadCloser: resp.Body, end: end, cut: func() { h.cut(resp) }}
	body.whole.Store(req.Method == http.MethodHead || resp.ContentLength == 0)
	resp.Body = body
	return resp, nil
}

// endedBody calls end when nothing more comes, after cut where more would have.
type endedBody struct {
	io.ReadCloser
	end, cut func()
	whole    atomic.Bool
}

func (b *endedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	switch {
	case err == io.EOF:
		b.whole.Store(true)
		b.end()
	case err != nil:
		b.cut()
		b.end()
	}
	return n, err
}

func (b *endedBody) Close() error {
	if !b.whole.Swap(true) {
		b.cut()
	}
	b.end()
	return b.ReadCloser.Close()
}
