// Package browser draws pages whose text only scripts make, with the browser
// that is installed on this computer, when the reader allows it.
//
// The browser has no network of its own: names lead nowhere for it, and its
// proxy is none. Every request that a page makes is paused (requests.go), made
// by Footnote's guarded client, and answered with what that brought. So the
// rules for addresses, ports and sizes hold for it as for everything else. Each
// page gets a new profile, without cookies, that is removed afterwards.
package browser

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"footnote/backend/answer/gather"
)

const (
	drawLimit   = 15 * time.Second       // for one page, the browser's start included
	lookEvery   = 200 * time.Millisecond // at a page that is being drawn
	quietLooks  = 3                      // without a change, until a page counts as drawn
	emptyLooks  = 20                     // of a page that stays empty
	enoughRunes = 200
	mostRunes   = 10 << 20
)

// Options make a Browser. Client is a web.NewClient; Dir holds the profiles.
type Options struct {
	Client *http.Client
	Dir    string

	unsandboxed bool // tests as root, where the browser's sandbox does not start
}

// Browser draws one page at a time. It implements web.Renderer and is safe for
// concurrent use.
type Browser struct {
	opt  Options
	turn chan struct{}
}

// New makes a browser; nothing is started before a page is to be drawn.
func New(opt Options) *Browser { return &Browser{opt, make(chan struct{}, 1)} }

// programs are the names and places of browsers that can be used.
var programs = []string{
	"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge", "microsoft-edge-stable", "brave-browser",
	"/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium",
	"/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge", "/Applications/Brave Browser.app/Contents/MacOS/Brave Browser",
	`C:\Program Files\Google\Chrome\Application\chrome.exe`, `C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
	`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`, `C:\Program Files\Microsoft\Edge\Application\msedge.exe`,
}

// Installed finds the browser of this computer; empty without one that can be
// used.
func Installed() string {
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Render draws a page and gives its markup as it stands then, and the address it
// ended at. Errors are *answer.UnreadError or those of ctx.
func (b *Browser) Render(ctx context.Context, u *url.URL) (markup string, at *url.URL, err error) {
	program := Installed()
	if program == "" {
		return "", nil, &gather.UnreadError{Code: "empty", Reason: "The page is drawn by scripts, and no browser that Footnote can use is installed."}
	}
	select {
	case b.turn <- struct{}{}:
		defer func() { <-b.turn }()
	case <-ctx.Done():
		return "", nil, ctx.Err()
	}
	profile, err := b.profile()
	if err != nil {
		return "", nil, err
	}
	defer os.RemoveAll(profile)
	limited, cancel := context.WithTimeout(ctx, drawLimit)
	defer cancel()
	markup, at, err = b.draw(limited, program, profile, u)
	switch {
	case err == nil:
		return markup, at, nil
	case ctx.Err() != nil:
		return "", nil, ctx.Err()
	case errors.Is(err, context.DeadlineExceeded):
		return "", nil, &gather.UnreadError{Code: "timeout", Reason: "The browser did not draw the page in time.", Cause: err}
	}
	return "", nil, &gather.UnreadError{Code: "empty", Reason: "The page is drawn by scripts, and the browser could not draw it.", Cause: err}
}

func (b *Browser) profile() (string, error) {
	if err := os.MkdirAll(b.opt.Dir, 0o700); err != nil {
		return "", fmt.Errorf("make folder of browser profiles: %w", err)
	}
	dir, err := os.MkdirTemp(b.opt.Dir, "page-")
	if err != nil {
		return "", fmt.Errorf("make browser profile: %w", err)
	}
	return dir, nil
}

// flags leave the browser alone with what it is given.
func (b *Browser) flags(program, profile string) []chromedp.ExecAllocatorOption {
	flags := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(program), chromedp.UserDataDir(profile),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND"), chromedp.Flag("proxy-server", "socks5://0.0.0.0:1"), chromedp.Flag("proxy-bypass-list", "<-loopback>"),
		chromedp.Flag("webrtc-ip-handling-policy", "disable_non_proxied_udp"), chromedp.Flag("force-webrtc-ip-handling-policy", true),
		chromedp.Flag("disable-popup-blocking", false), chromedp.Flag("disable-component-update", true), chromedp.Flag("no-pings", true),
		chromedp.Flag("disable-gpu", true), chromedp.Flag("mute-audio", true), chromedp.Flag("deny-permission-prompts", true),
	)
	if b.opt.unsandboxed {
		flags = append(flags, chromedp.NoSandbox)
	}
	return flags
}

// silent keeps dialogs from stopping a page.
const silent = `window.alert = window.confirm = window.prompt = window.print = () => undefined;`

func (b *Browser) draw(ctx context.Context, program, profile string, u *url.URL) (string, *url.URL, error) {
	ctx, closeBrowser := chromedp.NewExecAllocator(ctx, b.flags(program, profile)...)
	defer closeBrowser()
	g := newGate(b.opt.Client)
	defer g.work.Wait()
	tab, closeTab := chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
	defer closeTab()
	paused := chromedp.Events(tab, fetch.RequestPaused)
	g.work.Go(func() { g.serve(tab, paused) })
	if _, err := chromedp.Run(tab, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) { return start(ctx, t, u) }); err != nil {
		return "", nil, err
	}
	if err := settle(tab, g); err != nil {
		return "", nil, err
	}
	markup, err := chromedp.Run(tab, chromedp.Evaluate[string](fmt.Sprintf("document.documentElement.outerHTML.slice(0, %d)", mostRunes)))
	if err != nil {
		return "", nil, fmt.Errorf("read drawn page: %w", err)
	}
	where, err := chromedp.Run(tab, chromedp.Evaluate[string]("location.href"))
	if err != nil {
		return "", nil, fmt.Errorf("read address of drawn page: %w", err)
	}
	at, err := url.Parse(where)
	if err != nil || at.Scheme != "http" && at.Scheme != "https" {
		at = u
	}
	return markup, at, nil
}

func start(ctx context.Context, t *chromedp.Target, u *url.URL) (chromedp.Void, error) {
	var none chromedp.Void
	if _, err := cdp.Call(ctx, t, fetch.Enable, fetch.EnableParams{}); err != nil {
		return none, fmt.Errorf("pause requests of the browser: %w", err)
	}
	if _, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: silent}); err != nil {
		return none, fmt.Errorf("silence dialogs: %w", err)
	}
	result, err := cdp.Call(ctx, t, page.Navigate, page.NavigateParams{URL: u.String()})
	if err != nil {
		return none, fmt.Errorf("open page in the browser: %w", err)
	}
	if result.ErrorText != "" {
		return none, errors.New("open page in the browser: " + result.ErrorText)
	}
	return none, nil
}

// settle waits until a page is drawn: it is loaded, asks for nothing, and its
// text has stayed the same for some looks.
func settle(tab context.Context, g *gate) error {
	const look = `document.readyState === "complete" && document.body ? document.body.innerText.length : -1`
	last, same := -2, 0
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	for {
		select {
		case <-tab.Done():
			return tab.Err()
		case <-tick.C:
		}
		n, err := chromedp.Run(tab, chromedp.Evaluate[int](look))
		if err != nil {
			return fmt.Errorf("look at drawn page: %w", err)
		}
		if same++; n != last || g.busy() || n < 0 {
			same = 0
		}
		last = n
		if same >= quietLooks && n >= enoughRunes || same >= emptyLooks {
			return nil
		}
	}
}
