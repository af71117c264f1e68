package intent

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"footnote/backend/lang"
)

// Sample is a message with what it is. One that stands in a table of lang is
// always told by that. One that is only about Footnote where nothing else has been
// spoken of opens a conversation.
type Sample struct {
	Text   string
	Code   lang.Code
	Is     Intent
	Own    bool // a phrase of our own, which is known by heart
	Table  bool
	Opens  bool
	Spoken bool // only where something was spoken of

	Vector []float32 // that the classifier learns from
}

// What phrases are called that are not called by their intent: those that open a
// conversation, and praise of what was said.
const (
	opening = "opening"
	praise  = "praise"
)

// phrases are messages of our own in every language: intent, language, messages.
//
//go:embed phrases.tsv
var phrases string

// Own gives the messages of our own, those of the tables of languages among them.
func Own() ([]Sample, error) {
	var all []Sample
	for _, code := range lang.Codes() {
		for phrase, is := range map[lang.Phrase]Intent{lang.Greeting: Greeting, lang.Goodbye: Goodbye, lang.Thanks: Thanks} {
			for _, text := range lang.Phrases(code, phrase) {
				all = append(all, Sample{Text: text, Code: code, Is: is, Own: true, Table: true})
			}
		}
	}
	for line := range strings.Lines(phrases) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) != 3 {
			return nil, fmt.Errorf("no line of phrases: %q", line)
		}
		for text := range strings.SplitSeq(fields[2], "|") {
			s := Sample{Text: text, Code: lang.Code(fields[1]), Is: Intent(fields[0]), Own: true, Opens: fields[0] == opening}
			switch fields[0] {
			case opening:
				s.Is = About
			case praise:
				s.Is, s.Spoken = Thanks, true
			}
			all = append(all, s)
		}
	}
	return all, nil
}

// byHeart are the messages of our own by their plain form.
var byHeart = sync.OnceValue(func() map[string]Sample {
	own, err := Own()
	if err != nil {
		panic(err) // part of the program, found by its tests
	}
	by := map[string]Sample{}
	for _, s := range own {
		form := plain(s.Text)
		if _, there := by[form]; !there {
			by[form] = s
		}
	}
	return by
})
