package main

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"footnote/backend/answer/intent"
	"footnote/backend/embed"
	"footnote/backend/lang"
)

// intents trains the classifier of intents from a folder of data (labelled
// messages, and questions that are all to be searched) and our own phrases, and
// says how it does on a fifth of them when it has learned from the others alone.
// What is kept has learned from all.
func intents(data string) error {
	samples, err := intentSamples(data)
	if err != nil {
		return err
	}
	encoder, err := embed.NewMultilingual()
	if err != nil {
		return err
	}
	if samples, err = read(encoder, samples); err != nil {
		return err
	}
	var learn, try []intent.Sample
	for _, s := range samples {
		if !s.Table && heldOut(s.Text) {
			try = append(try, s)
		} else {
			learn = append(learn, s)
		}
	}
	model, err := trained(encoder, learn)
	if err != nil {
		return err
	}
	fmt.Printf("%d messages to learn from, %d to try\n", len(learn), len(try))
	own, foreign := []intent.Sample{}, []intent.Sample{}
	for _, s := range try {
		if s.Own {
			own = append(own, s)
		} else {
			foreign = append(foreign, s)
		}
	}
	fmt.Println("the data, with the phrases that are known by heart")
	reportIntents(foreign, func(s intent.Sample) intent.Intent {
		is, _ := model.Of(s.Text, false, false, func(string) []float32 { return s.Vector })
		return is
	})
	fmt.Println("phrases of our own, as if they were not known")
	reportIntents(own, func(s intent.Sample) intent.Intent { return model.Classify(s.Text, s.Vector) })
	if model, err = trained(encoder, samples); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("backend", "answer", "intent", "model.bin"), model.Bytes(), 0o644)
}

// trained is the model of samples and of courtesies before them.
func trained(encoder *embed.Encoder, learn []intent.Sample) (*intent.Model, error) {
	polite, err := read(encoder, combined(learn))
	if err != nil {
		return nil, err
	}
	return intent.Train(append(polite, learn...)), nil
}

// read gives samples their vectors; those that say nothing are left out.
func read(encoder *embed.Encoder, samples []intent.Sample) ([]intent.Sample, error) {
	const together = 64
	samples = slices.Clone(samples)
	var readers errgroup.Group
	readers.SetLimit(runtime.GOMAXPROCS(0))
	for group := range slices.Chunk(samples, together) {
		readers.Go(func() error {
			texts := make([]string, len(group))
			for i, s := range group {
				texts[i] = s.Text
			}
			vectors, err := encoder.Embed(context.Background(), texts)
			for i := range vectors {
				group[i].Vector = vectors[i]
			}
			return err
		})
	}
	err := readers.Wait()
	return slices.DeleteFunc(samples, func(s intent.Sample) bool { return s.Vector == nil }), err
}

// heldOut says for a fifth of the texts that they are not learned from.
func heldOut(text string) bool {
	h := fnv.New32a()
	io.WriteString(h, strings.ToLower(strings.Trim(text, " ?!.,¿¡。？！")))
	return h.Sum32()%5 == 0
}

// intentSamples reads the data and our own phrases, each text once.
func intentSamples(dir string) ([]intent.Sample, error) {
	all, err := intent.Own()
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(s intent.Sample) bool { return s.Spoken })
	asked, err := readSamples(filepath.Join("build", "train", "asked.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	all = append(all, asked...)
	for _, pattern := range []string{
		"answering/intents/*.jsonl.gz", "answering/languages/*.jsonl.gz", "questions/*.jsonl", "retrieval/xquad/*/queries.jsonl",
		"answering/tables/*/questions.jsonl.gz", "answering/passages/squad2.jsonl.gz", "answering/passages/clapnq.jsonl.gz", "local-qa/*/questions.jsonl",
	} {
		files, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			read, err := readSamples(file)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", filepath.Base(file), err)
			}
			all = append(all, read...)
		}
	}
	seen := map[string]bool{}
	return slices.DeleteFunc(all, func(s intent.Sample) bool {
		key := strings.ToLower(s.Text)
		defer func() { seen[key] = true }()
		return seen[key] || s.Text == ""
	}), nil
}

// message is a line of the data, of any of its sets.
type message struct {
	Text, Question, Language, Kind, Intent string
}

func readSamples(name string) ([]intent.Sample, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var r io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(file); err != nil {
			return nil, err
		}
	}
	var all []intent.Sample
	for lines := bufio.NewReader(r); ; {
		line, err := lines.ReadBytes('\n')
		if len(line) > 1 {
			var m message
			if err := json.Unmarshal(line, &m); err != nil {
				return nil, err
			}
			all = append(all, m.sample())
		}
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return nil, err
		}
	}
}

func (m message) sample() intent.Sample {
	text := strings.TrimSpace(cmp.Or(m.Question, m.Text))
	code := lang.Code(m.Language)
	switch m.Language {
	case "":
		code = lang.Detect(text)
	case "zh-hant":
		code = lang.Chinese
	}
	is := intent.Search
	switch {
	case m.Kind == "about-the-program":
		is = intent.About
	case m.Kind == "thanks":
		is = intent.Thanks
	case m.Kind == "greeting" && strings.Contains(strings.ToLower(m.Intent), "bye"):
		is = intent.Goodbye
	case m.Kind == "greeting":
		is = intent.Greeting
	}
	return intent.Sample{Text: text, Code: code, Is: is}
}

// combined puts courtesies before questions: what follows decides.
func combined(learn []intent.Sample) (all []intent.Sample) {
	by := map[lang.Code]map[intent.Intent][]string{}
	for _, s := range learn {
		if by[s.Code] == nil {
			by[s.Code] = map[intent.Intent][]string{}
		}
		by[s.Code][s.Is] = append(by[s.Code][s.Is], s.Text)
	}
	for _, code := range slices.Sorted(maps.Keys(by)) {
		for i, polite := range slices.Concat(by[code][intent.Greeting], by[code][intent.Thanks]) {
			if len([]rune(polite)) > 16 || i > 60 {
				continue
			}
			for n := range 6 {
				for _, is := range []intent.Intent{intent.Search, intent.About} {
					if texts := by[code][is]; len(texts) > 0 && (is == intent.Search || n < 2) {
						all = append(all, intent.Sample{Text: polite + ", " + texts[(i*7+n*31)%len(texts)], Code: code, Is: is})
					}
				}
			}
		}
	}
	return all
}

// reportIntents prints, for each language, how much of each intent is told, and
// what is mistaken for small talk.
func reportIntents(try []intent.Sample, tell func(intent.Sample) intent.Intent) {
	type tally struct{ right, all int }
	by := map[lang.Code]map[intent.Intent]*tally{}
	for _, s := range try {
		if by[s.Code] == nil {
			by[s.Code] = map[intent.Intent]*tally{}
		}
		t := by[s.Code][s.Is]
		if t == nil {
			t = &tally{}
			by[s.Code][s.Is] = t
		}
		got := tell(s)
		t.all++
		if got == s.Is || got != intent.Search && s.Is != intent.Search {
			t.right++
		}
		if got != s.Is {
			fmt.Printf("  %s\t%s is %s, said %s\n", s.Code, s.Text, s.Is, got)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(by)) {
		fmt.Printf("%-3s", code)
		for _, is := range []intent.Intent{intent.Search, intent.Greeting, intent.Thanks, intent.Goodbye, intent.About} {
			if t := by[code][is]; t != nil {
				fmt.Printf("  %s %d/%d %.3f", is, t.right, t.all, float64(t.right)/float64(t.all))
			}
		}
		fmt.Println()
	}
}
