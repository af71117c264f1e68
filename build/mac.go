package main

import (
	"context"
	"debug/macho"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"
)

// universalArchive packs the program without a window for both processors.
func (r *release) universalArchive(p program) func(context.Context, string) error {
	return func(ctx context.Context, file string) error {
		dir := filepath.Join(r.stage, fmt.Sprintf("footnote_%s_macos_universal", r.version))
		if err := r.universal(ctx, filepath.Join(dir, "footnote"), headless(p.system, "amd64"), p); err != nil {
			return err
		}
		if err := r.codesign(ctx, filepath.Join(dir, "footnote")); err != nil {
			return err
		}
		program, err := r.compiled(ctx, p)
		if err != nil {
			return err
		}
		if err := r.papers(ctx, dir, program); err != nil {
			return err
		}
		return packTar(dir, file)
	}
}

// universal joins a program compiled for several processors.
func (r *release) universal(ctx context.Context, file string, of ...program) error {
	var parts [][]byte
	for _, p := range of {
		name, err := r.compiled(ctx, p)
		if err != nil {
			return err
		}
		body, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		parts = append(parts, body)
	}
	body, err := fat(parts)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, body, 0o755)
}

// fat is the universal file of programs in Mach-O, as lipo makes it: a table of
// processors, then each program at a boundary that suits all of them.
func fat(programs [][]byte) ([]byte, error) {
	const boundary = 14 // 16 KiB, pages of arm64
	head := binary.BigEndian.AppendUint32(nil, macho.MagicFat)
	head = binary.BigEndian.AppendUint32(head, uint32(len(programs)))
	next := 1 << boundary
	for _, p := range programs {
		if len(p) < 12 || binary.LittleEndian.Uint32(p) != macho.Magic64 {
			return nil, errors.New("this is no 64-bit program for macOS")
		}
		for _, v := range []uint32{binary.LittleEndian.Uint32(p[4:]), binary.LittleEndian.Uint32(p[8:]), uint32(next), uint32(len(p)), boundary} {
			head = binary.BigEndian.AppendUint32(head, v)
		}
		next = aligned(next+len(p), 1<<boundary)
	}
	file := head
	for _, p := range programs {
		file = append(file, make([]byte, aligned(len(file), 1<<boundary)-len(file))...)
		file = append(file, p...)
	}
	return file, nil
}

func aligned(n, to int) int { return (n + to - 1) / to * to }

// codesign signs a program or an app on a Mac, where there is an identity.
func (r *release) codesign(ctx context.Context, what string) error {
	if r.sign.macIdentity == "" {
		return nil
	}
	return r.quiet(ctx, r.root, nil, "codesign", "--force", "--timestamp", "--options", "runtime", "--entitlements", r.path("build", "packaging", "entitlements.plist"), "--sign", r.sign.macIdentity, what)
}

// diskImage packs the window for macOS. Its web view is reached through C, which
// only a Mac compiles for itself.
func (r *release) diskImage(p program) func(context.Context, string) error {
	return func(ctx context.Context, file string) error {
		folder := filepath.Join(r.stage, "dmg")
		app := filepath.Join(folder, "Footnote.app")
		if err := r.universal(ctx, filepath.Join(app, "Contents", "MacOS", "footnote"), macWindow("amd64"), p); err != nil {
			return err
		}
		if err := errors.Join(r.appFolder(ctx, app), r.settled(folder)); err != nil {
			return err
		}
		if err := r.codesign(ctx, app); err != nil {
			return err
		}
		if err := os.Symlink("/Applications", filepath.Join(folder, "Applications")); err != nil {
			return err
		}
		if err := r.quiet(ctx, r.root, nil, "hdiutil", "create", "-volname", "Footnote", "-srcfolder", folder, "-ov", "-format", "UDZO", file); err != nil {
			return err
		}
		if r.sign.notary == "" {
			return nil
		}
		if err := r.quiet(ctx, r.root, nil, "xcrun", "notarytool", "submit", file, "--keychain-profile", r.sign.notary, "--wait"); err != nil {
			return err
		}
		return r.quiet(ctx, r.root, nil, "xcrun", "stapler", "staple", file)
	}
}

// appFolder lays out what is in an app beside its program.
func (r *release) appFolder(ctx context.Context, app string) error {
	contents := filepath.Join(app, "Contents")
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
	if err := writeFile(filepath.Join(contents, "PkgInfo"), []byte("APPL????")); err != nil {
		return err
	}
	program, err := r.compiled(ctx, macWindow("arm64"))
	if err != nil {
		return err
	}
	return r.papers(ctx, filepath.Join(contents, "Resources"), program)
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
