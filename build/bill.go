package main

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// bill is what a program is made of, in the words of CycloneDX.
type bill []component

type component struct {
	Type     string    `json:"type"`
	Name     string    `json:"name"`
	Version  string    `json:"version,omitempty"`
	PURL     string    `json:"purl,omitempty"`
	Hashes   []digest  `json:"hashes,omitempty"`
	Licences []licence `json:"licenses,omitempty"`
}

type digest struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type licence struct {
	Expression string `json:"expression"`
}

func licensed(expression string) []licence { return []licence{{expression}} }

// bill writes the bill of materials of an artefact beside it, and sees that it
// names the modules that the Go tool reads in the program.
func (r *release) bill(ctx context.Context, a artefact) error {
	program, err := r.compiled(ctx, a.program)
	if err != nil {
		return err
	}
	modules, err := r.modules(ctx, program)
	if err != nil {
		return err
	}
	sum, _, err := summed(filepath.Join(r.out, a.name))
	if err != nil {
		return err
	}
	all := slices.Concat(modules, r.parts)
	for _, c := range all {
		if len(c.Licences) == 0 {
			return fmt.Errorf("%s %s has no licence in the bill of materials", c.Name, c.Version)
		}
	}
	told, err := r.command(ctx, r.root, nil, "go", "version", "-m", program).Output()
	if err != nil {
		return fmt.Errorf("go version -m: %w", err)
	}
	if err := sameModules(all, string(told)); err != nil {
		return err
	}
	body, err := json.MarshalIndent(map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"serialNumber": fmt.Sprintf("urn:uuid:%s-%s-5%s-8%s-%s", sum[:8], sum[8:12], sum[13:16], sum[17:20], sum[20:32]),
		"metadata": map[string]any{
			"timestamp": r.when.Format("2006-01-02T15:04:05Z"),
			"component": component{Type: "application", Name: a.name, Version: r.version, Hashes: []digest{{"SHA-256", sum}}, Licences: licensed("MIT")},
		},
		"components": all,
	}, "", "  ")
	if err != nil {
		return err
	}
	return writeFile(filepath.Join(r.out, a.name+".cdx.json"), append(body, '\n'))
}

// modules are the Go modules that a program was linked from, and Go itself.
func (r *release) modules(ctx context.Context, program string) (bill, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, fmt.Errorf("read what %s was built from: %w", filepath.Base(program), err)
	}
	dirs, err := r.moduleDirs(ctx)
	if err != nil {
		return nil, err
	}
	list := bill{{Type: "library", Name: "std", Version: info.GoVersion, PURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go"), Licences: licensed("BSD-3-Clause")}}
	for _, m := range info.Deps {
		text, err := licenceOf(dirs[m.Path])
		if err != nil {
			return nil, fmt.Errorf("read the licence of %s: %w", m.Path, err)
		}
		c := component{Type: "library", Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + m.Path + "@" + m.Version}
		if words := licenceNames(text); words != "" {
			c.Licences = licensed(words)
		}
		list = append(list, c)
	}
	return list, nil
}

// moduleDirs are the folders of all modules by their paths.
func (r *release) moduleDirs(ctx context.Context) (map[string]string, error) {
	if r.dirs != nil {
		return r.dirs, nil
	}
	out, err := r.command(ctx, r.root, nil, "go", "list", "-m", "-f", "{{.Path}}\t{{.Dir}}", "all").Output()
	if err != nil {
		return nil, fmt.Errorf("list the modules: %w", err)
	}
	r.dirs = map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, dir, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if strings.HasPrefix(dir, r.path("backend")) {
			dir = r.root // what stands in for a library is Footnote's own
		}
		r.dirs[path] = dir
	}
	return r.dirs, nil
}

// sameModules compares a bill with what  go version -m  prints.
func sameModules(list bill, told string) error {
	want := map[string]bool{}
	for line := range strings.Lines(told) {
		if f := strings.Fields(line); len(f) >= 3 && f[0] == "dep" {
			want[f[1]+" "+f[2]] = true
		}
	}
	for _, c := range list {
		if path, ok := strings.CutPrefix(c.PURL, "pkg:golang/"); ok && c.Name != "std" {
			path, version, _ := strings.Cut(path, "@")
			if !want[path+" "+version] {
				return fmt.Errorf("the bill of materials names %s %s, which is not in the program", path, version)
			}
			delete(want, path+" "+version)
		}
	}
	for left := range want {
		return fmt.Errorf("the bill of materials lacks %s", left)
	}
	return nil
}

// ingredients are what every program holds besides Go modules.
func (r *release) ingredients() (bill, error) {
	list, err := npmBill(r.path("frontend", "package-lock.json"))
	if err != nil {
		return nil, err
	}
	list = append(list,
		component{Type: "library", Name: "PDFium", Version: pdfiumPackage, Hashes: []digest{{"SHA-256", pdfiumDigest}}, Licences: licensed("Apache-2.0 AND BSD-3-Clause")},
		component{Type: "data", Name: "Liberation Sans", Licences: licensed("OFL-1.1")},
		component{Type: "data", Name: "Foxit fonts", Licences: licensed("BSD-3-Clause")},
		component{Type: "data", Name: "KaTeX fonts", Licences: licensed("OFL-1.1")},
	)
	weights, err := filepath.Glob(r.path("backend", "embed", "weights", "*.fnw"))
	if err != nil || len(weights) == 0 {
		return nil, fmt.Errorf("no weights in the tree (%v)", err)
	}
	for _, file := range weights {
		sum, _, err := summed(file)
		if err != nil {
			return nil, err
		}
		words, known := weightLicences[filepath.Base(file)]
		if !known {
			return nil, fmt.Errorf("%s has no licence in the bill of materials", filepath.Base(file))
		}
		list = append(list, component{Type: "machine-learning-model", Name: filepath.Base(file), Hashes: []digest{{"SHA-256", sum}}, Licences: licensed(words)})
	}
	return list, nil
}

// weightLicences are those that backend/embed/weights/NOTICE tells of.
var weightLicences = map[string]string{"static-256.fnw": "Apache-2.0", "minilm-l6-int8.fnw": "Apache-2.0", "cross-l12-int8.fnw": "Apache-2.0", "e5-small-q4.fnw": "MIT", "joint-e5-int8.fnw": "MIT"}
