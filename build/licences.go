package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// part is somebody else's work inside the program.
type part struct{ name, dir string }

var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// licences joins the licence texts of everything that a program and its pages are
// built from, each text once under the names it holds for.
func (r *release) licences(ctx context.Context, program string) ([]byte, error) {
	modules, err := r.modules(ctx, program)
	if err != nil {
		return nil, err
	}
	root, err := r.command(ctx, r.root, nil, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find Go: %w", err)
	}
	parts := []part{{"the Go standard library", strings.TrimSpace(string(root))}}
	for _, m := range modules[1:] { // the first is Go itself
		parts = append(parts, part{m.Name + " " + m.Version, r.dirs[m.Name]})
	}
	packages, err := r.npmParts(ctx)
	if err != nil {
		return nil, err
	}
	return joinLicences(append(parts, packages...))
}

// npmParts are the packages that the pages are made from.
func (r *release) npmParts(ctx context.Context) ([]part, error) {
	list, err := r.command(ctx, r.path("frontend"), nil, "npm", "ls", "--all", "--omit=dev", "--parseable", "--long").Output()
	if err != nil {
		return nil, fmt.Errorf("list the front end's packages: %w", err)
	}
	parts := []part{{"svelte", r.path("frontend", filepath.FromSlash(compiledIn))}}
	for line := range strings.Lines(string(list)) {
		// the folder, a colon, name@version; the first line is the project itself
		if dir, name, ok := strings.Cut(strings.TrimSpace(line), ":"); ok && strings.Contains(filepath.ToSlash(dir), "/node_modules/") {
			parts = append(parts, part{strings.Split(name, ":")[0], dir})
		}
	}
	return parts, nil
}

func joinLicences(parts []part) ([]byte, error) {
	names := map[string][]string{}
	var order []string
	for _, p := range parts {
		text, err := licenceOf(p.dir)
		if err != nil {
			return nil, fmt.Errorf("read the licence of %s: %w", p.name, err)
		}
		if text == "" {
			text = "No licence text lies in the package.\n"
		}
		if names[text] == nil {
			order = append(order, text)
		}
		if !slices.Contains(names[text], p.name) {
			names[text] = append(names[text], p.name)
		}
	}
	var out bytes.Buffer
	out.WriteString("Footnote is built from the work of others. Each text below holds for what is named above it.\n")
	for _, text := range order {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s", strings.Repeat("=", 78), strings.Join(names[text], "\n"), text)
	}
	return out.Bytes(), nil
}

// licenceOf joins the licence files of a folder.
func licenceOf(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, e := range entries {
		if e.IsDir() || !licenceFile.MatchString(e.Name()) {
			continue
		}
		body, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return "", err
		}
		text.WriteString(strings.TrimSpace(string(bytes.ToValidUTF8(body, nil))) + "\n")
	}
	return text.String(), nil
}
