package rank

import (
	"slices"
	"strings"
	"testing"
)

func TestTwinsSayTheSameInAlmostTheSameWords(t *testing.T) {
	words := strings.Fields("the board met in the old hall above the river and spoke of boats nets ropes lamps sails oars hooks barrels salt tar flags drums and bells until the late evening came with rain over town")
	minutes := strings.Join(words, " ") + " 2023"
	texts := []string{
		minutes, strings.Replace(minutes, "boats", "ships", 1), strings.Replace(minutes, "2023", "2024", 1),
		strings.ToUpper(minutes), "something else", "", "", minutes + " and a whole sentence more about other men who came to eat fish there",
	}
	if got, want := Twins(texts), []int{0, 0, 2, 0, 4, 5, 6, 7}; !slices.Equal(got, want) {
		t.Errorf("twins are %v, want %v", got, want)
	}
	if got := Twins(nil); len(got) != 0 {
		t.Errorf("nothing gives %v", got)
	}
}
