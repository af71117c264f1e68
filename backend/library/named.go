package library

import (
	"context"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"footnote/backend/evidence"
	"footnote/backend/lang"
)

// nameMark is an @name at the start of a word; a name of several words stands in
// quotation marks.
var nameMark = regexp.MustCompile(`(^|[\s(\[,;:])@(?:"([^"\n]+)"|“([^”\n]+)”|([\p{L}\p{N}][\p{L}\p{N}._-]*))`)

const mostNamed = 200 // files or folders of one name

// Named looks up the @names in a question: a collection, else the files of this
// name, else the folders. What they name joins the scope; names that were found
// leave the text. The error of a scope with an unknown collection is not-found.
func (l *Library) Named(ctx context.Context, text string, scope evidence.Scope) (evidence.Named, error) {
	n := evidence.Named{Text: text, Ticked: scope}
	list, err := l.Catalog.Collections(ctx)
	if err != nil {
		return n, err
	}
	var rest strings.Builder
	at, code := 0, lang.Spoken(text)
	for _, m := range nameMark.FindAllStringSubmatchIndex(text, -1) {
		mark, name, end := m[3], "", m[1]
		switch {
		case m[4] >= 0:
			name = text[m[4]:m[5]]
		case m[6] >= 0:
			name = text[m[6]:m[7]]
		default: // a full stop may end the sentence, not the name
			name = strings.TrimRight(text[m[8]:m[9]], "._-")
			end = m[8] + len(name)
		}
		found, err := l.tick(ctx, list, name, &n)
		if err != nil {
			return n, err
		}
		if !found {
			continue
		}
		before := strings.TrimRight(text[at:mark], " ")
		unled := lang.WithoutLead(code, before)
		rest.WriteString(unled + " ")
		needed := joins(code, before) || strings.ContainsFunc(text[end:], isWordRune)
		if unled == before && mark > 0 && needed {
			rest.WriteString(name)
		}
		at = end
	}
	rest.WriteString(text[at:])
	if at > 0 {
		n.Text = tidy(rest.String(), text)
	}
	n.Scope, err = l.expand(ctx, n.Ticked)
	n.Ticked.Collections = n.Scope.Collections
	return n, err
}

// joins reports whether a text ends with a word after which a sentence cannot end.
func joins(code lang.Code, text string) bool {
	words := strings.Fields(strings.ToLower(text))
	if len(words) == 0 {
		return false
	}
	last := words[len(words)-1]
	return lang.IsIn(lang.Joining, last) || code.Has(lang.Adposition, last)
}

func isWordRune(r rune) bool { return !strings.ContainsRune(" \t\n?!.,;:)]", r) }

// tidy closes the gaps that names left; a question of nothing but names keeps
// their words.
func tidy(rest, whole string) string {
	rest = strings.Join(strings.Fields(rest), " ")
	rest = strings.TrimLeft(rest, ",;: ")
	for _, mark := range []string{"?", ".", ",", "!"} {
		rest = strings.ReplaceAll(rest, " "+mark, mark)
	}
	if !strings.ContainsFunc(rest, isWordRune) {
		return strings.Map(func(r rune) rune {
			if strings.ContainsRune(`@"“”`, r) {
				return -1
			}
			return r
		}, whole)
	}
	return rest
}

// tick adds what a name stands for to a scope.
func (l *Library) tick(ctx context.Context, list []Collection, name string, n *evidence.Named) (bool, error) {
	if c, ok := collectionOf(list, name); ok {
		n.Ticked.Collections = union(slices.Clone(n.Ticked.Collections), []string{c.ID})
		if len(c.Files)+len(c.Folders) == 0 {
			n.Empty = append(n.Empty, c.Name)
		}
		return true, nil
	}
	files, folders, err := l.called(ctx, name)
	if err != nil {
		return false, err
	}
	switch {
	case len(files) > 0:
		n.Ticked.Files = union(slices.Clone(n.Ticked.Files), files)
	case len(folders) > 0:
		n.Ticked.Folders = union(slices.Clone(n.Ticked.Folders), folders)
	default:
		n.Unknown = append(n.Unknown, evidence.Unknown{Name: name, Hint: collectionHint(list, name)})
		return false, nil
	}
	return true, nil
}

// called finds the listed files of a name, with or without its ending, and the
// folders of it.
func (l *Library) called(ctx context.Context, name string) (files, folders []string, err error) {
	rows, _, err := l.Catalog.Files(ctx, FileQuery{Q: name})
	for _, f := range rows {
		base := filepath.Base(f.Path)
		if strings.EqualFold(base, name) || strings.EqualFold(strings.TrimSuffix(base, filepath.Ext(base)), name) {
			files = append(files, f.ID)
		}
		if dir := folderCalled(filepath.Dir(f.Path), name); dir != "" && !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	return files[:min(len(files), mostNamed)], folders[:min(len(folders), mostNamed)], err
}

// folderCalled is the outermost folder of a path that has a name; empty when
// none has.
func folderCalled(dir, name string) (found string) {
	for ; ; dir = filepath.Dir(dir) {
		if strings.EqualFold(filepath.Base(dir), name) {
			found = dir
		}
		if dir == filepath.Dir(dir) {
			return found
		}
	}
}
