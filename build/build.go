// Command build does all set-up and every check of the project:
//
//	go run ./build demo     build Footnote and ask the bundled sample library a question
//	go run ./build test     run the tests
//	go run ./build check    vet, staticcheck, race, front-end, client and browser checks
//	go run ./build fuzz     search every parser of outside input for what breaks it
//	go run ./build types    the front end's types, written anew from the Go types and routes
//	go run ./build pages    the built pages, packed for the program (npm run build does it)
//	go run ./build app      build the desktop program (Linux window)
//	go run ./build window   the main job in the real window and in WebKit (Linux)
//	go run ./build serve    build, then open the same UI in the browser over the sample library
//	go run ./build clients  ask Footnote with the official clients of OpenAI and of the Model Context Protocol
//	go run ./build screens  screenshots of every screen in both sizes and themes (build/out/screens)
//	go run ./build icons    every icon drawn anew from build/icons/logo.svg
//	go run ./build release  what people install (--only linux,windows,macos,macos-app; --twice compares two builds, --finish sums up those of several machines)
//	go run ./build weights FILE  remake the encoder's file from model.safetensors
//	go run ./build train intents DATA  train what tells small talk from questions
//	go run ./build train headings      train what tells the headings of due diligence
//
// With  -again  behind test or check, what failed is tried once more, and named.
//
// It needs Go and Node; what else a step needs it installs by itself where it
// may (Debian packages as root), or says in one line what is missing.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

type command struct {
	name string
	run  func(context.Context, *job) error
}

var commands = []command{
	{"demo", demo}, {"test", test}, {"check", check}, {"fuzz", fuzz}, {"types", types}, {"pages", pages}, {"app", app}, {"window", window}, {"serve", serve}, {"clients", tryClients}, {"screens", screens}, {"icons", icons}, {"release", packages}, {"weights", weights}, {"train", train},
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	name := ""
	if len(os.Args) > 1 {
		name = os.Args[1]
	}
	for _, c := range commands {
		if c.name == name {
			os.Exit(execute(ctx, c))
		}
	}
	fmt.Fprintln(os.Stderr, "usage: go run ./build demo|test|check|fuzz|types|pages|app|window|serve|clients|screens|icons|release|weights|train")
	os.Exit(2)
}

func execute(ctx context.Context, c command) int {
	root, err := projectRoot()
	if err == nil {
		err = lean()
	}
	if err == nil {
		j := &job{root: root, began: time.Now(), again: slices.Contains(os.Args[2:], "-again")}
		err = c.run(ctx, j)
		j.summary()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		return 1
	}
	return 0
}

// projectRoot is the folder with go.mod, from here upwards.
func projectRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", fmt.Errorf("no go.mod here or above: run this inside a checkout of Footnote")
		}
		dir = parent
	}
}
