package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"text/template"
)

// winres writes icon, manifest and version into a Windows program.
const winres = "github.com/tc-hib/go-winres@v0.3.3"

// windowsFolder is what both the archive and the installer hold: one program, and
// the small one that opens its window.
func (r *release) windowsFolder(ctx context.Context, p program) (string, error) {
	dir := filepath.Join(r.stage, fmt.Sprintf("footnote_%s_windows_%s", r.version, p.arch))
	for name, part := range map[string]program{"footnote.exe": p, "Footnote Window.exe": opener(p.arch)} {
		file, err := r.withResources(ctx, part)
		if err != nil {
			return "", err
		}
		if err := copyFile(file, filepath.Join(dir, name), 0o755); err != nil {
			return "", err
		}
	}
	return dir, r.papers(ctx, dir, filepath.Join(dir, "footnote.exe"))
}

// withResources compiles a program with its icon, version and manifest, which go
// into whatever is built beside them: they are taken away again.
func (r *release) withResources(ctx context.Context, p program) (file string, err error) {
	form, err := template.ParseFiles(r.path("build", "packaging", "winres.json"))
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	if err := form.Execute(&text, map[string]string{"Version": r.version, "Icon": "../icons/1024.png", "Year": r.when.Format("2006")}); err != nil {
		return "", err
	}
	config := filepath.Join(r.stage, "winres.json")
	if err := writeFile(config, text.Bytes()); err != nil {
		return "", err
	}
	resource := r.path(filepath.FromSlash(p.source), "rsrc_windows_"+p.arch+".syso")
	if err := r.quiet(ctx, r.root, nil, "go", "run", winres, "make", "--in", config, "--arch", p.arch, "--no-suffix", "--out", resource); err != nil {
		return "", err
	}
	file, err = r.compiled(ctx, p)
	if removed := os.Remove(resource); err == nil {
		err = removed
	}
	return file, err
}

func (r *release) windowsArchive(p program) func(context.Context, string) error {
	return func(ctx context.Context, file string) error {
		dir, err := r.windowsFolder(ctx, p)
		if err != nil {
			return err
		}
		return packZip(dir, file)
	}
}

// installer packs the same folder with NSIS.
func (r *release) installer(p program) func(context.Context, string) error {
	return func(ctx context.Context, file string) error {
		if runtime.GOOS == "linux" {
			if err := r.debian(ctx, []string{"nsis"}); err != nil {
				return err
			}
		}
		if _, err := exec.LookPath("makensis"); err != nil {
			return fmt.Errorf("the installer for Windows needs NSIS (makensis)")
		}
		dir, err := r.windowsFolder(ctx, p)
		if err != nil {
			return err
		}
		if err := r.quiet(ctx, r.root, nil, "makensis", "-V2", "-DVERSION="+r.version, "-DOUT="+file, "-DDIR="+dir, "-DICON="+r.path("build", "out", "icons", "footnote.ico"), r.path("build", "packaging", "footnote.nsi")); err != nil {
			return err
		}
		return r.authenticode(ctx, file)
	}
}
