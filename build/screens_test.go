package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryPictureKeptIsShownByTheReadme(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadDir("screens")
	if err != nil || len(kept) == 0 {
		t.Fatalf("%d pictures: %v", len(kept), err)
	}
	for _, picture := range kept {
		if !strings.Contains(string(readme), "(build/screens/"+picture.Name()+")") {
			t.Errorf("%s is shown nowhere: go run ./build screens makes it when it is wanted", picture.Name())
		}
	}
}
