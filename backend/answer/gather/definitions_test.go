package gather

import (
	"context"
	"fmt"
	"testing"

	"footnote/backend/answer/contract"
	"footnote/backend/evidence"
)

// longShelf has one passage that says what a layer is, far down.
type longShelf struct{ Shelf }

func (longShelf) Search(_ context.Context, _ string, _ contract.Scope, n int) ([]evidence.Found, error) {
	all := make([]evidence.Found, 60)
	for i := range all {
		all[i].Passage = evidence.Passage{ID: evidence.PassageID(fmt.Sprint(i)), Text: "Choose a layer and press the button."}
	}
	all[50].Passage.Text = "Choose a layer. A layer is a sheet of glass."
	return all[:min(n, len(all))], nil
}

func TestWhatATermIsIsLookedForFurtherDown(t *testing.T) {
	for question, want := range map[string]evidence.PassageID{"What is a layer?": "50", "Which layer is chosen?": "0"} {
		found, err := searchShelf(t.Context(), longShelf{}, question, contract.Scope{}, ShelfPassages)
		if err != nil || len(found) != ShelfPassages || found[0].Passage.ID != want {
			t.Errorf("%s: %v %d %s", question, err, len(found), found[0].Passage.ID)
		}
	}
}

// glossary is a Shelf whose search finds only what uses a term.
type glossary struct{ Shelf }

func (glossary) Search(_ context.Context, _ string, _ contract.Scope, n int) ([]evidence.Found, error) {
	all := make([]evidence.Found, n)
	for i := range all {
		all[i].Passage = evidence.Passage{ID: evidence.PassageID(fmt.Sprint(i)), Text: "Choose a layer and press the button."}
	}
	return all, nil
}

func (glossary) SearchTexts(_ context.Context, words string, wanted func(string) bool, _ contract.Scope, _ int) (found []evidence.Found, err error) {
	for _, text := range []string{"The " + words + " is chosen.", "A " + words + " is a sheet of glass."} {
		if wanted(text) {
			found = append(found, evidence.Found{Passage: evidence.Passage{ID: "said", Text: text}})
		}
	}
	return found, nil
}

func TestWhatATermIsIsLookedForInAllThatHasIt(t *testing.T) {
	for question, want := range map[string]evidence.PassageID{"What is a layer?": "said", "Which layer is chosen?": "0"} {
		found, err := searchShelf(t.Context(), glossary{}, question, contract.Scope{}, ShelfPassages)
		if err != nil || len(found) != ShelfPassages || found[0].Passage.ID != want {
			t.Errorf("%s: %v %d %s", question, err, len(found), found[0].Passage.ID)
		}
	}
}
