package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	learnDecay    = 1e-4
)

// labelled are sentences with the headings that each belongs under, the first of
// them the one that it is shown under.
type labelled struct {
	headings []string
	language string
	text     string
	vector   []float32
}

// headings trains what tells the headings of due diligence from our own sentences, most
// of them in English, and says how often it is right on a fifth of them that it has not seen, and
// on sentences in other languages. What is kept has learned from all of the former.
func headings(ctx context.Context) error {
	encoder, err := embed.NewMultilingual()
	if err != nil {
		return err
	}
	samples, err := labelledSentences(ctx, encoder, filepath.Join("build", "train", "headings.tsv"))
	if err != nil {
		return err
	}
	held, err := labelledSentences(ctx, encoder, filepath.Join("backend", "research", "testdata", "headings.tsv"))
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
	fmt.Println("not learned from:", all)
	c := learnHeadings(samples)
	by := map[string]*result{}
	for _, s := range held {
		if by[s.language] == nil {
			by[s.language] = &result{}
		}
		by[s.language].count(c, []labelled{s})
	}
	for _, language := range slices.Sorted(maps.Keys(by)) {
		fmt.Println("held out,", language+":", *by[language])
	}
	packed, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("backend", "research", "headings.json"), packed, 0o644)
}

// result is how a classifier does.
type result struct{ all, right, against, found, claimed int }

func (r result) String() string {
	return fmt.Sprintf("%d sentences, heading right %.3f, what speaks against found %.3f, precision %.3f", r.all, float64(r.right)/float64(r.all), float64(r.found)/float64(r.against), float64(r.found)/float64(max(1, r.claimed)))
}

func (r *result) count(c *research.Classifier, try []labelled) {
	for _, s := range try {
		likely := c.Of(s.text, s.vector)
		r.all++
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

// labelledSentences reads lines of headings, a language where it is not English, and a
// sentence.
func labelledSentences(ctx context.Context, encoder *embed.Encoder, path string) (samples []labelled, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var texts []string
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimRight(line, "\n"), "\t")
		if len(fields) < 2 {
			return nil, errors.New(path + ": a line without a tab: " + line)
		}
		s := labelled{headings: strings.Split(fields[0], ","), language: "en", text: fields[len(fields)-1]}
		if len(fields) > 2 {
			s.language = fields[1]
		}
		samples, texts = append(samples, s), append(texts, s.text)
	}
	vectors, err := research.BareVectors(ctx, encoder, texts)
	for i := range vectors {
		samples[i].vector = vectors[i]
	}
	return samples, err
}

// spread is what the differences of vectors are stretched by: those of an encoder that
// was taught at a low temperature are small.
const spread = 2

// learnHeadings goes down the slope of the mean log loss, over vectors less their mean
// and stretched. The weights given are for vectors as they are.
func learnHeadings(samples []labelled) *research.Classifier {
	mean := make([]float32, len(samples[0].vector))
	for _, s := range samples {
		for k, v := range s.vector {
			mean[k] += v / float32(len(samples))
		}
	}
	learned := make([]example, len(samples))
	for i, s := range samples {
		centred := make([]float32, len(mean))
		for k, v := range s.vector {
			centred[k] = spread * (v - mean[k])
		}
		learned[i] = example{wanted(s.headings), research.Features(s.text, centred)}
	}
	c := &research.Classifier{Weights: make([][]float32, len(research.Headings))}
	speed := make([][]float64, len(c.Weights))
	for i := range c.Weights {
		c.Weights[i], speed[i] = make([]float32, len(learned[0].features)+1), make([]float64, len(learned[0].features)+1)
	}
	for range learnRounds {
		descend(c.Weights, speed, learned)
	}
	for _, weights := range c.Weights {
		for k, m := range mean {
			weights[k] *= spread
			weights[len(weights)-1] -= weights[k] * m
		}
		for i := range weights {
			weights[i] = float32(math.Round(1000*float64(weights[i])) / 1000)
		}
	}
	return c
}

// example is a sentence as it is learned from, with the share of each heading in it.
type example struct {
	shares   []float64
	features []float32
}

// riskShare is what risks have of a sentence that belongs under another heading too.
const riskShare = 0.65

func wanted(headings []string) []float64 {
	shares, others := make([]float64, len(research.Headings)), 1/float64(len(headings))
	if len(headings) > 1 && slices.Contains(headings, research.Risks) {
		others = (1 - riskShare) / float64(len(headings)-1)
	}
	for _, heading := range headings {
		shares[slices.Index(research.Headings, heading)] = others
	}
	if len(headings) > 1 && slices.Contains(headings, research.Risks) {
		shares[slices.Index(research.Headings, research.Risks)] = riskShare
	}
	return shares
}

func descend(weights [][]float32, speed [][]float64, samples []example) {
	slope := make([][]float64, len(weights))
	for i := range slope {
		slope[i] = make([]float64, len(weights[i]))
	}
	for _, s := range samples {
		for i, likely := range research.Likelihoods(weights, s.features) {
			off := likely - s.shares[i]
			for k, v := range s.features {
				slope[i][k] += off * float64(v)
			}
			slope[i][len(slope[i])-1] += off
		}
	}
	for i := range slope {
		for k, g := range slope[i] {
			decay := learnDecay * float64(weights[i][k])
			if k == len(slope[i])-1 {
				decay = 0
			}
			speed[i][k] = learnMomentum*speed[i][k] - learnRate*(g/float64(len(samples))+decay)
			weights[i][k] += float32(speed[i][k])
		}
	}
}
