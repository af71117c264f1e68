package main

import (
	"bytes"
	"context"
	"encoding/json"
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
	packages, err := npmPackages(r.path("frontend", "package-lock.json"))
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		parts = append(parts, part{p.label(), p.dir})
	}
	own, err := os.ReadFile(r.path("LICENSE"))
	if err != nil {
		return nil, err
	}
	return joinLicences(parts, string(own))
}

// joinLicences writes the texts of parts. Of a package that only says to be under the
// MIT licence, whose terms want its text beside the program, it is that text, which
// own has, with the package's authors.
func joinLicences(parts []part, own string) ([]byte, error) {
	names := map[string][]string{}
	var order []string
	for _, p := range parts {
		text, err := licenceOf(p.dir)
		if err != nil {
			return nil, fmt.Errorf("read the licence of %s: %w", p.name, err)
		}
		if text == "" {
			if text, err = statedLicence(p.dir, own); err != nil {
				return nil, fmt.Errorf("%s has no licence text: %w", p.name, err)
			}
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

// statedLicence is the licence that a package of npm says to be under.
func statedLicence(dir, own string) (string, error) {
	body, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return "", err
	}
	var says struct {
		Name, License string
		Author        json.RawMessage // a text, or an object
	}
	if err := json.Unmarshal(body, &says); err != nil {
		return "", fmt.Errorf("read package.json: %w", err)
	}
	at := strings.Index(own, permission)
	if says.License != "MIT" || at < 0 {
		return "", fmt.Errorf("it says to be under %q", says.License)
	}
	var author string
	var person struct{ Name string }
	if json.Unmarshal(says.Author, &author) != nil && json.Unmarshal(says.Author, &person) == nil {
		author = person.Name
	}
	return fmt.Sprintf("The MIT License\n\nCopyright (c) %s\n\n%s", orElse(author, "the authors of "+says.Name), own[at:]), nil
}

// permission begins the terms of the MIT licence.
const permission = "Permission is hereby granted"
