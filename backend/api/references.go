package api

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"footnote/backend/disk"
	"footnote/backend/export"
	"footnote/backend/fault"
	"footnote/backend/references"
)

// ZoteroIn is the folder of a data folder that has the texts of Zotero's annotations
// and notes.
func ZoteroIn(dataDir string) string { return filepath.Join(dataDir, "Zotero notes") }

func citeKeysIn(dataDir string) string { return filepath.Join(dataDir, "citekeys.json") }

// citeKeys is held while kept keys are changed.
var citeKeys sync.Mutex

// ZoteroFolder names a data folder of Zotero; empty is the usual one.
type ZoteroFolder struct {
	Folder string `json:"folder"`
}

// ZoteroView tells what of Zotero is in the library now.
type ZoteroView struct {
	Works       int      `json:"works"`       // with files, annotations or notes
	Files       int      `json:"files"`       // of works
	Notes       int      `json:"notes"`       // texts of annotations and notes
	Collections int      `json:"collections"` // made or added to
	CiteKeys    int      `json:"cite_keys"`   // kept
	Missing     []string `json:"missing"`     // files that Zotero has not got on this computer
	Skipped     []string `json:"skipped"`     // paths that the library does not take, with the reason

	Paths []string `json:"-"` // of files and texts
}

// Lines tell of it, for people.
func (v ZoteroView) Lines() []string {
	if len(v.Paths) == 0 {
		return nil
	}
	lines := []string{fmt.Sprintf("Zotero: %d works with %d files, notes and annotations of %d, %d collections, %d cite keys.", v.Works, v.Files, v.Notes, v.Collections, v.CiteKeys)}
	for _, name := range v.Missing {
		lines = append(lines, "not on this computer: "+name)
	}
	for _, skip := range v.Skipped {
		lines = append(lines, "not added: "+skip)
	}
	return lines
}

// AddZotero adds the files of a library of Zotero, which is only read, the texts of
// its annotations and notes, its collections, and keeps its cite keys. Done again it
// brings all of that up to date; texts of works that are gone are removed.
func (s Library) AddZotero(ctx context.Context, in ZoteroFolder) (ZoteroView, error) {
	folder := references.ZoteroFolder()
	if in.Folder != "" {
		folder = homed([]string{in.Folder})[0]
	}
	z, err := references.ReadZotero(ctx, folder)
	if err != nil {
		return ZoteroView{}, err
	}
	view := ZoteroView{Works: len(z.Items), Missing: append([]string{}, z.Missing...), Skipped: []string{}}
	paths, err := s.zoteroTexts(z)
	if err != nil {
		return view, err
	}
	for _, it := range z.Items {
		view.Files += len(it.Files)
		if it.Text() != "" {
			view.Notes++
		}
		view.Paths = append(view.Paths, paths[it.ID]...)
	}
	if len(view.Paths) == 0 {
		return view, fault.New(fault.NotFound, "There is nothing of Zotero's to read in "+folder+".", "Works need files on this computer, annotations or notes.")
	}
	if err := s.addZotero(ctx, "", view.Paths, &view); err != nil {
		return view, err
	}
	for _, c := range z.Collections {
		var members []string
		for _, id := range c.Items {
			members = append(members, paths[id]...)
		}
		if len(members) == 0 {
			continue
		}
		if err := s.addZotero(ctx, collectionName(c.Name), members, &view); err != nil {
			return view, err
		}
		view.Collections++
	}
	view.CiteKeys, err = s.keepKeys(func(k references.Keys) (int, error) { return keysOfZotero(k, z, paths), nil })
	return view, err
}

// collectionName is the name of a collection of Zotero as one of the library: written
// as @zotero-…, of at most 60 characters.
func collectionName(name string) string {
	words := strings.FieldsFunc(strings.ReplaceAll(name, " / ", " - "), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune("@/\\\"'“”„«»‘’`", r)
	})
	runes := []rune("Zotero " + strings.Join(words, " "))
	return strings.TrimSpace(string(runes[:min(len(runes), 60)]))
}

func (s Library) addZotero(ctx context.Context, collection string, paths []string, view *ZoteroView) error {
	watch := false
	added, err := s.Add(ctx, AddRequest{Paths: paths, Watch: &watch, Collection: collection})
	for _, skip := range added.Skipped {
		if line := skip.Path + ": " + skip.Reason; !slices.Contains(view.Skipped, line) {
			view.Skipped = append(view.Skipped, line)
		}
	}
	return err
}

// zoteroTexts writes the texts of works and gives the paths of each work: its files
// and its text.
func (s Library) zoteroTexts(z references.Zotero) (map[int64][]string, error) {
	dir := ZoteroIn(s.Settings.DataDir())
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fault.Wrap(err, fault.DiskFull, "The notes of Zotero cannot be written to the data folder.", "Check the data folder.")
	}
	paths, names := map[int64][]string{}, map[string]bool{}
	for _, it := range z.Items {
		paths[it.ID] = slices.Clone(it.Files)
		text := it.Text()
		if text == "" {
			continue
		}
		at := filepath.Join(dir, it.Name())
		names[it.Name()] = true
		if err := writeChanged(at, []byte(text)); err != nil {
			return nil, fault.Wrap(err, fault.DiskFull, "The notes of Zotero cannot be written to the data folder.", "Check the data folder.")
		}
		paths[it.ID] = append(paths[it.ID], at)
	}
	old, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range old {
		if !names[e.Name()] && strings.Contains(e.Name(), "(notes ") {
			if err := os.Remove(filepath.Join(dir, e.Name())); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
	}
	return paths, nil
}

// writeChanged writes a file unless it says the same already.
func writeChanged(path string, body []byte) error {
	if there, err := disk.ReadRegular(path, int64(len(body))); err == nil && string(there) == string(body) {
		return nil
	}
	return os.WriteFile(path, body, 0o600)
}

func keysOfZotero(k references.Keys, z references.Zotero, paths map[int64][]string) (kept int) {
	for _, it := range z.Items {
		if it.CiteKey == "" {
			continue
		}
		k.Add(it.CiteKey, references.Work{DOI: it.DOI, URL: it.URL, Title: it.Title})
		for _, path := range paths[it.ID] {
			k.Add(it.CiteKey, references.Work{Path: path})
		}
		kept++
	}
	return kept
}

// BibTeX is the text of a .bib file and the folder it lies in.
type BibTeX struct {
	Text   string `json:"text"`
	Folder string `json:"folder"` // paths in the text may be relative to it
}

// CiteKeys tells how many keys are kept.
type CiteKeys struct {
	CiteKeys int `json:"cite_keys"`
}

// AddCiteKeys keeps the keys of a .bib file, so that references of exports have them.
func (s Library) AddCiteKeys(_ context.Context, in BibTeX) (CiteKeys, error) {
	n, err := s.keepKeys(func(k references.Keys) (int, error) { return k.AddBibTeX(in.Text, in.Folder) })
	if err == nil && n == 0 {
		err = fault.New(fault.InvalidRequest, "No entry with a DOI, an address, a file or a title was found.", "Choose a .bib file with such entries.")
	}
	return CiteKeys{n}, err
}

func (s Library) keepKeys(add func(references.Keys) (int, error)) (int, error) {
	citeKeys.Lock()
	defer citeKeys.Unlock()
	path := citeKeysIn(s.Settings.DataDir())
	k, err := references.LoadKeys(path)
	if err != nil {
		return 0, err
	}
	n, err := add(k)
	if err != nil || n == 0 {
		return n, err
	}
	return n, references.SaveKeys(path, k)
}

// keyOf gives the kept key of a source.
func (s Exports) keyOf() (func(export.Source) string, error) {
	k, err := references.LoadKeys(citeKeysIn(s.Settings.DataDir()))
	return func(src export.Source) string {
		return k.Of(references.Work{DOI: src.DOI(), URL: src.URL, Path: src.Path, Title: src.Title})
	}, err
}
