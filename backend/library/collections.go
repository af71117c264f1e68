package library

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"footnote/backend/evidence"
	"footnote/backend/fault"
	"footnote/backend/library/walk"
)

// Collection is a named set of files and folders of the library. Files that move
// stay in it; what is removed from the library is no longer found through it.
type Collection struct {
	ID      string
	Name    string
	Files   []string // ids
	Folders []string // absolute paths
	Made    time.Time
}

// CollectionBook keeps collections in the order in which they were made.
// PutCollection inserts or replaces by id; a name that another one has, compared
// by CollectionKey, is fault invalid-request.
type CollectionBook interface {
	Collections(ctx context.Context) ([]Collection, error)
	PutCollection(ctx context.Context, c Collection) error
	DropCollection(ctx context.Context, id string) error
}

const (
	collectionChars = 60 // of a name
	mostCollections = 500
	mostCollected   = 5000 // files and folders of one collection
	idPrefix        = "col_"
)

// CollectionKey is a name as it is compared: letters alike in both cases, blanks,
// hyphens and underscores alike.
func CollectionKey(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), func(r rune) bool {
		return unicode.IsSpace(r) || r == '-' || r == '_'
	}), "-")
}

// Collections lists the reader's collections, oldest first.
func (l *Library) Collections(ctx context.Context) ([]Collection, error) {
	return l.Catalog.Collections(ctx)
}

// Collection finds one by id or name. A missing one is fault not-found, whose
// hint names the one that was probably meant.
func (l *Library) Collection(ctx context.Context, idOrName string) (Collection, error) {
	list, err := l.Catalog.Collections(ctx)
	if err != nil {
		return Collection{}, err
	}
	if c, ok := collectionOf(list, idOrName); ok {
		return c, nil
	}
	return Collection{}, fault.New(fault.NotFound, fmt.Sprintf("There is no collection “%s”.", idOrName), collectionHint(list, idOrName))
}

func collectionOf(list []Collection, idOrName string) (Collection, bool) {
	key := CollectionKey(idOrName)
	i := slices.IndexFunc(list, func(c Collection) bool { return c.ID == idOrName || CollectionKey(c.Name) == key })
	if i < 0 {
		return Collection{}, false
	}
	return list[i], true
}

// collectionHint says what a name was probably meant to be.
func collectionHint(list []Collection, name string) string {
	if len(list) == 0 {
		return "There are no collections yet; make one in the library."
	}
	key := CollectionKey(name)
	names := make([]string, 0, len(list))
	for _, c := range list {
		other := CollectionKey(c.Name)
		if strings.HasPrefix(other, key) || strings.HasPrefix(key, other) || oneEdit(key, other) {
			return fmt.Sprintf("Did you mean “%s”?", c.Name)
		}
		names = append(names, "“"+c.Name+"”")
	}
	if more := len(names) - 5; more > 0 {
		names = append(names[:5], fmt.Sprintf("%d more", more))
	}
	return "There are: " + strings.Join(names, ", ") + "."
}

// oneEdit reports whether two keys differ by one letter that is added, left out or
// another, or by two neighbours that changed places.
func oneEdit(a, b string) bool {
	x, y := []rune(a), []rune(b)
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	for len(x) > 0 && len(y) > 0 && x[len(x)-1] == y[len(y)-1] {
		x, y = x[:len(x)-1], y[:len(y)-1]
	}
	swapped := len(x) == 2 && len(y) == 2 && x[0] == y[1] && x[1] == y[0]
	return len(x) <= 1 && len(y) <= 1 || swapped
}

// MakeCollection makes a collection of what members name: ids of files and
// folders, or paths that are in the library. Faults: invalid-request for a name
// that is none or taken, not-found for a member that is not in the library.
func (l *Library) MakeCollection(ctx context.Context, name string, members []string) (Collection, error) {
	list, err := l.Catalog.Collections(ctx)
	if err != nil {
		return Collection{}, err
	}
	if len(list) >= mostCollections {
		return Collection{}, fault.New(fault.InvalidRequest, fmt.Sprintf("There are %d collections already.", mostCollections), "Delete one.")
	}
	c := Collection{ID: evidence.ID("col", name, l.Now().String()), Name: name, Made: l.Now()}
	if _, taken := collectionOf(list, name); taken {
		return c, fault.New(fault.InvalidRequest, "Another collection has this name.", "Choose another name, or add to that one.")
	}
	return l.putCollection(ctx, c, members)
}

// ChangeCollection gives a collection, found by id or name, another name and
// other members; an empty name and nil members leave what there is.
func (l *Library) ChangeCollection(ctx context.Context, idOrName, name string, members []string) (Collection, error) {
	c, err := l.Collection(ctx, idOrName)
	if err != nil {
		return c, err
	}
	if name != "" {
		c.Name = name
	}
	if members == nil {
		members = slices.Concat(c.Files, c.Folders)
	}
	c.Files, c.Folders = nil, nil
	return l.putCollection(ctx, c, members)
}

// CanCollect tells whether Collect would take an id or name: a fault not-found or
// invalid-request when it would not.
func (l *Library) CanCollect(ctx context.Context, idOrName string) error {
	_, err := l.Collection(ctx, idOrName)
	if fault.CodeOf(err) == fault.NotFound && !strings.HasPrefix(idOrName, idPrefix) {
		return checkCollectionName(idOrName)
	}
	return err
}

func checkCollectionName(name string) error {
	n := utf8.RuneCountInString(strings.TrimSpace(name))
	switch {
	case n == 0 || n > collectionChars || CollectionKey(name) == "":
		return fault.New(fault.InvalidRequest, fmt.Sprintf("A collection's name has 1 to %d characters.", collectionChars), "Give it a short name.")
	case !utf8.ValidString(name) || strings.ContainsAny(name, "@\"“”/\\\n") || strings.ContainsFunc(name, unicode.IsControl) || strings.HasPrefix(name, idPrefix):
		return fault.New(fault.InvalidRequest, "A collection's name has no @, no slash and no quotation mark.", "Choose a name that can be written as @name.")
	}
	return nil
}

// Collect adds members to a collection, which is made when there is none of this
// name.
func (l *Library) Collect(ctx context.Context, idOrName string, members []string) (Collection, error) {
	c, err := l.Collection(ctx, idOrName)
	if fault.CodeOf(err) == fault.NotFound && !strings.HasPrefix(idOrName, idPrefix) {
		return l.MakeCollection(ctx, idOrName, members)
	}
	if err != nil {
		return c, err
	}
	return l.putCollection(ctx, c, members)
}

// Uncollect takes members out of a collection. One that is not in it is fault
// not-found.
func (l *Library) Uncollect(ctx context.Context, idOrName string, members []string) (Collection, error) {
	c, err := l.Collection(ctx, idOrName)
	if err != nil {
		return c, err
	}
	for _, m := range members {
		names := []string{m}
		if files, err := l.named(ctx, names); err != nil {
			return c, err
		} else if len(files) > 0 {
			names = append(names, files[0].ID)
		}
		out := func(member string) bool { return slices.Contains(names, member) }
		before := len(c.Files) + len(c.Folders)
		c.Files, c.Folders = slices.DeleteFunc(c.Files, out), slices.DeleteFunc(c.Folders, out)
		if len(c.Files)+len(c.Folders) == before {
			return c, fault.New(fault.NotFound, fmt.Sprintf("%s is not in the collection “%s”.", m, c.Name), "Look at what it holds.")
		}
	}
	return c, l.Catalog.PutCollection(ctx, c)
}

// DropCollection forgets a collection, by id or name; its files stay.
func (l *Library) DropCollection(ctx context.Context, idOrName string) error {
	c, err := l.Collection(ctx, idOrName)
	if err != nil {
		return err
	}
	return l.Catalog.DropCollection(ctx, c.ID)
}

// putCollection checks a name, adds members to what a collection has, and stores
// it.
func (l *Library) putCollection(ctx context.Context, c Collection, members []string) (Collection, error) {
	if err := checkCollectionName(c.Name); err != nil {
		return c, err
	}
	c.Name = strings.Join(strings.Fields(c.Name), " ")
	roots, err := l.Catalog.Roots(ctx)
	if err != nil {
		return c, err
	}
	for _, m := range members {
		if slices.Contains(c.Files, m) || slices.Contains(c.Folders, m) {
			continue
		}
		file, folder, err := l.memberOf(ctx, roots, m)
		switch {
		case err != nil:
			return c, err
		case file != "" && !slices.Contains(c.Files, file):
			c.Files = append(c.Files, file)
		case folder != "" && !slices.Contains(c.Folders, folder):
			c.Folders = append(c.Folders, folder)
		}
	}
	if len(c.Files)+len(c.Folders) > mostCollected {
		return c, fault.New(fault.InvalidRequest, fmt.Sprintf("A collection holds %d files and folders at most.", mostCollected), "Name their folder instead.")
	}
	c.Files, c.Folders = nonNil(c.Files), nonNil(c.Folders)
	return c, l.Catalog.PutCollection(ctx, c)
}

func nonNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// memberOf finds what an id or a path names: a file of the library, by its id, or
// a folder in it or around parts of it, by its path.
func (l *Library) memberOf(ctx context.Context, roots []Root, name string) (file, folder string, err error) {
	files, err := l.named(ctx, []string{name})
	if err != nil {
		return "", "", err
	}
	if len(files) > 0 {
		return files[0].ID, "", nil
	}
	if i := slices.IndexFunc(roots, func(r Root) bool { return r.ID == name }); i >= 0 {
		return "", roots[i].Path, nil
	}
	at := name
	if real, err := filepath.EvalSymlinks(name); err == nil {
		at = real
	}
	_, within := covering(roots, at)
	around := slices.ContainsFunc(roots, func(r Root) bool {
		return strings.HasPrefix(r.Path, strings.TrimRight(at, walk.Separator)+walk.Separator)
	})
	if filepath.IsAbs(at) && (within || around) {
		return "", filepath.Clean(at), nil
	}
	return "", "", fault.New(fault.NotFound, fmt.Sprintf("%s is not in the library.", name), "Add it first.")
}

// expand resolves the collections of a scope into the files and folders they
// name now. The collections stay in it: a scope of empty ones finds nothing.
func (l *Library) expand(ctx context.Context, scope evidence.Scope) (evidence.Scope, error) {
	if len(scope.Collections) == 0 {
		return scope, nil
	}
	scope.Files, scope.Folders, scope.Collections = slices.Clone(scope.Files), slices.Clone(scope.Folders), slices.Clone(scope.Collections)
	for i, name := range scope.Collections {
		c, err := l.Collection(ctx, name)
		if err != nil {
			return scope, err
		}
		scope.Collections[i] = c.ID
		scope.Files, scope.Folders = union(scope.Files, c.Files), union(scope.Folders, c.Folders)
	}
	return scope, nil
}

func union(list, more []string) []string {
	for _, m := range more {
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}
