package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// artefact is one file that people download.
type artefact struct {
	system  string // the word of --only that it belongs to
	name    string
	program program // whose libraries its bill of materials lists
	make    func(ctx context.Context, file string) error
}

// systems are the words of --only.
var systems = []string{"linux", "windows", "macos", "macos-app"}

// artefacts is the one list of what a release consists of.
func (r *release) artefacts() []artefact {
	var list []artefact
	add := func(system, name string, p program, pack func(program) func(context.Context, string) error) {
		if !r.sign.covers(system) {
			stem, kind := splitKind(name)
			name = stem + "-unsigned" + kind
		}
		list = append(list, artefact{system, strings.ReplaceAll(name, "VERSION", r.version), p, pack(p)})
	}
	for _, arch := range []string{"amd64", "arm64"} {
		add("linux", "footnote_VERSION_linux_"+arch+".tar.gz", headless("linux", arch), r.archive)
		add("linux", "footnote_VERSION_"+arch+".deb", packaged(arch), r.linuxPackage)
		add("linux", "footnote-VERSION-1."+map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[arch]+".rpm", packaged(arch), r.linuxPackage)
	}
	for _, arch := range []string{"amd64", "arm64"} {
		add("windows", "footnote_VERSION_windows_"+arch+".zip", console(arch), r.windowsArchive)
		add("windows", "footnote_VERSION_windows_"+arch+"_setup.exe", console(arch), r.installer)
	}
	add("macos", "footnote_VERSION_macos_universal.tar.gz", headless("darwin", "arm64"), r.universalArchive)
	add("macos-app", "Footnote_VERSION_macos_universal.dmg", macWindow("arm64"), r.diskImage)
	return list
}

// splitKind parts the name of a package from what says its kind.
func splitKind(name string) (stem, kind string) {
	for _, kind := range []string{".tar.gz", "_setup.exe"} {
		if stem, ok := strings.CutSuffix(name, kind); ok {
			return stem, kind
		}
	}
	kind = filepath.Ext(name)
	return strings.TrimSuffix(name, kind), kind
}

// chosen are the artefacts of the systems that --only names; all without it. What
// this machine cannot make is an error before anything is built.
func (r *release) chosen(only string) ([]artefact, error) {
	words := systems
	if only != "" {
		words = strings.Split(only, ",")
	}
	for _, w := range words {
		switch {
		case !slices.Contains(systems, w):
			return nil, fmt.Errorf("--only %s: there is %s", w, strings.Join(systems, ", "))
		case w == "linux" && runtime.GOOS != "linux":
			return nil, fmt.Errorf("packages for Linux are made on Linux: name the rest, --only windows,macos")
		case w == "macos-app" && runtime.GOOS != "darwin":
			return nil, fmt.Errorf("the app for macOS is made on a Mac: name the rest, --only linux,windows,macos")
		}
	}
	return slices.DeleteFunc(r.artefacts(), func(a artefact) bool { return !slices.Contains(words, a.system) }), nil
}

// complete fails when an artefact or what stands beside it is not there.
func (r *release) complete(list []artefact) error {
	var missing []string
	for _, a := range list {
		for _, name := range []string{a.name, a.name + ".cdx.json"} {
			if info, err := os.Stat(filepath.Join(r.out, name)); err != nil || info.Size() == 0 {
				missing = append(missing, name)
			}
		}
	}
	if len(missing) > 0 {
		return fmt.Errorf("missing in the release: %s", strings.Join(missing, ", "))
	}
	return nil
}

// program is one compiled file of a release.
type program struct {
	name         string // in the stage
	system, arch string
	tags, flags  string
	cgo          bool
	source       string // package in the tree
}

// headless is the fully static program of a system, for terminals and serve.
func headless(system, arch string) program {
	return program{name: "footnote-" + system + "-" + arch, system: system, arch: arch, source: "."}
}

// packaged is the program in packages of Linux: with the window where it can be
// compiled, on the machine's own processor.
func packaged(arch string) program {
	if arch != runtime.GOARCH {
		return headless("linux", arch)
	}
	return program{name: "footnote-linux-window-" + arch, system: "linux", arch: arch, tags: "desktop,production,webkit2_41", cgo: true, source: "."}
}

// console is the one program for Windows, which holds the window as well.
func console(arch string) program {
	return program{name: "footnote-windows-" + arch + ".exe", system: "windows", arch: arch, tags: "desktop,production", source: "."}
}

// opener is the small program that starts the console program without a console.
func opener(arch string) program {
	return program{name: "footnote-window-windows-" + arch + ".exe", system: "windows", arch: arch, flags: "-H windowsgui", source: "./build/opener"}
}

func macWindow(arch string) program {
	return program{name: "footnote-window-darwin-" + arch, system: "darwin", arch: arch, tags: "desktop,production", cgo: true, source: "."}
}

// compiled builds a program once and names its file.
func (r *release) compiled(ctx context.Context, p program) (string, error) {
	file := filepath.Join(r.stage, "programs", p.name)
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	r.say("compiling for %s/%s: %s", p.system, p.arch, p.name)
	tags, cgo := strings.Trim(p.tags+","+r.tags, ","), "CGO_ENABLED=0"
	env := []string{"GOOS=" + p.system, "GOARCH=" + p.arch, "GOFLAGS="}
	if p.cgo {
		cgo = "CGO_ENABLED=1"
	}
	if p.cgo && p.system == "darwin" {
		env = append(env, "CGO_LDFLAGS=-framework UniformTypeIdentifiers", "CGO_CFLAGS=-mmacosx-version-min=12.0")
	}
	stamp, err := r.stamp()
	if err != nil {
		return "", err
	}
	err = r.quiet(ctx, r.root, append(env, cgo), "go", "build", "-tags", tags, "-trimpath", "-buildvcs=false", "-ldflags", strings.TrimSpace(stamp+" "+p.flags), "-o", file, p.source)
	if err == nil && p.system == "windows" {
		err = r.authenticode(ctx, file)
	}
	return file, err
}
