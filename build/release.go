package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"text/template"
)

// winres writes icon, manifest and version into a Windows program.
const winres = "github.com/tc-hib/go-winres@v0.3.3"

// release is one run of the command: where it builds and what it calls itself.
type release struct {
	*job
	version string
	stage   string // folders that become packages
	out     string // the packages
	others  []byte // licences of what the program is built from
}

// packages builds what people install, each for the systems that can be built
// for from here, and writes the digests beside them.
func packages(ctx context.Context, j *job) error {
	if err := j.frontend(ctx); err != nil {
		return err
	}
	j.pdfium(ctx)
	if err := icons(ctx, j); err != nil {
		return err
	}
	version, err := versionOf(j.path("main.go"))
	if err != nil {
		return err
	}
	r := &release{job: j, version: version, stage: j.path("build", "out", "stage"), out: j.path("build", "out", "release")}
	for _, dir := range []string{r.stage, r.out} {
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if r.others, err = r.licences(ctx); err != nil {
		return err
	}
	steps := []struct {
		name string
		run  func(context.Context) error
	}{
		{"the program for Linux without a window", r.headless("linux", "amd64", "arm64")},
		{"the program for macOS without a window", r.headless("darwin", "arm64", "amd64")},
		{"the Debian package", r.debianPackage},
		{"the program and installer for Windows", r.windows},
		{"the app for macOS", r.macApp},
	}
	for _, s := range steps {
		r.step(s.name, func() error { return s.run(ctx) })
	}
	if err := r.digests(); err != nil {
		return err
	}
	return j.outcome()
}

var versionLine = regexp.MustCompile(`(?m)^var version = "([0-9]+\.[0-9]+\.[0-9]+)"$`)

func versionOf(file string) (string, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	m := versionLine.FindSubmatch(text)
	if m == nil {
		return "", fmt.Errorf("%s names no version", file)
	}
	return string(m[1]), nil
}

// build compiles the program to a file of the stage.
func (r *release) build(ctx context.Context, file, system, arch, tags, flags string, env ...string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	env = append([]string{"GOOS=" + system, "GOARCH=" + arch}, env...)
	all := strings.Trim(tags+","+r.tags, ",")
	return r.quiet(ctx, r.root, env, "go", "build", "-tags", all, "-trimpath", "-ldflags", strings.TrimSpace("-s -w "+flags), "-o", file, ".")
}

// papers are what every package says of its rights.
func (r *release) papers(dir string) error {
	for _, name := range []string{"LICENSE", "NOTICE", "README.md"} {
		if err := copyFile(r.path(name), filepath.Join(dir, name), 0o644); err != nil {
			return err
		}
	}
	return writeFile(filepath.Join(dir, "LICENSES.txt"), r.others)
}

// headless packs the fully static program of a system.
func (r *release) headless(system string, archs ...string) func(context.Context) error {
	return func(ctx context.Context) error {
		for _, arch := range archs {
			name := fmt.Sprintf("footnote_%s_%s_%s", r.version, system, arch)
			dir := filepath.Join(r.stage, name)
			if err := r.build(ctx, filepath.Join(dir, "footnote"), system, arch, "", "", "CGO_ENABLED=0"); err != nil {
				return err
			}
			if err := r.papers(dir); err != nil {
				return err
			}
			if err := packTar(dir, filepath.Join(r.out, name+".tar.gz")); err != nil {
				return err
			}
		}
		return nil
	}
}

// debianPackage packs the window for Debian and its kin.
func (r *release) debianPackage(ctx context.Context) error {
	if runtime.GOOS != "linux" {
		r.say("the Debian package is built on Linux")
		return nil
	}
	if err := r.debian(ctx, append(slices.Clone(windowNeeds), "dpkg", "desktop-file-utils")); err != nil {
		return err
	}
	root := filepath.Join(r.stage, "deb")
	program := filepath.Join(root, "usr", "bin", "footnote")
	if err := r.build(ctx, program, "linux", runtime.GOARCH, "desktop,production,webkit2_41", "", "CGO_ENABLED=1"); err != nil {
		return err
	}
	share := filepath.Join(root, "usr", "share")
	files := map[string]string{
		r.path("build", "packaging", "footnote.desktop"): filepath.Join(share, "applications", "footnote.desktop"),
		r.path("build", "icons", "logo.svg"):             filepath.Join(share, "icons", "hicolor", "scalable", "apps", "footnote.svg"),
		r.path("LICENSE"):                                filepath.Join(share, "doc", "footnote", "copyright"),
		r.path("NOTICE"):                                 filepath.Join(share, "doc", "footnote", "NOTICE"),
	}
	for _, size := range []int{16, 24, 32, 48, 64, 128, 256, 512} {
		files[r.path("build", "out", "icons", fmt.Sprintf("%d.png", size))] = filepath.Join(share, "icons", "hicolor", fmt.Sprintf("%dx%d", size, size), "apps", "footnote.png")
	}
	for from, to := range files {
		if err := copyFile(from, to, 0o644); err != nil {
			return err
		}
	}
	if err := r.quiet(ctx, r.root, nil, "desktop-file-validate", filepath.Join(share, "applications", "footnote.desktop")); err != nil {
		return err
	}
	if err := writeFile(filepath.Join(share, "doc", "footnote", "LICENSES.txt"), r.others); err != nil {
		return err
	}
	if err := r.shellHelp(ctx, program, share); err != nil {
		return err
	}
	if err := r.control(filepath.Join(root, "DEBIAN")); err != nil {
		return err
	}
	return r.quiet(ctx, r.root, nil, "dpkg-deb", "--root-owner-group", "--build", root, filepath.Join(r.out, fmt.Sprintf("footnote_%s_%s.deb", r.version, runtime.GOARCH)))
}

// shellHelp has the program write its manual and the words that shells complete.
func (r *release) shellHelp(ctx context.Context, program, share string) error {
	for shell, file := range map[string]string{
		"bash": "bash-completion/completions/footnote", "zsh": "zsh/vendor-completions/_footnote", "fish": "fish/vendor_completions.d/footnote.fish",
	} {
		words, err := r.command(ctx, r.root, nil, program, "completion", shell).Output()
		if err != nil {
			return fmt.Errorf("complete words of %s: %w", shell, err)
		}
		if err := writeFile(filepath.Join(share, filepath.FromSlash(file)), words); err != nil {
			return err
		}
	}
	return r.quiet(ctx, r.root, nil, program, "man", filepath.Join(share, "man", "man1"))
}

var control = template.Must(template.New("control").Parse(`Package: footnote
Version: {{.Version}}
Architecture: {{.Arch}}
Section: utils
Priority: optional
Installed-Size: {{.KiB}}
Maintainer: The Footnote authors <footnote@localhost>
Depends: libc6 (>= 2.34), libwebkit2gtk-4.1-0 (>= 2.40), libgtk-3-0 | libgtk-3-0t64
Recommends: xdg-utils
Suggests: tesseract-ocr, poppler-utils, chromium
Description: answers from your files and the web, each with its footnote
 Footnote answers a question from the web and from your own files, and proves
 each sentence with a footnote that opens at the exact passage. It needs no
 account, no key and no network to answer from your files.
`))

func (r *release) control(dir string) error {
	var size int64
	err := filepath.WalkDir(filepath.Dir(dir), func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		size += info.Size()
		return err
	})
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := control.Execute(&text, map[string]any{"Version": r.version, "Arch": runtime.GOARCH, "KiB": size >> 10}); err != nil {
		return err
	}
	return writeFile(filepath.Join(dir, "control"), []byte(text.String()))
}

// windows packs the window and the console program, and the installer of both
// where its compiler is.
func (r *release) windows(ctx context.Context) error {
	name := fmt.Sprintf("footnote_%s_windows_amd64", r.version)
	dir := filepath.Join(r.stage, name)
	resource := r.path("rsrc_windows_amd64.syso")
	err := r.quiet(ctx, r.root, nil, "go", "run", winres, "simply", "--arch", "amd64", "--manifest", "gui", "--icon", r.path("build", "out", "icons", "1024.png"),
		"--product-name", "Footnote", "--file-description", "Footnote", "--product-version", r.version+".0", "--file-version", r.version+".0", "--out", strings.TrimSuffix(resource, "_windows_amd64.syso"))
	if err != nil {
		return err
	}
	err = r.build(ctx, filepath.Join(dir, "footnote.exe"), "windows", "amd64", "desktop,production", "-H windowsgui", "CGO_ENABLED=0")
	if removed := os.Remove(resource); err == nil {
		err = removed // it would go into the next plain build as well
	}
	if err != nil {
		return err
	}
	if err := r.build(ctx, filepath.Join(dir, "footnote-cli.exe"), "windows", "amd64", "", "", "CGO_ENABLED=0"); err != nil {
		return err
	}
	if err := r.papers(dir); err != nil {
		return err
	}
	if err := packZip(dir, filepath.Join(r.out, name+".zip")); err != nil {
		return err
	}
	return r.installer(ctx, dir, filepath.Join(r.out, fmt.Sprintf("footnote_%s_setup.exe", r.version)))
}

func (r *release) installer(ctx context.Context, dir, file string) error {
	if runtime.GOOS == "linux" {
		if err := r.debian(ctx, []string{"nsis"}); err != nil {
			return err
		}
	}
	if _, err := exec.LookPath("makensis"); err != nil {
		return fmt.Errorf("the installer for Windows needs NSIS (makensis)")
	}
	return r.quiet(ctx, r.root, nil, "makensis", "-V2", "-DVERSION="+r.version, "-DOUT="+file, "-DDIR="+dir, "-DICON="+r.path("build", "out", "icons", "footnote.ico"), r.path("build", "packaging", "footnote.nsi"))
}

// macApp packs the window for macOS. Its web view is reached through C, which
// only a Mac compiles for itself.
func (r *release) macApp(ctx context.Context) error {
	if runtime.GOOS != "darwin" {
		r.say("the app for macOS is built on a Mac: this release goes without it")
		return nil
	}
	contents := filepath.Join(r.stage, "Footnote.app", "Contents")
	if err := r.build(ctx, filepath.Join(contents, "MacOS", "footnote"), "darwin", runtime.GOARCH, "desktop,production", "", "CGO_ENABLED=1", "CGO_LDFLAGS=-framework UniformTypeIdentifiers"); err != nil {
		return err
	}
	if err := copyFile(r.path("build", "out", "icons", "footnote.icns"), filepath.Join(contents, "Resources", "footnote.icns"), 0o644); err != nil {
		return err
	}
	plist, err := r.plist()
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(contents, "Info.plist"), plist); err != nil {
		return err
	}
	image := filepath.Join(r.out, fmt.Sprintf("footnote_%s_macos_%s.dmg", r.version, runtime.GOARCH))
	return r.quiet(ctx, r.root, nil, "hdiutil", "create", "-volname", "Footnote", "-srcfolder", filepath.Join(r.stage, "Footnote.app"), "-ov", "-format", "UDZO", image)
}

func (r *release) plist() ([]byte, error) {
	form, err := template.ParseFiles(r.path("build", "packaging", "Info.plist"))
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	err = form.Execute(&text, map[string]string{"Version": r.version})
	return []byte(text.String()), err
}

// digests writes SHA256SUMS of all packages.
func (r *release) digests() error {
	entries, err := os.ReadDir(r.out)
	if err != nil {
		return err
	}
	var lines strings.Builder
	for _, e := range entries {
		body, err := os.ReadFile(filepath.Join(r.out, e.Name()))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		fmt.Fprintf(&lines, "%s  %s\n", hex.EncodeToString(sum[:]), e.Name())
		fmt.Printf("%8.1f MB  %s\n", float64(len(body))/1e6, e.Name())
	}
	return writeFile(filepath.Join(r.out, "SHA256SUMS"), []byte(lines.String()))
}
