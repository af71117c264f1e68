package copies

import (
	"slices"
	"testing"
)

func TestASentenceHasTheSourcesThatSayIt(t *testing.T) {
	of := Of{}
	if !of.First("The causeway closes at noon.", 1) || of.First("The causeway closes at noon.", 2) || of.First("The causeway closes at noon.", 2) || !of.First("The causeway opens at noon.", 3) {
		t.Error("first is not the first")
	}
	if got := of.Others("The causeway closes at noon.", 2); !slices.Equal(got, []int{1}) {
		t.Errorf("others %v", got)
	}
	if got := of.Others("Nobody says so.", 2); len(got) != 0 {
		t.Errorf("others %v", got)
	}
}
