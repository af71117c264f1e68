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

// licences joins the licence texts of everything that the program and its pages
// are built from, each text once under the names it holds for.
func (r *release) licences(ctx context.Context) ([]byte, error) {
	modules, err := r.goParts(ctx)
	if err != nil {
		return nil, err
	}
	packages, err := r.npmParts(ctx)
	if err != nil {
		return nil, err
	}
	return joinLicences(append(modules, packages...))
}

// goParts are the modules that a package of the window links, and the standard
// library.
func (r *release) goParts(ctx context.Context) ([]part, error) {
	tags := strings.Trim("desktop,production,webkit2_41,"+r.tags, ",")
	list, err := r.command(ctx, r.root, []string{"CGO_ENABLED=1"}, "go", "list", "-deps", "-tags", tags, "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}{{end}}{{end}}", ".").Output()
	if err != nil {
		return nil, fmt.Errorf("list the modules: %w", err)
	}
	root, err := r.command(ctx, r.root, nil, "go", "env", "GOROOT").Output()
	if err != nil {
		return nil, fmt.Errorf("find Go: %w", err)
	}
	parts := []part{{"the Go standard library", strings.TrimSpace(string(root))}}
	for line := range strings.Lines(string(list)) {
		if name, dir, ok := strings.Cut(strings.TrimSpace(line), "\t"); ok {
			parts = append(parts, part{name, dir})
		}
	}
	return parts, nil
}

// npmParts are the packages that the pages are made from.
func (r *release) npmParts(ctx context.Context) ([]part, error) {
	list, err := r.command(ctx, r.path("frontend"), nil, "npm", "ls", "--all", "--omit=dev", "--parseable", "--long").Output()
	if err != nil {
		return nil, fmt.Errorf("list the front end's packages: %w", err)
	}
	var parts []part
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
