package rank

import (
	"strings"
	"testing"
)

func TestANameInWordsSaysItsQuarterAndThatItIsTheNewest(t *testing.T) {
	if got := NameInWords("What was the margin in the most recent report?", "2023 Q3 AAPL", FileNameWeight); !strings.Contains(got, "third quarter") || !strings.Contains(got, "most recent") {
		t.Errorf("%q", got)
	}
	if got := NameInWords("What was the margin in the most recent report?", "notes", 0); got != "notes" {
		t.Errorf("%q", got)
	}
}
