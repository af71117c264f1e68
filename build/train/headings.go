package main

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"footnote/backend/embed"
	"footnote/backend/research/headings"
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
	of       string // its language; of judged ones the library
	traits   []float32
	vector   []float32
}

// trainHeadings trains what tells the headings of due diligence from our own sentences, most
// of them in English, and from sentences of libraries as people have them, which readers judged.
// It says how often it is right on a fifth of the former and on libraries that it has not seen,
// and on sentences in other languages. What is kept has learned from all but those.
func trainHeadings(ctx context.Context) error {
	encoder, err := embed.NewMultilingual()
	if err != nil {
		return err
	}
	samples, err := labelledSentences(ctx, encoder, filepath.Join("build", "train", "headings.tsv"))
	if err != nil {
		return err
	}
	held, err := labelledSentences(ctx, encoder, filepath.Join("backend", "research", "headings", "testdata", "headings.tsv"))
	if err != nil {
		return err
	}
	judged, err := judgedSentences(filepath.Join("build", "train", "judged.jsonl.gz"))
	if err != nil {
		return err
	}
	if err := crossValidate(samples, judged); err != nil {
		return err
	}
	c := learnHeadings(slices.Concat(samples, samples, judged))
	by := map[string]*result{}
	for _, s := range held {
		if by[s.of] == nil {
			by[s.of] = &result{}
		}
		by[s.of].count(c, []labelled{s})
	}
	for _, language := range slices.Sorted(maps.Keys(by)) {
		fmt.Println("held out,", language+":", *by[language])
	}
	packed, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("backend", "research", "headings", "headings.json"), packed, 0o644)
}

// crossValidate says how often what is learned is right on a fifth of our own sentences and
// a fifth of the libraries that it has not seen.
func crossValidate(samples, judged []labelled) error {
	libraries := map[string]int{}
	for _, s := range judged {
		if _, known := libraries[s.of]; !known {
			libraries[s.of] = len(libraries)
		}
	}
	results := make([][2]result, folds)
	var together sync.WaitGroup
	for fold := range folds {
		together.Go(func() {
			var learn, own, libs []labelled
			for i, s := range samples {
				if i%folds == fold {
					own = append(own, s)
				} else {
					learn = append(learn, s, s)
				}
			}
			for _, s := range judged {
				if libraries[s.of]%folds == fold {
					libs = append(libs, s)
				} else {
					learn = append(learn, s)
				}
			}
			c := learnHeadings(learn)
			results[fold][0].count(c, own)
			results[fold][1].count(c, libs)
		})
	}
	together.Wait()
	var own, libs result
	for _, r := range results {
		own, libs = own.plus(r[0]), libs.plus(r[1])
	}
	fmt.Println("our own, not learned from:", own)
	fmt.Println("libraries not learned from:", libs)
	return nil
}

// result is how a classifier does.
type result struct{ all, right, against, found, claimed, headed, rightly int }

func (r result) String() string {
	share := func(n, of int) float64 { return float64(n) / float64(max(1, of)) }
	return fmt.Sprintf("%d sentences, heading right %.3f, shown under one %d, rightly %.3f, what speaks against found %.3f of %d, precision %.3f", r.all, share(r.right, r.all), r.headed, share(r.rightly, r.headed), share(r.found, r.against), r.against, share(r.found, r.claimed))
}

func (r result) plus(o result) result {
	return result{r.all + o.all, r.right + o.right, r.against + o.against, r.found + o.found, r.claimed + o.claimed, r.headed + o.headed, r.rightly + o.rightly}
}

func (r *result) count(c *headings.Classifier, try []labelled) {
	for _, s := range try {
		likely := c.Over(slices.Concat(s.vector, s.traits))
		r.all++
		if slices.Contains(s.headings, likely.Best()) {
			r.right++
		}
		if heading := likely.Heading(); heading != headings.Other {
			r.headed++
			if slices.Contains(s.headings, heading) || heading == headings.Risks && slices.Contains(s.headings, headings.Weaknesses) {
				r.rightly++
			}
		}
		is, says := slices.Contains(s.headings, headings.Risks) || s.headings[0] == headings.Weaknesses, likely.Adverse()
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

// judgedSentences reads what readers said of sentences of libraries: headings, traits and
// vectors in eight bits, no text of others.
func judgedSentences(path string) (samples []labelled, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for lines := json.NewDecoder(unpacked); ; {
		var line struct {
			Of, Traits string
			Headings   []string
			Scale      float32
			Vector     []byte
		}
		if err := lines.Decode(&line); err == io.EOF {
			return samples, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		s := labelled{of: line.Of, headings: line.Headings}
		for _, t := range line.Traits {
			s.traits = append(s.traits, headings.Trait(t == '1'))
		}
		for _, v := range line.Vector {
			s.vector = append(s.vector, line.Scale*float32(int8(v)))
		}
		samples = append(samples, s)
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
		text := fields[len(fields)-1]
		s := labelled{headings: strings.Split(fields[0], ","), of: "en", traits: headings.Traits(text)}
		if len(fields) > 2 {
			s.of = fields[1]
		}
		samples, texts = append(samples, s), append(texts, text)
	}
	vectors, err := headings.BareVectors(ctx, encoder, texts)
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
func learnHeadings(samples []labelled) *headings.Classifier {
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
		learned[i] = example{wanted(s.headings), append(centred, s.traits...)}
	}
	c := &headings.Classifier{Weights: make([][]float32, len(headings.All))}
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

func wanted(under []string) []float64 {
	shares, others := make([]float64, len(headings.All)), 1/float64(len(under))
	if len(under) > 1 && slices.Contains(under, headings.Risks) {
		others = (1 - riskShare) / float64(len(under)-1)
	}
	for _, heading := range under {
		shares[slices.Index(headings.All, heading)] = others
	}
	if len(under) > 1 && slices.Contains(under, headings.Risks) {
		shares[slices.Index(headings.All, headings.Risks)] = riskShare
	}
	return shares
}

func descend(weights [][]float32, speed [][]float64, samples []example) {
	slope := make([][]float64, len(weights))
	for i := range slope {
		slope[i] = make([]float64, len(weights[i]))
	}
	for _, s := range samples {
		for i, likely := range headings.Likelihoods(weights, s.features) {
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
