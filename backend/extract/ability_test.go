package extract

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAbilityChangesWithProgramsAndLimits(t *testing.T) {
	tools := t.TempDir()
	t.Setenv("PATH", tools)
	lim := DefaultLimits()
	bare := Ability(t.Context(), lim)
	if err := os.WriteFile(filepath.Join(tools, "pdftotext"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	more := Ability(t.Context(), lim)
	if bare == more || !strings.Contains(more, "pdftotext") || more != Ability(t.Context(), lim) {
		t.Errorf("%q, then %q", bare, more)
	}
	if lim.Pages++; Ability(t.Context(), lim) == more {
		t.Error("another limit is the same ability")
	}
}
