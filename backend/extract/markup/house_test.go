package markup

import (
	"path/filepath"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

var readers = map[string]format.Reader{
	".1":   ReadManual,
	".txt": ReadPlain, ".md": ReadMarkdown, ".html": ReadHTML, ".csv": ReadTable, ".tsv": ReadTable, ".go": ReadCode, ".srt": ReadSubtitles, ".ipynb": ReadNotebook, ".rss": ReadXML, ".xml": ReadXML,
}

func extractString(t *testing.T, name, content string) evidence.Document {
	t.Helper()
	return formattest.ReadContent(t, readers[filepath.Ext(name)], name, content)
}

func extractCode(name string, data []byte, lim format.Limits) string {
	return formattest.Code(readers[filepath.Ext(name)], name, data, lim)
}
