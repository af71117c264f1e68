package extract

import (
	"strings"
	"testing"

	"footnote/backend/extract/formattest"
)

// FuzzExtractContainers reads any bytes as what lies in the container of the older
// office programs, messages with their attachments among it.
func FuzzExtractContainers(f *testing.F) {
	f.Add(formattest.ContainerOf("__properties_version1.0", "", "__substg1.0_1000001F", formattest.UTF16Of("The ferry sank.")))
	f.Add(formattest.ContainerOf("__properties_version1.0", "", "WordDocument", "x"))
	lim := DefaultLimits()
	lim.Text, lim.Entry, lim.Archive = 1<<20, 4<<20, 8<<20
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, mediaType := range []string{outlookType, docType} {
			doc, err := Extract(t.Context(), mediaType, "file", data, lim)
			if err == nil {
				formattest.CheckDocument(t, doc)
			} else if strings.Contains(err.Error(), "parser panic") {
				t.Fatalf("%s: %v", mediaType, err)
			}
		}
	})
}
