package export

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestANoteLinksWhatTheVaultHolds(t *testing.T) {
	run := sampleThread().Runs[0]
	vault := filepath.FromSlash("/home/ann")
	note := string(Note(run, Vault{vault}))
	for _, part := range []string{
		"---\ntitle: \"When was the bridge opened?\"\nasked: 2026-03-01T10:00:00Z\nfootnote: run_aaaaaaaaaaaaaaaa\ntags:\n  - footnote\nsources:\n  - \"[[History_of_it.pdf]]\"\n  - \"https://doi.org/10.1000/xyz_1\"\n---\n\n# The Lorne bridge",
		"**opened in 1932**[^1] and cost",
		"\n[^1]: [[History_of_it.pdf#page=4|History of *bridges* & {roads]] “what the source says of 0”",
		"\n[^2]: [Costs: 50% over](<https://doi.org/10.1000/xyz_1>)",
	} {
		if !strings.Contains(note, part) {
			t.Errorf("no %q in\n%s", part, note)
		}
	}
	run.Answer.Sources[0].Path = filepath.FromSlash("/home/ann/Law/Lease.md")
	run.Answer.Sources[0].Locator.Page, run.Answer.Sources[0].Locator.Heading = 0, "Notice | [period]"
	if note := string(Note(run, Vault{vault})); !strings.Contains(note, "[^1]: [[Law/Lease#Notice    period|History") {
		t.Error(note)
	}
	elsewhere := string(Note(run, Vault{filepath.FromSlash("/home/ann/vault")}))
	if strings.Contains(elsewhere, "/home") || strings.Contains(elsewhere, "[[") || !strings.Contains(elsewhere, "Lease.md") {
		t.Error(elsewhere)
	}
	if Note(sampleThread().Runs[1], Vault{}) != nil {
		t.Error("a run without an answer has a note")
	}
}
