// Command train trains the small classifiers of Footnote, in the root of a checkout:
//
//	go run ./build train intents DATA  what tells small talk from questions
//	go run ./build train headings      what tells the headings of due diligence
//	go run ./build train centre        what questions in many languages have in common
//	go run ./build train pairs OUT LIBRARY...
//	                                   what the joint encoder learns from, for joint.py
//	go run ./build train papers DIR    the papers that some of it was written for
//
// It is a program of its own, so that building and testing need not compile the
// rooms and weights that it works with.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 1 && args[0] == "headings":
		return trainHeadings(context.Background())
	case len(args) == 1 && args[0] == "centre":
		return centre()
	case len(args) > 2 && args[0] == "pairs":
		return pairs(args[1], args[2:])
	case len(args) == 2 && args[0] == "papers":
		return writePapers(args[1])
	case len(args) == 2 && args[0] == "intents":
		return intents(args[1])
	}
	return errors.New("say what is trained: go run ./build train headings, go run ./build train centre, go run ./build train pairs OUT LIBRARY..., go run ./build train papers DIR or go run ./build train intents DATA")
}
