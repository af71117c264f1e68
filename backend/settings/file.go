package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"syscall"

	"github.com/pelletier/go-toml/v2"

	"footnote/backend/disk"
	"footnote/backend/fault"
)

// parseFile reads TOML strictly: an unknown key and a value of the wrong kind
// are faults that name the line.
func parseFile(name string, data []byte) (map[string]any, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	var scratch Settings
	err := withoutRetired(toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields().Decode(&scratch))
	var tree map[string]any
	if err == nil {
		err = toml.Unmarshal(data, &tree)
	}
	if err != nil {
		return nil, fileFault(name, err)
	}
	flat := map[string]any{}
	flattenTree("", tree, flat)
	for _, key := range retired {
		delete(flat, key)
	}
	return flat, nil
}

// retired are keys of earlier versions that did nothing. A file that has them is
// read as if it had not, and loses them when it is written.
var retired = []string{"cite.low_coverage", "library.roots", "library.widen_chars", "ui.language"}

// withoutRetired is the error of reading a file, without the keys that are
// retired.
func withoutRetired(err error) error {
	var unknown *toml.StrictMissingError
	if !errors.As(err, &unknown) {
		return err
	}
	left := slices.DeleteFunc(slices.Clone(unknown.Errors), func(e toml.DecodeError) bool {
		return slices.Contains(retired, strings.Join(e.Key(), "."))
	})
	if len(left) == 0 {
		return nil
	}
	return &toml.StrictMissingError{Errors: left}
}

func fileFault(name string, err error) error {
	var unknown *toml.StrictMissingError
	if errors.As(err, &unknown) && len(unknown.Errors) > 0 {
		first := unknown.Errors[0]
		line, _ := first.Position()
		return (&refusal{key: strings.Join(first.Key(), "."), reason: "is not a setting", place: fmt.Sprintf("%s, line %d", name, line)}).fault()
	}
	var bad *toml.DecodeError
	if errors.As(err, &bad) {
		line, _ := bad.Position()
		place := fmt.Sprintf("%s, line %d", name, line)
		if key := strings.Join(bad.Key(), "."); key != "" {
			return (&refusal{key: key, reason: "has a value of the wrong kind", place: place, allowed: allowOf(key)}).fault()
		}
		return fault.Wrap(err, fault.InvalidSetting, place+": this is not TOML.", "Correct the line; the values in force have not changed.").With("line", line)
	}
	return fault.Wrap(err, fault.InvalidSetting, name+" cannot be understood.", "Correct or remove the file.")
}

// allowOf is the allow tag at a key, empty when there is none.
func allowOf(key string) string {
	path, ok := pathOf(key)
	if !ok {
		return ""
	}
	allow, t := "", reflect.TypeFor[Settings]()
	for _, step := range path {
		if t.Kind() == reflect.Map {
			t = t.Elem()
			continue
		}
		field, _ := fieldOf(t, step)
		allow, t = field.Tag.Get("allow"), field.Type
	}
	return allow
}

func flattenTree(prefix string, tree, flat map[string]any) {
	for name, value := range tree {
		if sub, ok := value.(map[string]any); ok {
			flattenTree(join(prefix, name), sub, flat)
			continue
		}
		flat[join(prefix, name)] = value
	}
}

// grow is the reverse of flattenTree.
func grow(flat map[string]any) map[string]any {
	root := map[string]any{}
	for key, value := range flat {
		path, ok := pathOf(key)
		if !ok {
			continue // never in a layer that was adopted
		}
		node := root
		for _, step := range path[:len(path)-1] {
			next, ok := node[step].(map[string]any)
			if !ok {
				next = map[string]any{}
				node[step] = next
			}
			node = next
		}
		node[path[len(path)-1]] = value
	}
	return root
}

// placeInFile finds the line of a key for the message; without one it names
// the file alone.
func placeInFile(path, key string) string {
	name := filepath.Base(path)
	data, err := disk.ReadRegular(path, largestFile)
	if err != nil {
		return name
	}
	section := ""
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "["); ok {
			head, _, _ = strings.Cut(head, "]")
			section = strings.TrimSpace(head)
			continue
		}
		field, _, _ := strings.Cut(line, "=")
		at := join(section, strings.Trim(strings.TrimSpace(field), `"'`))
		if at == key || strings.Contains(line, "{") && strings.HasPrefix(key, at+".") {
			return fmt.Sprintf("%s, line %d", name, i+1)
		}
	}
	return name
}

// writeAtomically replaces path by data: a reader sees the old or the new file,
// also after a power cut.
func writeAtomically(path string, data []byte) (err error) {
	temp, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return unwritten(path, fmt.Errorf("create beside %s: %w", filepath.Base(path), err))
	}
	defer func() {
		if err != nil {
			_ = os.Remove(temp.Name()) // the error that counts is the first one
		}
	}()
	_, err = temp.Write(data) // CreateTemp made it 0600
	if err == nil {
		err = temp.Sync()
	}
	if closing := temp.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return unwritten(path, fmt.Errorf("write %s: %w", filepath.Base(path), err))
	}
	syncDir(filepath.Dir(path))
	return nil
}

// unwritten says what keeps a file from being written, where a person can mend it.
// The file is as it was.
func unwritten(path string, err error) error {
	switch name := filepath.Base(path); {
	case errors.Is(err, syscall.ENOSPC):
		return fault.Wrap(err, fault.DiskFull, "The disk with "+name+" is full, so the change was not saved.", "Free some space and try again.")
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return fault.Wrap(err, fault.DiskFull, "The folder of "+name+" cannot be written to, so the change was not saved.", "Give your user write access to it.")
	}
	return err
}

// syncDir makes the rename last. Systems that cannot sync a folder keep the
// rename without it.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		_ = d.Close()
	}
}
