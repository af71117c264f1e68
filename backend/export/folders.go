package export

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"footnote/backend/answer/trace"
	"footnote/backend/evidence"
)

const literal = `"(?:[^"\\]|\\.)*"`

var (
	placed   = regexp.MustCompile(`"(?:path|address)"\s*:\s*` + literal + `|"(?:files|folders|also_in)"\s*:\s*\[\s*` + literal + `(?:\s*,\s*` + literal + `)*`)
	literals = regexp.MustCompile(literal)
	absolute = regexp.MustCompile(`^(?:/|\\\\|[A-Za-z]:[/\\])`)
)

// WithoutFolders leaves of each path in JSON that is taken away the name alone:
// the folders above it tell of the computer, and of whose it is. Quotation marks
// within a text are escaped, so no text is taken for a path.
func WithoutFolders(body []byte) []byte {
	return placed.ReplaceAllFunc(body, func(field []byte) []byte { return literals.ReplaceAllFunc(field, nameAlone) })
}

func nameAlone(quoted []byte) []byte {
	var path string
	if json.Unmarshal(quoted, &path) != nil || !absolute.MatchString(path) {
		return quoted
	}
	name, err := json.Marshal(baseName(path))
	if err != nil {
		return quoted
	}
	return name
}

func baseName(path string) string {
	path = strings.TrimRight(path, `/\`)
	return path[strings.LastIndexAny(path, `/\`)+1:]
}

// byName are the documents of a thread with files under their names, as a bundle
// holds them, and what changes their ids, which are made of the address, wherever
// they stand. One file that was read in two folders is one.
func byName(docs []trace.KeptDocument) ([]trace.KeptDocument, *strings.Replacer) {
	var out []trace.KeptDocument
	var renamed []string
	at := map[evidence.SourceID]int{}
	for _, d := range docs {
		if old := d.Source.ID; d.Source.Kind == evidence.File && absolute.MatchString(d.Source.Address) {
			d.Source.Address = baseName(d.Source.Address)
			d.Source.ID = evidence.NewSourceID(evidence.File, d.Source.Address, d.Source.Digest)
			renamed = append(renamed, string(old), string(d.Source.ID))
		}
		if i, there := at[d.Source.ID]; there {
			out[i].Passages = union(out[i].Passages, d.Passages)
			continue
		}
		at[d.Source.ID] = len(out)
		out = append(out, d)
	}
	return out, strings.NewReplacer(renamed...)
}

func union(passages, more []evidence.Passage) []evidence.Passage {
	all := slices.Clone(passages)
	for _, p := range more {
		if !slices.ContainsFunc(all, func(q evidence.Passage) bool { return q.ID == p.ID }) {
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b evidence.Passage) int { return a.Index - b.Index })
	return all
}

// renamedAll are ids as a replacer changes them, each once and in order.
func renamedAll(ids []evidence.SourceID, r *strings.Replacer) []evidence.SourceID {
	out := make([]evidence.SourceID, len(ids))
	for i, id := range ids {
		out[i] = evidence.SourceID(r.Replace(string(id)))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
