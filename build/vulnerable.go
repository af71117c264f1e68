package main

import (
	"context"
	"slices"
)

// govulncheck names the known vulnerabilities that code of ours reaches.
const govulncheck = "golang.org/x/vuln/cmd/govulncheck@v1.1.4"

// vulnerable refuses a signed release that reaches a known vulnerability, or of which
// that cannot be told. The list of them lies on the network, so what nobody signs is
// made without it, which is said.
func (r *release) vulnerable(ctx context.Context) error {
	if !slices.ContainsFunc(systems, r.sign.covers) {
		r.say("left out: known vulnerabilities, which only a signed release must be free of")
		return nil
	}
	r.say("looking for known vulnerabilities")
	return r.quiet(ctx, r.root, staticEnv, "go", "run", govulncheck, "-tags", r.tags, ".")
}
