package mail_test

import (
	"context"
	"errors"
	"testing"

	"footnote/backend/evidence"
	"footnote/backend/extract"
	"footnote/backend/extract/format"
	"footnote/backend/extract/formattest"
)

// Messages are read through the whole room: what is attached to them may be a file
// of any kind.
func extractString(t *testing.T, name, content string) evidence.Document {
	t.Helper()
	data := []byte(content)
	doc, err := extract.Extract(t.Context(), extract.MediaType(name, data[:min(len(data), 4096)]), name, data, format.DefaultLimits())
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	formattest.CheckDocument(t, doc)
	return doc
}

func extractCode(name string, data []byte, lim format.Limits) string {
	_, err := extract.Extract(context.Background(), extract.MediaType(name, data[:min(len(data), 4096)]), name, data, lim)
	var e *extract.Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}
