package command

import (
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Opening is what the window is opened with.
type Opening struct {
	Paths  []string // files and folders to add to the library; absolute
	Place  string   // where the page goes: what stands after its origin; empty where it is
	Hidden bool     // the window is not shown yet
	Box    bool     // the box is shown, or hidden again, in place of the window
}

const linkScheme = "footnote://"

// openingOf reads the words after the program's name: paths, and links that the
// system hands over. Relative paths begin at dir.
func openingOf(dir string, args []string) (Opening, error) {
	var o Opening
	var paths []string
	for _, arg := range args {
		if !strings.HasPrefix(strings.ToLower(arg), linkScheme) {
			paths = append(paths, pathOf(arg))
			continue
		}
		if strings.TrimRight(strings.ToLower(arg), "/") == linkScheme+"box" {
			o.Box = true
			continue
		}
		place, ok := linkedPlace(arg)
		if !ok {
			return Opening{}, usage("this is not a link that Footnote knows; it knows footnote://ask?q=…, footnote://thread/<id>, footnote://source/<id>#<passage> and footnote://library")
		}
		o.Place = place
	}
	o.Paths = absolute(dir, paths)
	return o, nil
}

// pathOf is the path that an argument names: file managers hand over addresses
// of files.
func pathOf(arg string) string {
	u, err := url.Parse(arg)
	if err != nil || u.Scheme != "file" || u.Host != "" && u.Host != "localhost" {
		return arg
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path)
}

var linkID = regexp.MustCompile(`^[a-z]{3}_[0-9a-z]{10,64}$`)

// linkedPlace turns a link into a place of the page. A link may come from any web
// page, so it only shows: a question it brings waits for Enter, and ids that are
// not of the right form are refused.
func linkedPlace(link string) (place string, ok bool) {
	u, err := url.Parse(link)
	if err != nil || len(link) > 8<<10 || !utf8.ValidString(link) {
		return "", false
	}
	id := strings.Trim(u.Path, "/")
	switch kind := strings.ToLower(u.Host); {
	case kind == "ask" && id == "":
		return "/?" + url.Values{"q": {u.Query().Get("q")}}.Encode(), true
	case kind == "library" && id == "":
		return "/#/library", true
	case kind == "" && id == "":
		return "/#/", true
	case kind == "thread" && strings.HasPrefix(id, "thr_") && linkID.MatchString(id):
		return "/#/thread/" + id + noteOf(u.Query()), true
	case kind == "source" && strings.HasPrefix(id, "src_") && linkID.MatchString(id) && strings.HasPrefix(u.Fragment, "psg_") && linkID.MatchString(u.Fragment):
		return "/#/library?passage=" + u.Fragment, true
	}
	return "", false
}

// noteOf is the run and the footnote that a link to a thread opens.
func noteOf(q url.Values) string {
	place := url.Values{}
	if run := q.Get("run"); strings.HasPrefix(run, "run_") && linkID.MatchString(run) {
		place.Set("run", run)
	}
	if n, err := strconv.Atoi(q.Get("note")); err == nil && n > 0 {
		place.Set("note", strconv.Itoa(n))
	}
	if len(place) == 0 {
		return ""
	}
	return "?" + place.Encode()
}
