package extract

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestOfficeFilesHoldWhatOthersRead holds that hardly a word is missing that the
// references of the shared set have, or that pandoc reads. Their counts cannot be
// held: references repeat merged cells, show stored instead of shown numbers and
// leave speaker's notes out; pandoc leaves text boxes and nested tables out.
func TestOfficeFilesHoldWhatOthersRead(t *testing.T) {
	dir, entries := corpus(t)
	found, all := map[string]int{}, map[string]int{}
	f1, files := map[string]float64{}, map[string]int{}
	for _, e := range entries {
		if e.Category != "normal" || !slices.Contains([]string{"docx", "pptx", "xlsx", "xlsm", "odt", "ods", "odp", "rtf", "epub"}, e.Format) {
			continue
		}
		path := filepath.Join(dir, e.File)
		want := othersRead(t, dir, e)
		if len(words(want)) < 3 {
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		doc, err := Extract(t.Context(), MediaType(e.File, data[:min(len(data), sniffed)]), e.File, data, DefaultLimits())
		got := words(doc.Text)
		var missing []string
		for w := range words(want) {
			if all[e.Format]++; got[w] > 0 {
				found[e.Format]++
			} else {
				missing = append(missing, w)
			}
		}
		f := wordF1(doc.Text, want)
		f1[e.Format] += f
		files[e.Format]++
		if f < 0.97 || len(missing) > 0 {
			slices.Sort(missing)
			t.Logf("F1 %.3f %s, missing %.300q (%v)", f, e.File, strings.Join(missing, " "), err)
		}
	}
	for format, n := range all {
		t.Logf("%s: %d of %d words, mean F1 %.3f over %d", format, found[format], n, f1[format]/float64(files[format]), files[format])
		if found[format]*100 < n*88 {
			t.Errorf("%s: %d of %d words are found", format, found[format], n)
		}
	}
}

// othersRead is the reference of a document, or what pandoc makes of it.
func othersRead(t *testing.T, dir string, e corpusEntry) string {
	for _, ref := range e.Refs {
		if data, err := os.ReadFile(filepath.Join(dir, ref.File+ref.Path)); err == nil {
			return string(data)
		}
	}
	if !slices.Contains([]string{"docx", "odt", "rtf", "epub"}, e.Format) {
		return ""
	}
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	out, err := exec.CommandContext(ctx, "pandoc", "-f", e.Format, "-t", "plain", "--wrap=none", filepath.Join(dir, e.File)).Output()
	if err != nil || strings.Contains(e.File, "Codepage1250") { // pandoc does not know the code page
		return ""
	}
	return string(out)
}
