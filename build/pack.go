package main

import (
	"archive/tar"
	"archive/zip"
	"compress/flate"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// packed is the time of every file in a package, so that the same sources give
// the same bytes. It is the first one that a zip archive can hold.
var packed = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// packTar writes a folder to a .tar.gz, below the folder's own name.
func packTar(dir, file string) (err error) {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	zipped, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	archive := tar.NewWriter(zipped)
	err = eachFile(dir, func(name string, info fs.FileInfo, body io.Reader) error {
		head := &tar.Header{Name: name, Mode: int64(modeOf(info)), Size: info.Size(), ModTime: packed, Format: tar.FormatUSTAR}
		if err := archive.WriteHeader(head); err != nil {
			return err
		}
		_, err := io.Copy(archive, body)
		return err
	})
	return errors.Join(err, archive.Close(), zipped.Close())
}

// packZip writes a folder to a .zip, below the folder's own name.
func packZip(dir, file string) (err error) {
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	archive := zip.NewWriter(out)
	archive.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	err = eachFile(dir, func(name string, info fs.FileInfo, body io.Reader) error {
		head := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: packed}
		head.SetMode(modeOf(info))
		w, err := archive.CreateHeader(head)
		if err != nil {
			return err
		}
		_, err = io.Copy(w, body)
		return err
	})
	return errors.Join(err, archive.Close())
}

func modeOf(info fs.FileInfo) fs.FileMode {
	if info.Mode()&0o100 != 0 {
		return 0o755
	}
	return 0o644
}

// eachFile gives the files of a folder in the order of their names, called from
// the folder's own name on.
func eachFile(dir string, take func(name string, info fs.FileInfo, body io.Reader) error) error {
	return filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		name, err := filepath.Rel(filepath.Dir(dir), path)
		if err != nil {
			return err
		}
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return take(filepath.ToSlash(name), info, f)
	})
}

func copyFile(from, to string, mode fs.FileMode) error {
	body, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, body, mode)
}

func writeFile(file string, body []byte) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, body, 0o644)
}
