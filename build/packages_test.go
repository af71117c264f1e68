package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestEachKindOfPackageHasItsPlaces(t *testing.T) {
	r := &release{job: &job{root: ".."}, version: "1.2.3", when: time.Unix(1e9, 0).UTC(), stage: t.TempDir()}
	p := headless("linux", "amd64")
	file := filepath.Join(t.TempDir(), "nfpm.yaml")
	if err := r.fill("nfpm.yaml", file, map[string]any{"Root": "/root", "Apart": r.apart(p), "Arch": p.arch, "Window": false}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{ // zsh of Debian and of Fedora look in different folders
		`_footnote", dst: /usr/share/zsh/vendor-completions/_footnote, packager: deb}`, `_footnote", dst: /usr/share/zsh/site-functions/_footnote, packager: rpm}`,
		`lintian-overrides", dst: /usr/share/lintian/overrides/footnote, packager: deb}`,
	} {
		if !strings.Contains(string(text), `{src: "`+r.apart(p)+"/"+line) {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
}
