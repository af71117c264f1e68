package references

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode"

	"footnote/backend/disk"
)

// Keys are the keys under which the reader cites works, by what names the work:
// see Work.
type Keys map[string]string

// Work is what a source is known by. Empty parts say nothing.
type Work struct{ DOI, URL, Path, Title string }

// names are the entries of a work, the surest first.
func (w Work) names() []string {
	var names []string
	add := func(kind, value string) {
		if value != "" {
			names = append(names, kind+":"+value)
		}
	}
	add("doi", strings.ToLower(strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(w.DOI), "https://doi.org/"), "doi:")))
	if w.Path != "" {
		add("file", filepath.Clean(w.Path))
	}
	add("url", plainURL(w.URL))
	add("title", plainTitle(w.Title))
	return names
}

// plainURL is an address as it is compared: without scheme, fragment and the last
// slash.
func plainURL(address string) string {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Host == "" {
		return ""
	}
	at := strings.TrimSuffix(strings.ToLower(u.Host)+u.EscapedPath(), "/")
	if u.RawQuery != "" {
		at += "?" + u.RawQuery
	}
	return at
}

const fewestTitleWords = 3 // shorter titles are those of many works

// plainTitle is a title as it is compared: its letters and figures.
func plainTitle(title string) string {
	words := strings.FieldsFunc(strings.ToLower(title), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if len(words) < fewestTitleWords {
		return ""
	}
	return strings.Join(words, " ")
}

// Of is the key of a work; empty when none is kept.
func (k Keys) Of(w Work) string {
	for _, name := range w.names() {
		if key := k[name]; key != "" {
			return key
		}
	}
	return ""
}

// Add keeps the key of a work. Two works that share a title have none by it.
func (k Keys) Add(key string, w Work) {
	if key = strings.TrimSpace(key); key == "" || strings.ContainsAny(key, "{}\\,~# %\"'\n") {
		return // none that BibTeX reads back
	}
	for _, name := range w.names() {
		if strings.HasPrefix(name, "title:") && k[name] != "" && k[name] != key {
			k[name] = ""
			continue
		}
		k[name] = key
	}
}

// AddBibTeX keeps the keys of a .bib file that lies in a folder, and counts them.
func (k Keys) AddBibTeX(text, folder string) (int, error) {
	entries, err := ParseBibTeX(text)
	if err != nil {
		return 0, err
	}
	kept := map[string]bool{}
	for _, e := range entries {
		plain := strings.NewReplacer("{", "", "}", "", `\&`, "&", `\_`, "_", `\%`, "%")
		w := Work{DOI: plain.Replace(e.Fields["doi"]), URL: plain.Replace(e.Fields["url"]), Title: plain.Replace(e.Fields["title"])}
		k.Add(e.Key, w)
		for _, path := range e.files(folder) {
			k.Add(e.Key, Work{Path: path})
		}
		if k.Of(w) == e.Key || len(e.files(folder)) > 0 {
			kept[e.Key] = true
		}
	}
	return len(kept), nil
}

// keysBytes is how much of a file of keys is read.
const keysBytes = 64 << 20

// LoadKeys reads what SaveKeys wrote; none where nothing was written yet.
func LoadKeys(path string) (Keys, error) {
	body, err := disk.ReadRegular(path, keysBytes)
	if errors.Is(err, fs.ErrNotExist) {
		return Keys{}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the cite keys: %w", err)
	}
	k := Keys{}
	if err := json.Unmarshal(body, &k); err != nil {
		return nil, fmt.Errorf("read the cite keys in %s: %w", path, err)
	}
	return k, nil
}

// SaveKeys writes the keys, whole or not at all.
func SaveKeys(path string, k Keys) error {
	body, err := json.MarshalIndent(k, "", " ")
	if err != nil {
		return fmt.Errorf("write the cite keys: %w", err)
	}
	fresh := path + ".new"
	if err := os.WriteFile(fresh, body, 0o600); err != nil {
		return fmt.Errorf("write the cite keys: %w", err)
	}
	return os.Rename(fresh, path)
}
