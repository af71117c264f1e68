package paper

import (
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"footnote/backend/disk"
)

// SystemFolders are where this computer has its fonts, those of the reader first.
func SystemFolders() []string {
	home, _ := os.UserHomeDir() // without one there are only those of the computer
	own := func(parts ...string) string {
		if home == "" {
			return ""
		}
		return filepath.Join(append([]string{home}, parts...)...)
	}
	switch runtime.GOOS {
	case "windows":
		return existing(own("AppData", "Local", "Microsoft", "Windows", "Fonts"), filepath.Join(os.Getenv("WINDIR"), "Fonts"))
	case "darwin":
		return existing(own("Library", "Fonts"), "/Library/Fonts", "/System/Library/Fonts")
	}
	folders := []string{own(".local", "share", "fonts"), own(".fonts"), "/usr/local/share/fonts", "/usr/share/fonts"}
	if data := os.Getenv("XDG_DATA_HOME"); data != "" {
		folders = append([]string{filepath.Join(data, "fonts")}, folders...)
	}
	return existing(append(folders, configured("/etc/fonts/fonts.conf", home)...)...)
}

// configured are the folders that fontconfig names; none where it is not set up.
func configured(path, home string) []string {
	f, _, err := disk.OpenRegular(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	var folders []string
	dec := xml.NewDecoder(io.LimitReader(f, 1<<20))
	dec.Strict = false
	for {
		token, err := dec.Token()
		if err != nil {
			return folders
		}
		start, ok := token.(xml.StartElement)
		if !ok || start.Name.Local != "dir" {
			continue
		}
		var name string
		if dec.DecodeElement(&name, &start) != nil {
			return folders
		}
		if rest, ok := strings.CutPrefix(strings.TrimSpace(name), "~/"); ok && home != "" {
			name = filepath.Join(home, rest)
		}
		if filepath.IsAbs(name) {
			folders = append(folders, name)
		}
	}
}

func existing(folders ...string) []string {
	var there []string
	for _, folder := range folders {
		if info, err := os.Stat(folder); err == nil && info.IsDir() && !slices.Contains(there, folder) {
			there = append(there, folder)
		}
	}
	return there
}

const mostFontFiles = 20_000

// fontFiles are the font files below folders, by their paths. Folders that may not
// be read have none.
func fontFiles(folders []string) []string {
	var files []string
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil && d != nil && d.IsDir() {
				return fs.SkipDir
			}
			if err != nil {
				return nil
			}
			switch strings.ToLower(filepath.Ext(path)) {
			case ".ttf", ".otf", ".ttc", ".otc":
				files = append(files, path)
			}
			if len(files) >= mostFontFiles {
				return fs.SkipAll
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			continue
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}
