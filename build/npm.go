package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// npmPackage is a package that the pages are made from.
type npmPackage struct{ name, version, licence, dir string }

// npmPackages are those of a lock file, whose folders lie beside it. What npm installs
// for one system only is for tests, and in no page.
func npmPackages(lock string) ([]npmPackage, error) {
	text, err := os.ReadFile(lock)
	if err != nil {
		return nil, err
	}
	var file struct {
		Packages map[string]struct {
			Version, License string
			Dev, Optional    bool
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Base(lock), err)
	}
	var list []npmPackage
	for path, p := range file.Packages {
		i := strings.LastIndex(path, "node_modules/")
		if i < 0 || p.Optional || p.Dev && path != compiledIn {
			continue
		}
		found := npmPackage{path[i+len("node_modules/"):], p.Version, p.License, filepath.Join(filepath.Dir(lock), filepath.FromSlash(path))}
		if found.licence == "" {
			text, err := licenceOf(found.dir)
			if err != nil {
				return nil, fmt.Errorf("read the licence of %s: %w", found.name, err)
			}
			found.licence = licenceNames(text)
		}
		list = append(list, found)
	}
	slices.SortFunc(list, func(a, b npmPackage) int { return strings.Compare(a.label()+a.dir, b.label()+b.dir) })
	return slices.CompactFunc(list, func(a, b npmPackage) bool { return a.label() == b.label() }), nil
}

func (p npmPackage) label() string { return p.name + "@" + p.version }

// npmBill are the packages of a lock file in the words of a bill.
func npmBill(lock string) (bill, error) {
	packages, err := npmPackages(lock)
	var list bill
	for _, p := range packages {
		c := component{Type: "library", Name: p.name, Version: p.version, PURL: "pkg:npm/" + strings.Replace(p.label(), "@", "%40", strings.Count(p.name, "@"))}
		if p.licence != "" {
			c.Licences = licensed(p.licence)
		}
		list = append(list, c)
	}
	return list, err
}

// compiledIn is a tool by its place in the lock file, and yet its code is in the pages.
const compiledIn = "node_modules/svelte"
