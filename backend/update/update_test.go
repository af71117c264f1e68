package update_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"footnote/backend/fault"
	"footnote/backend/minisign/minisigntest"
	"footnote/backend/update"
	"footnote/backend/update/offer/offertest"
)

var noon = time.Date(2026, 12, 2, 12, 0, 0, 0, time.UTC)

// house is a checker over a server of our own.
type house struct {
	*update.Checker
	asked atomic.Int32
	later atomic.Int64 // than noon
	body  []byte
	on    bool
	file  string
}

func newHouse(t *testing.T, running string) *house {
	t.Helper()
	h := &house{body: offertest.Sealed(t, offertest.Told, 1), on: true, file: filepath.Join(t.TempDir(), "cache", "update.json")}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.asked.Add(1)
		if r.URL.RawQuery != "" || r.ContentLength > 0 || len(r.Cookies()) > 0 {
			t.Errorf("the question tells more than it must: %v", r)
		}
		w.Write(h.body)
	}))
	t.Cleanup(server.Close)
	h.Checker = update.New(update.Config{
		Origin: update.Origin{Address: server.URL, Key: minisigntest.Key(t, 1).Public().String()}, Version: running, On: func() bool { return h.on }, Client: http.DefaultClient,
		File: h.file, Now: func() time.Time { return noon.Add(time.Duration(h.later.Load())) }, Log: slog.New(slog.DiscardHandler),
	})
	return h
}

func TestANewerVersionIsToldUntilItRuns(t *testing.T) {
	for running, wanted := range map[string]bool{"0.1.0": true, "0.2.0": false, "0.3.0": false} {
		h := newHouse(t, running)
		if s := h.State(); !s.Possible || s.Newer != nil || !s.Checked.IsZero() {
			t.Errorf("before: %+v", s)
		}
		if _, err := h.Check(context.Background()); err != nil {
			t.Fatal(err)
		}
		s := h.State()
		if (s.Newer != nil) != wanted || !s.Checked.Equal(noon) {
			t.Errorf("%s: %+v", running, s)
		}
	}
}

func TestWhatIsNotSignedIsNotTold(t *testing.T) {
	h := newHouse(t, "0.1.0")
	h.body = offertest.Sealed(t, offertest.Told, 2)
	if _, err := h.Check(context.Background()); fault.CodeOf(err) != fault.NotAcceptable {
		t.Error(err)
	}
	if s := h.State(); s.Newer != nil || s.Checked.IsZero() {
		t.Errorf("%+v", s)
	}
}

func TestNothingIsAskedUnasked(t *testing.T) {
	h := newHouse(t, "0.1.0")
	h.on = false
	ctx, stop := context.WithCancel(context.Background())
	h.Start(ctx)
	time.Sleep(50 * time.Millisecond)
	stop()
	if s := h.State(); h.asked.Load() != 0 || !s.Checked.IsZero() {
		t.Errorf("asked %d times while it is off", h.asked.Load())
	}
}

func TestOnceADayIsEnough(t *testing.T) {
	h := newHouse(t, "0.1.0")
	ctx, stop := context.WithCancel(context.Background())
	h.Start(ctx)
	for range 200 {
		if s := h.State(); !s.Checked.IsZero() {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	stop()
	if n := h.asked.Load(); n != 1 || update.Due(h.Checker) {
		t.Errorf("asked %d times; due again at once: %t", n, update.Due(h.Checker))
	}
	for after, want := range map[time.Duration]bool{23 * time.Hour: false, 25 * time.Hour: true, -48 * time.Hour: true} {
		h.later.Store(int64(after))
		if got := update.Due(h.Checker); got != want {
			t.Errorf("%s later it is due: %t", after, got)
		}
	}
}

func TestAProgramWithoutAnAddressAsksNobody(t *testing.T) {
	c := update.New(update.Config{On: func() bool { return true }, Now: time.Now, File: filepath.Join(t.TempDir(), "u.json"), Log: slog.New(slog.DiscardHandler)})
	c.Start(context.Background())
	if s := c.State(); s.Possible {
		t.Errorf("%+v", s)
	}
	if _, err := c.Check(context.Background()); fault.CodeOf(err) != fault.NotAcceptable || !strings.Contains(err.Error(), "no address") {
		t.Error(err)
	}
}

func TestADamagedFileIsAskedForAgain(t *testing.T) {
	h := newHouse(t, "0.1.0")
	if err := os.MkdirAll(filepath.Dir(h.file), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(h.file, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(h.file, 1<<40); err != nil {
		t.Fatal(err)
	}
	if s := h.State(); s.Newer != nil || !update.Due(h.Checker) {
		t.Errorf("%+v", s)
	}
	if s, err := h.Check(context.Background()); err != nil || s.Newer == nil {
		t.Errorf("%+v, %v", s, err)
	}
}
