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

func TestWordsWithoutMeaningNameNoFile(t *testing.T) {
	names := []string{"Contrat de pension 2024", "consignes chenil", "Tarifs 2024"}
	if got := FileNameMatch("qui a le droit de piquer l'insuline", names, nil); got[0] != 0 {
		t.Errorf("%v", got)
	}
	if got := FileNameMatch("que dit le contrat de pension 2024 ?", names, nil); got[0] <= got[2] {
		t.Errorf("%v", got)
	}
}
