package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"footnote/backend/embed"
	"footnote/backend/research"
)

const (
	folds         = 5
	learnRounds   = 800
	learnRate     = 3
	learnMomentum = 0.9
	learnDecay    = 3e-4
)

// labelled are sentences with the headings that each belongs under, the first of
// them the one that it is shown under.
type labelled struct {
	headings []string
	features []float32
}

// headings trains what tells the headings of due diligence from our own sentences,
// and says how often it is right on a fifth of them that it has not seen. What is
// kept has learned from all.
func headings(ctx context.Context) error {
	samples, err := labelledSentences(ctx)
	if err != nil {
		return err
	}
	var all result
	for fold := range folds {
		var learn, try []labelled
		for i, s := range samples {
			if i%folds == fold {
				try = append(try, s)
			} else {
				learn = append(learn, s)
			}
		}
		all.count(learnHeadings(learn), try)
	}
	fmt.Printf("of %d sentences not learned from: heading right %.3f, what speaks against found %.3f, precision %.3f\n", len(samples), float64(all.right)/float64(len(samples)), float64(all.found)/float64(all.against), float64(all.found)/float64(all.claimed))
	packed, err := json.Marshal(learnHeadings(samples))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("backend", "research", "headings.json"), packed, 0o644)
}

// result is how a classifier does.
type result struct{ right, against, found, claimed int }

func (r *result) count(c *research.Classifier, try []labelled) {
	for _, s := range try {
		var likely research.Headed
		for k := range research.Headings {
			likely[k] = research.Logistic(c.Weights[k], s.features)
		}
		if slices.Contains(s.headings, likely.Best()) {
			r.right++
		}
		is, says := slices.Contains(s.headings, research.Risks) || s.headings[0] == research.Weaknesses, likely.Adverse()
		if is {
			r.against++
		}
		if says {
			r.claimed++
		}
		if is && says {
			r.found++
		}
	}
}

func labelledSentences(ctx context.Context) (samples []labelled, err error) {
	encoder, err := embed.NewEncoder()
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join("build", "train", "headings.tsv"))
	if err != nil {
		return nil, err
	}
	var texts []string
	for line := range strings.Lines(string(text)) {
		headings, sentence, ok := strings.Cut(strings.TrimRight(line, "\n"), "\t")
		if !ok {
			return nil, errors.New("headings.tsv: a line without a tab: " + line)
		}
		samples, texts = append(samples, labelled{headings: strings.Split(headings, ",")}), append(texts, sentence)
	}
	vectors, err := research.BareVectors(ctx, encoder, texts)
	for i := range vectors {
		samples[i].features = research.Features(texts[i], vectors[i])
	}
	return samples, err
}

// learnHeadings goes down the slope of the mean log loss of each heading.
func learnHeadings(samples []labelled) *research.Classifier {
	c := &research.Classifier{}
	for _, heading := range research.Headings {
		weights, speed := make([]float32, len(samples[0].features)+1), make([]float64, len(samples[0].features)+1)
		for range learnRounds {
			descend(weights, speed, samples, heading)
		}
		for i := range weights {
			weights[i] = float32(math.Round(1000*float64(weights[i])) / 1000)
		}
		c.Weights = append(c.Weights, weights)
	}
	return c
}

func descend(weights []float32, speed []float64, samples []labelled, heading string) {
	slope := make([]float64, len(weights))
	for _, s := range samples {
		off := research.Logistic(weights, s.features)
		if slices.Contains(s.headings, heading) {
			off--
		}
		for k, v := range s.features {
			slope[k] += off * float64(v)
		}
		slope[len(slope)-1] += off
	}
	for k, g := range slope {
		speed[k] = learnMomentum*speed[k] - learnRate*(g/float64(len(samples))+learnDecay*float64(weights[k]))
		weights[k] += float32(speed[k])
	}
}
