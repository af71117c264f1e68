// Package exclude says which names below a folder are never read.
package exclude

import (
	"path/filepath"
	"slices"
	"strings"
)

// neverRead are names that hold keys, passwords, mail or browser profiles, or the
// workings of tools: never the reader's documents. The setting library.exclude
// adds to them. A name with "/" matches the end of a path.
var neverRead = strings.Fields(`
	.git .hg .svn .bzr node_modules .cache __pycache__ .venv $RECYCLE.BIN .Trash .Trash-*
	.env .env.* *.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx *.kdb *.ppk *.asc *.gpg id_*
	.ssh .gnupg .aws .azure .kube .docker .password-store .netrc .pgpass .npmrc .pypirc .htpasswd .git-credentials
	.mozilla .thunderbird .config/google-chrome .config/chromium .config/BraveSoftware .config/microsoft-edge
	Library/Keychains Library/Mail Library/Safari Firefox/Profiles Thunderbird/Profiles Google/Chrome Microsoft/Edge
	BraveSoftware/Brave-Browser Chromium/User*Data`)

// Rules decide which names are left out. Letters compare without case.
type Rules struct {
	names   map[string]bool // whole names
	globs   []string
	tails   []string // patterns of several names
	private map[string]bool
	opened  map[string]bool // inside a private folder, and read all the same
}

// New makes the rules: more patterns beside the names that are never read, private
// paths, and those inside them that are read all the same.
func New(more, private, opened []string) Rules {
	e := Rules{names: map[string]bool{}, private: map[string]bool{}, opened: map[string]bool{}}
	for _, path := range opened {
		e.opened[path] = true
	}
	for _, path := range private {
		e.private[path] = true
	}
	for _, pattern := range slices.Concat(neverRead, more) {
		switch pattern = strings.ToLower(pattern); {
		case strings.Contains(pattern, "/"):
			e.tails = append(e.tails, pattern)
		case strings.ContainsAny(pattern, "*?["):
			e.globs = append(e.globs, pattern)
		default:
			e.names[pattern] = true
		}
	}
	return e
}

// Covers reports whether the last name of a path, with the names before it, is
// left out.
func (e Rules) Covers(path string) bool {
	slashed := strings.ToLower(filepath.ToSlash(path))
	base := slashed[strings.LastIndexByte(slashed, '/')+1:]
	if e.private[path] || e.names[base] {
		return true
	}
	matches := func(pattern, name string) bool {
		ok, err := filepath.Match(pattern, name)
		return ok && err == nil // a malformed pattern matches nothing
	}
	return slices.ContainsFunc(e.globs, func(p string) bool { return matches(p, base) }) ||
		slices.ContainsFunc(e.tails, func(p string) bool { return matches(p, lastNames(slashed, strings.Count(p, "/")+1)) })
}

// CoversAny reports whether a path or a folder it stands in is left out.
func (e Rules) CoversAny(path string) bool {
	for p := path; ; p = filepath.Dir(p) {
		if e.Covers(p) {
			return true
		}
		if e.opened[p] || p == filepath.Dir(p) {
			return false
		}
	}
}

func lastNames(path string, n int) string {
	at := len(path)
	for range n {
		at = strings.LastIndexByte(path[:at], '/')
		if at < 0 {
			return path
		}
	}
	return path[at+1:]
}
