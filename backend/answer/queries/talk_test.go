package queries

import (
	"testing"

	"footnote/backend/answer/contract"
)

// In a conversation "summarise that" is about what was said; a thing of its own is
// looked for.
func TestAFollowUpMayNameAFile(t *testing.T) {
	history := []contract.Turn{{Question: "Who repairs the tank?"}}
	for text, talk := range map[string]bool{
		"Summarise that": true, "Please shorten your last answer": true, "Translate it into French": true, "Summarise the answer in two lines": true,
		"Explain": true, "explain more": true, "Repeat, please": true, "Translate to German": true, "Shorten the last answer": true,
		"Summarise the bee rules": false, "Explain photosynthesis": false, "Summarize our lease": false, "Explain the waiting list": false,
	} {
		if got := IsSmallTalk(text, history); got != talk {
			t.Errorf("%q: small talk %v", text, got)
		}
	}
}
