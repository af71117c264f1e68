package llm

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"testing"
	"testing/synctest"
	"time"

	"footnote/backend/fault"
)

// failing is a model that fails with each error in turn, then answers.
type failing struct {
	errs  []error
	text  string // said before each failure
	tries int
}

func (f *failing) Stream(context.Context, Call) iter.Seq2[Delta, error] {
	return func(yield func(Delta, error) bool) {
		f.tries++
		if f.tries > len(f.errs) {
			yield(Delta{Text: "answer", Finish: Stop}, nil)
			return
		}
		if f.text != "" && !yield(Delta{Text: f.text}, nil) {
			return
		}
		yield(Delta{}, f.errs[f.tries-1])
	}
}

func status(code int, after time.Duration) error {
	return fault.Wrap(&StatusError{Status: code, RetryAfter: after}, fault.ModelRefused, "refused", "wait")
}

func TestRetries(t *testing.T) {
	dropped := fault.Wrap(fmt.Errorf("%w: reset", ErrDropped), fault.ModelUnreachable, "lost", "again")
	spent := fault.Wrap(&StatusError{Status: 429, Spent: true}, fault.ModelQuota, "spent", "pay")
	slow := fault.New(fault.ModelTimeout, "slow", "wait")
	always := func(err error) []error { return []error{err, err, err, err, err} }
	cases := []struct {
		name  string
		errs  []error
		text  string
		tries int
		took  time.Duration
		works bool
	}{
		{"works at once", nil, "", 1, 0, true},
		{"429 with seconds", []error{status(429, 2*time.Second)}, "", 2, 2 * time.Second, true},
		{"429 always", always(status(429, time.Second)), "", 3, 2 * time.Second, false},
		{"429 a day", always(status(429, 24*time.Hour)), "", 1, 0, false},
		{"429 a minute", []error{status(429, time.Minute)}, "", 2, time.Minute, true},
		{"quota spent", always(spent), "", 1, 0, false},
		{"500 always, growing", always(status(500, 0)), "", 3, 3 * time.Second, false},
		{"503 once", []error{status(503, 0)}, "", 2, time.Second, true},
		{"529 once", []error{status(529, 0)}, "", 2, time.Second, true},
		{"dropped once", []error{dropped}, "", 2, dropPause, true},
		{"dropped always: one retry at most", always(dropped), "", 2, dropPause, false},
		{"after text never", always(status(500, 0)), "half", 1, 0, false},
		{"timeout never", always(slow), "", 1, 0, false},
		{"unknown error never", always(errors.New("x")), "", 1, 0, false},
	}
	for _, code := range []int{400, 401, 402, 403, 404, 413, 501} {
		cases = append(cases, struct {
			name  string
			errs  []error
			text  string
			tries int
			took  time.Duration
			works bool
		}{fmt.Sprint(code), always(status(code, time.Second)), "", 1, 0, false})
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				model := &failing{errs: c.errs, text: c.text}
				began := time.Now()
				r, err := Collect(Retry(model, RetryPolicy{}).Stream(t.Context(), Call{}))
				if (err == nil) != c.works || model.tries != c.tries || time.Since(began) != c.took {
					t.Errorf("%v after %d tries and %s", err, model.tries, time.Since(began))
				}
				if c.works && r.Text != "answer" {
					t.Errorf("text %q", r.Text)
				}
			})
		})
	}
}

func TestACancelEndsARetryWaitAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		began := time.Now()
		_, err := Collect(Retry(&failing{errs: []error{status(429, time.Minute)}}, RetryPolicy{}).Stream(ctx, Call{}))
		if !errors.Is(err, context.Canceled) || time.Since(began) != 3*time.Second {
			t.Errorf("%v after %s", err, time.Since(began))
		}
	})
}

func TestRefusesTools(t *testing.T) {
	for text, want := range map[string]bool{
		"m does not support tools":                                 true,
		"tools param requires --jinja flag":                        true,
		"registry.ollama.ai/x does not support tools":              true,
		"Function calling is not enabled: tools are not supported": true,
		"the context is too long":                                  false,
	} {
		err := fault.Wrap(&StatusError{Status: 400, Text: text}, fault.ModelRefused, "m", "h")
		if RefusesTools(err) != want {
			t.Errorf("%q: %v", text, !want)
		}
	}
	if RefusesTools(errors.New("x")) || RefusesTools(nil) {
		t.Error("an error without status refuses tools")
	}
}
