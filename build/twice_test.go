package main

import (
	"slices"
	"testing"
)

func TestFilesThatDifferAreNamed(t *testing.T) {
	first := "aa  one.deb\nbb  two.rpm\n"
	if got := differing(first, first); len(got) != 0 {
		t.Errorf("equal lists differ in %v", got)
	}
	for second, want := range map[string][]string{
		"aa  one.deb\nb0  two.rpm\n":                {"two.rpm"},
		"aa  one.deb\n":                             {"two.rpm"},
		"aa  one.deb\nbb  two.rpm\ncc  three.zip\n": {"three.zip"},
	} {
		if got := differing(first, second); !slices.Equal(got, want) {
			t.Errorf("%q: %v, and not %v", second, got, want)
		}
	}
}
