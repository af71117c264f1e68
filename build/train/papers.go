package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
)

// paper is a document of our own making, as people have them, with questions to it. Path
// is collection/shelf/name: the papers of a shelf are one library.
type paper struct {
	Path      string  `json:"path"`
	Text      string  `json:"text"`
	Aside     bool    `json:"aside"` // measured on, never learned from
	Questions []asked `json:"questions"`
}

// asked is a question with the sentences, items or rows of a paper that answer it, each by
// itself, and those that tell a part. Nothing on the shelf answers one without.
type asked struct {
	Question string   `json:"question"`
	Right    []string `json:"right"`
	Partly   []string `json:"partly"`
}

const fewestAlike = 12 // letters of a statement that may be a part of one that answers

func papersByFile() (map[string]paper, error) {
	all, err := packedLines[paper](filepath.Join("build", "train", "papers.jsonl.gz"))
	by := map[string]paper{}
	for _, p := range all {
		by[p.Path] = p
	}
	return by, err
}

// paperAt is the path of a paper that stands at path: its last three parts.
func paperAt(path string) string {
	parts := strings.Split(filepath.ToSlash(path), "/")
	return strings.Join(parts[max(0, len(parts)-3):], "/")
}

// writePapers lays the papers out under a folder, to be made libraries of.
func writePapers(folder string) error {
	all, err := papersByFile()
	if err != nil {
		return err
	}
	for _, p := range all {
		path := filepath.Join(folder, filepath.FromSlash(p.Path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(p.Text), 0o644); err != nil {
			return err
		}
	}
	fmt.Printf("%d papers\n", len(all))
	return nil
}

func (s *shelf) pairOfPaper(of paper, a asked, own []text, ids []int32) pair {
	p := pair{Question: a.Question, Package: filepath.Dir(of.Path), Aside: of.Aside, Asked: ids}
	right := p.label(own, saysOneOf(a.Right), saysOneOf(a.Partly))
	p.Strangers = s.near(ids, right, func(t text) bool {
		return slices.ContainsFunc(own, func(o text) bool { return o.passage == t.passage })
	})
	return p
}

// saysOneOf reports of a statement whether it is, is in, or has one of the sentences, by
// their letters: marks of lists and of emphasis are not read.
func saysOneOf(sentences []string) func(text) bool {
	letters := make([]string, len(sentences))
	for i, s := range sentences {
		letters[i] = lettersOf(s)
	}
	return func(t text) bool {
		says := lettersOf(t.says)
		return slices.ContainsFunc(letters, func(right string) bool {
			return right != "" && says != "" && (right == says || strings.Contains(says, right) || len(says) >= fewestAlike && strings.Contains(right, says))
		})
	}
}

func lettersOf(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
