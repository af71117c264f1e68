package library_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"footnote/backend/answer/contract"
)

func TestTextsAreReadForWhatIsWanted(t *testing.T) {
	files := map[string]string{"glossary.txt": "Messages are sent on. A ferry is a boat that goes to and fro."}
	for i := range 300 {
		files[fmt.Sprintf("note%d.txt", i)] = fmt.Sprintf("The ferry of pier %d: ferry times, ferry fares.", i)
	}
	l, docs := shelved(t, files)
	defined := func(text string) bool { return strings.Contains(text, "A ferry is") }
	found, err := l.SearchTexts(t.Context(), "ferry", defined, contract.Scope{}, 6)
	must(t, err)
	if len(found) != 1 || filepath.Base(found[0].Source.Address) != "glossary.txt" {
		t.Errorf("found %+v", found)
	}
	found, err = l.SearchTexts(t.Context(), "ferry", defined, contract.Scope{Folders: []string{docs + "/none"}}, 6)
	if err != nil || len(found) != 0 {
		t.Errorf("in no folder: %v %v", found, err)
	}
}
