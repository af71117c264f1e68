package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"text/template"
)

// nfpm packs a folder as .deb or .rpm.
const nfpm = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0"

// appID is what software centres, Flatpak and macOS know the program by.
const appID = "app.footnote.Footnote"

// unnamed stands in packages that nobody signed.
const unnamed, unnamedPage = "Nobody yet <unset@footnote.invalid>", "https://footnote.invalid"

// linuxPackage packs the program as .deb or .rpm, as the file's name says.
func (r *release) linuxPackage(p program) func(context.Context, string) error {
	return func(ctx context.Context, file string) error {
		if p.cgo {
			if err := r.debian(ctx, append([]string{"desktop-file-utils"}, windowNeeds...)); err != nil {
				return err
			}
		}
		root, err := r.linuxRoot(ctx, p)
		if err != nil {
			return err
		}
		config := filepath.Join(r.stage, p.name+".nfpm.yaml")
		if err := r.fill("nfpm.yaml", config, map[string]any{"Root": root, "Apart": r.apart(p), "Arch": p.arch, "Window": p.cgo}); err != nil {
			return err
		}
		return r.quiet(ctx, r.root, nil, "go", "run", nfpm, "package", "--config", config, "--packager", strings.TrimPrefix(filepath.Ext(file), "."), "--target", file)
	}
}

// linuxRoot lays out what a package puts on a system.
func (r *release) linuxRoot(ctx context.Context, p program) (string, error) {
	root := filepath.Join(r.stage, p.name+".root")
	if r.laid[root] {
		return root, nil
	}
	file, err := r.compiled(ctx, p)
	if err != nil {
		return "", err
	}
	share := filepath.Join(root, "usr", "share")
	doc := filepath.Join(share, "doc", "footnote")
	if err := copyFile(file, filepath.Join(root, "usr", "bin", "footnote"), 0o755); err != nil {
		return "", err
	}
	licences, err := r.licences(ctx, file)
	if err != nil {
		return "", err
	}
	err = errors.Join(
		copyFile(r.path("NOTICE"), filepath.Join(doc, "NOTICE"), 0o644),
		gzipped(licences, filepath.Join(doc, "LICENSES.txt.gz")),
		copyFile(r.path("build", "packaging", "footnote.service"), filepath.Join(root, "usr", "lib", "systemd", "user", "footnote.service"), 0o644),
		r.fill("copyright", filepath.Join(doc, "copyright"), nil),
		copyFile(r.path("build", "packaging", "lintian-overrides"), filepath.Join(r.apart(p), "lintian-overrides"), 0o644),
		r.changelog(doc),
		r.shellHelp(ctx, share, r.apart(p)),
		r.desktopFiles(ctx, p, share),
		r.settled(root),
		r.settled(r.apart(p)),
	)
	r.laid[root] = err == nil
	return root, err
}

// apart is the folder of what lies elsewhere in a .deb than in a .rpm, or in one alone.
func (r *release) apart(p program) string { return filepath.Join(r.stage, p.name+".apart") }

// desktopFiles are what makes a window known to the desktop: nothing in a package
// without one.
func (r *release) desktopFiles(ctx context.Context, p program, share string) error {
	if !p.cgo {
		return nil
	}
	desktop := filepath.Join(share, "applications", "footnote.desktop")
	files := map[string]string{
		r.path("build", "packaging", "footnote.desktop"): desktop,
		r.path("build", "icons", "logo.svg"):             filepath.Join(share, "icons", "hicolor", "scalable", "apps", "footnote.svg"),
	}
	for _, size := range []int{16, 24, 32, 48, 64, 128, 256, 512} {
		files[r.path("build", "out", "icons", fmt.Sprintf("%d.png", size))] = filepath.Join(share, "icons", "hicolor", fmt.Sprintf("%dx%d", size, size), "apps", "footnote.png")
	}
	for from, to := range files {
		if err := copyFile(from, to, 0o644); err != nil {
			return err
		}
	}
	if err := r.fill("footnote.metainfo.xml", filepath.Join(share, "metainfo", appID+".metainfo.xml"), nil); err != nil {
		return err
	}
	return r.quiet(ctx, r.root, nil, "desktop-file-validate", desktop)
}

// shellHelp has the program write its manual and the words that shells complete:
// the one for this machine, which says the same as all others.
func (r *release) shellHelp(ctx context.Context, share, apart string) error {
	program, err := r.compiled(ctx, headless("linux", runtime.GOARCH))
	if err != nil {
		return err
	}
	for shell, file := range map[string]string{
		"bash": filepath.Join(share, "bash-completion", "completions", "footnote"), "zsh": filepath.Join(apart, "_footnote"), "fish": filepath.Join(share, "fish", "vendor_completions.d", "footnote.fish"),
	} {
		words, err := r.command(ctx, r.root, nil, program, "completion", shell).Output()
		if err != nil {
			return fmt.Errorf("complete words of %s: %w", shell, err)
		}
		if err := writeFile(file, words); err != nil {
			return err
		}
	}
	manual := filepath.Join(r.stage, "man1")
	if err := r.quiet(ctx, r.root, nil, program, "man", manual); err != nil {
		return err
	}
	pages, err := os.ReadDir(manual)
	if err != nil {
		return err
	}
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(manual, page.Name()))
		if err != nil {
			return err
		}
		if err := gzipped(text, filepath.Join(share, "man", "man1", page.Name()+".gz")); err != nil {
			return err
		}
	}
	return nil
}

func (r *release) changelog(doc string) error {
	plain := filepath.Join(r.stage, "changelog")
	if err := r.fill("changelog", plain, nil); err != nil {
		return err
	}
	text, err := os.ReadFile(plain)
	if err != nil {
		return err
	}
	return gzipped(text, filepath.Join(doc, "changelog.Debian.gz"))
}

// fill writes a form of build/packaging with what is known of the release.
func (r *release) fill(form, file string, more map[string]any) error {
	parsed, err := template.ParseFiles(r.path("build", "packaging", form))
	if err != nil {
		return err
	}
	values := r.values()
	for k, v := range more {
		values[k] = v
	}
	var text bytes.Buffer
	if err := parsed.Option("missingkey=error").Execute(&text, values); err != nil {
		return err
	}
	return writeFile(file, text.Bytes())
}

// values are what forms may say of a release.
func (r *release) values() map[string]any {
	return map[string]any{
		"Version": r.version, "Date": r.when.Format("2006-01-02"), "Mailed": r.when.Format("Mon, 02 Jan 2006 15:04:05 -0700"), "Stamp": r.when.Format("2006-01-02T15:04:05Z"), "Year": r.when.Format("2006"),
		"Maintainer": orElse(r.sign.maintainer, unnamed), "Homepage": orElse(r.sign.publisher, unnamedPage),
	}
}

func orElse(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// settled gives every file and folder the time of the release, and the rights that
// they have where they are installed: a umask of whoever builds must not reach them.
func (r *release) settled(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		mode := fs.FileMode(0o755)
		if !d.IsDir() {
			mode = modeOf(info)
		}
		return errors.Join(os.Chmod(path, mode), os.Chtimes(path, r.when, r.when))
	})
}

// gzipped writes a text as Debian wants it: compressed as far as it goes, without
// a name or a time.
func gzipped(text []byte, file string) error {
	var out bytes.Buffer
	zipped, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return err
	}
	_, err = zipped.Write(text)
	if err := errors.Join(err, zipped.Close()); err != nil {
		return err
	}
	return writeFile(file, out.Bytes())
}
