package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/template"
)

// channels fills the files by which package managers and container tools fetch a
// release, from what lies in it and where it will lie. No address is made up: without
// one there are none.
func (r *release) channels(list []artefact) error {
	if r.sign.downloads == "" {
		r.say("left out: files for package managers: FOOTNOTE_DOWNLOADS names no address of this release")
		return nil
	}
	forms, err := filepath.Glob(r.path("build", "packaging", "channels", "*"))
	if err != nil || len(forms) == 0 {
		return fmt.Errorf("no forms of channels in the tree (%v)", err)
	}
	for _, form := range forms {
		if err := r.channel(form, list); err != nil {
			return fmt.Errorf("fill %s: %w", filepath.Base(form), err)
		}
	}
	return nil
}

func (r *release) channel(form string, list []artefact) error {
	name := filepath.Base(form)
	parsed, err := template.New(name).Option("missingkey=error").Funcs(template.FuncMap{
		"url": func(of string) (string, error) {
			name, err := r.named(of, list)
			return strings.TrimSuffix(r.sign.downloads, "/") + "/" + name, err
		},
		"sum": func(of string) (string, error) {
			name, err := r.named(of, list)
			if err != nil {
				return "", err
			}
			sum, _, err := summed(filepath.Join(r.out, name))
			return sum, err
		},
	}).ParseFiles(form)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	values := r.values()
	values["Go"] = strings.TrimPrefix(runtime.Version(), "go")
	if err := parsed.Execute(&text, values); err != nil {
		return err
	}
	if name == "SRCINFO" {
		name = ".SRCINFO" // which a form must not be called: nobody would see it
	}
	return writeFile(filepath.Join(filepath.Dir(r.out), "channels", name), text.Bytes())
}

// named is the file of a release that is meant, whether or not it is signed.
func (r *release) named(of string, list []artefact) (string, error) {
	of = strings.ReplaceAll(of, "VERSION", r.version)
	for _, a := range list {
		if strings.Replace(a.name, "-unsigned", "", 1) == of {
			return a.name, nil
		}
	}
	return "", fmt.Errorf("%s is no file of a release", of)
}

// finish closes a release whose files were made on several machines and lie in its
// folder now: nothing of the list may be missing, and nothing else be there.
func (r *release) finish() ([]artefact, error) {
	list := r.artefacts()
	known := map[string]bool{}
	for _, a := range list {
		known[a.name], known[a.name+".cdx.json"] = true, true
	}
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return nil, err
	}
	var strange []string
	for _, e := range entries {
		if !known[e.Name()] && !beside(e.Name()) {
			strange = append(strange, e.Name())
		}
	}
	if len(strange) > 0 {
		return nil, fmt.Errorf("not of this release: %s", strings.Join(strange, ", "))
	}
	return list, r.complete(list)
}

// beside tells what is written anew for all files together.
func beside(name string) bool {
	return strings.HasPrefix(name, "SHA256SUMS") || name == "update.json"
}
