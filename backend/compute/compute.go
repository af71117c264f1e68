package compute

import (
	"errors"
	"strings"
	"time"
	"unicode/utf8"
)

// Result of a computation, for people.
type Result struct {
	Input  string   // the question as it was understood
	Steps  []string // what it becomes on the way, without the input and the output
	Output string   // with its unit
	Note   string   // what else is worth knowing: a factor, a part of the sum
	About  bool     // rounded
}

// String is the result with its working, as a sentence without a full stop.
func (r Result) String() string {
	sign := " = "
	if r.About {
		sign = " ≈ "
	}
	said := r.Output
	if r.Input != "" {
		said = strings.Join(append([]string{r.Input}, r.Steps...), " = ") + sign + r.Output
	}
	if r.Note != "" {
		said += " (" + r.Note + ")"
	}
	return said
}

// Refusal says what cannot be computed.
type Refusal struct {
	What  string
	vague bool // the question may mean something else
}

// Error is the refusal for people.
func (r *Refusal) Error() string { return r.What }

func refuse(what string) error { return &Refusal{What: what} }

func doubt(what string) error { return &Refusal{What: what, vague: true} }

const mostRunes = 500

// Ask computes what a question asks for; sum reports whether there is no doubt that
// it is one, be it one that cannot be computed. now is the day that "today" means.
// What it cannot do is a *Refusal that names it.
func Ask(question string, now time.Time) (r Result, sum bool, err error) {
	if utf8.RuneCountInString(question) > mostRunes {
		return Result{}, false, refuse("This is too long to be computed.")
	}
	if r, ok, err := dates(question, now); ok || err != nil {
		return r, ok, err
	}
	said, toks, err := read(question)
	if isBeyond(said) {
		return Result{}, true, refuse("Equations, integrals and derivatives are not computed.")
	}
	if err != nil {
		return Result{}, false, err
	}
	if len(toks) == 0 {
		return Result{}, false, refuse("There is nothing to compute.")
	}
	tree, err := parse(toks)
	if err != nil {
		return Result{}, false, err
	}
	sum = certain(said, tree)
	v, err := tree.eval()
	if err != nil {
		var refusal *Refusal
		vague := errors.As(err, &refusal) && refusal.vague || said.counted && tree.op == "in"
		return Result{}, sum && !vague, err
	}
	return tree.result(v), sum, nil
}
