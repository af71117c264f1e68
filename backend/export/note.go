package export

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
)

// Vault is a folder of notes, by its absolute path, within which notes link to files.
type Vault struct{ Folder string }

// Holds gives the path of a file from the top of the vault, with slashes; false
// where the file lies elsewhere.
func (v Vault) Holds(path string) (string, bool) {
	if v.Folder == "" || !filepath.IsAbs(path) {
		return "", false
	}
	within, err := filepath.Rel(v.Folder, path)
	if err != nil || within == ".." || strings.HasPrefix(within, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(within), true
}

// Note is one answer as a note of a folder of notes: front matter that says what it
// is and rests on, the answer, and its footnotes. Files of the vault are linked as
// notes are, others are named, and neither tells where on the computer they lie.
// A run without an answer has no note: nil.
func Note(run contract.Run, v Vault) []byte {
	if run.Answer == nil {
		return nil
	}
	t := turnOf(run)
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntitle: %s\nasked: %s\nfootnote: %s\ntags:\n  - footnote\n", quotedYAML(t.Question), t.Asked.Format(time.RFC3339), run.ID)
	for i, s := range t.cited() {
		if i == 0 {
			b.WriteString("sources:\n")
		}
		fmt.Fprintf(&b, "  - %s\n", quotedYAML(v.named(s)))
	}
	fmt.Fprintf(&b, "---\n\n%s\n", inert(t.styled("[^1]", 0)))
	for _, remark := range t.Remarks {
		fmt.Fprintf(&b, "\n> [!note]\n> %s\n", escaped(remark))
	}
	for _, s := range t.cited() {
		fmt.Fprintf(&b, "\n%s: %s", footnote(s.N, "[^1]", 0), v.link(s))
		for _, q := range s.Quotes {
			b.WriteString(" " + escaped(q.words()))
		}
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// named is a source as a property: a link that the vault follows, an address, or a
// name.
func (v Vault) named(s Source) string {
	if within, ok := v.Holds(s.Path); ok && s.Kind == evidence.File {
		return "[[" + linked(within) + "]]"
	}
	if s.URL != "" && s.Kind != evidence.File {
		return s.URL
	}
	return joined(", ", oneLine(s.Title), s.file())
}

// link is a source in the text of a note, at its place.
func (v Vault) link(s Source) string {
	title := oneLine(s.Title)
	if within, ok := v.Holds(s.Path); ok && s.Kind == evidence.File {
		target := linked(within)
		switch {
		case s.Locator.Page > 0:
			target += "#page=" + number(s.Locator.Page)
		case s.Locator.Heading != "" && strings.HasSuffix(within, ".md"):
			target += "#" + strings.TrimSpace(strings.NewReplacer("#", " ", "|", " ", "^", " ", "[", " ", "]", " ").Replace(oneLine(s.Locator.Heading)))
		}
		return "[[" + target + "|" + strings.ReplaceAll(unbracketed(title), "|", " ") + "]]"
	}
	if address := safeLink(s.URL); address != "" && s.Kind != evidence.File {
		return "[" + escaped(unbracketed(title)) + "](<" + strings.NewReplacer("<", "%3C", ">", "%3E").Replace(address) + ">)"
	}
	return escaped(s.plain())
}

// unbracketed is a title that ends no link which it stands in.
func unbracketed(title string) string { return strings.NewReplacer("[", "(", "]", ")").Replace(title) }

// linked is a path as a link has it: notes go without their ending.
func linked(within string) string { return strings.TrimSuffix(within, ".md") }

// quotedYAML writes a text of one line between quotation marks, as YAML reads it. A
// program that knows no front matter takes it for Markdown: it loads nothing there.
func quotedYAML(s string) string {
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(oneLine(s))
	var b strings.Builder
	for i := range len(quoted) {
		if loads(quoted[i:]) {
			fmt.Fprintf(&b, `\x%02X`, quoted[i])
			continue
		}
		b.WriteByte(quoted[i])
	}
	return `"` + b.String() + `"`
}
