package main

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// PDFium, the second reader of PDFs, comes as WebAssembly inside an npm package.
const (
	pdfiumPackage = "@hyzyla/pdfium@2.1.13"
	pdfiumEntry   = "package/dist/pdfium.wasm"
	pdfiumDigest  = "71aec412a303a0405baee21c3d6d3f30ad2033dc02444130fe476be3976e2d09"
)

// pdfium fetches PDFium once and has the program built with it. Without it the
// program still works: it says so in one line and goes on.
func (j *job) pdfium(ctx context.Context) {
	file := j.path("backend", "extract", "pdf", "wasm", "pdfium.wasm.gz")
	if have, err := digestPacked(file); err != nil || have != pdfiumDigest {
		j.say("fetching PDFium")
		if err := j.fetchPDFium(ctx, file); err != nil {
			j.say("without PDFium, the second reader of PDFs: %v", err)
			return
		}
	}
	j.tags = "pdfium"
}

func (j *job) fetchPDFium(ctx context.Context, file string) (err error) {
	if _, err := exec.LookPath("npm"); err != nil {
		return errors.New("npm is missing: install Node.js 20 or newer (it brings npm)")
	}
	dir, err := os.MkdirTemp("", "footnote-build-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if err := j.quiet(ctx, dir, nil, "npm", "pack", pdfiumPackage, "--loglevel=error"); err != nil {
		return err
	}
	packed, err := filepath.Glob(filepath.Join(dir, "*.tgz"))
	if err != nil || len(packed) != 1 {
		return fmt.Errorf("npm pack %s gave %d files", pdfiumPackage, len(packed))
	}
	fresh := filepath.Join(dir, "pdfium.wasm")
	if err := unpackEntry(packed[0], pdfiumEntry, fresh); err != nil {
		return err
	}
	if have, err := digestOf(fresh); err != nil || have != pdfiumDigest {
		return errors.Join(err, fmt.Errorf("%s is not the file that was reviewed: its SHA-256 is %s", pdfiumEntry, have))
	}
	code, err := os.ReadFile(fresh)
	if err != nil {
		return err
	}
	if err := gzipped(code, file+".new"); err != nil {
		return err
	}
	return os.Rename(file+".new", file) // a build beside this one never sees half of it
}

// digestPacked is the digest of what a .gz holds.
func digestPacked(file string) (string, error) {
	f, err := os.Open(file)
	if err != nil {
		return "", err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	_, err = io.Copy(h, z)
	return hex.EncodeToString(h.Sum(nil)), err
}

// unpackEntry copies one file out of a .tgz.
func unpackEntry(packed, entry, to string) error {
	f, err := os.Open(packed)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("unpack %s: %w", filepath.Base(packed), err)
	}
	for t := tar.NewReader(z); ; {
		head, err := t.Next()
		if err != nil {
			return fmt.Errorf("find %s in %s: %w", entry, filepath.Base(packed), err)
		}
		if head.Name == entry {
			return writeFrom(io.LimitReader(t, 64<<20), to)
		}
	}
}

func writeFrom(in io.Reader, to string) error {
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
