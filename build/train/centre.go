package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"footnote/backend/embed"
	"footnote/backend/lang"
)

const (
	fewestOfLanguage = 8 // questions that tell what those of a language have in common
	longestAsked     = 1 << 24
)

// centre writes what the vectors of questions in many languages have in common: the mean
// of the means of each language, over the questions that were asked of libraries.
func centre() error {
	type asked struct {
		Question string `json:"question"`
	}
	questions, err := packedLines[asked](filepath.Join("build", "train", "asked.jsonl.gz"))
	if err != nil {
		return err
	}
	encoder, err := embed.NewMultilingual()
	if err != nil {
		return err
	}
	sums, counts := map[lang.Code]*[embed.Dim]float64{}, map[lang.Code]int{}
	for _, q := range questions {
		v, err := encoder.Encode(context.Background(), []embed.Piece{encoder.Query(q.Question)})
		if err != nil {
			return err
		}
		code := lang.Spoken(q.Question)
		if sums[code] == nil {
			sums[code] = new([embed.Dim]float64)
		}
		for i, x := range v[0].Floats() {
			sums[code][i] += float64(x)
		}
		counts[code]++
	}
	var mean [embed.Dim]float64
	languages := 0
	for code, sum := range sums {
		if counts[code] < fewestOfLanguage {
			continue
		}
		languages++
		for i := range mean {
			mean[i] += sum[i] / float64(counts[code])
		}
	}
	var out []byte
	for _, x := range mean {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(x/float64(languages))))
	}
	fmt.Printf("%d questions in %d languages\n", len(questions), languages)
	return os.WriteFile(filepath.Join("backend", "embed", "weights", "e5-small-questions.f32"), out, 0o644)
}

// packedLines are the lines of a packed file, a JSON object each.
func packedLines[T any](path string) (all []T, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("unpack %s: %w", path, err)
	}
	lines := bufio.NewScanner(unpacked)
	lines.Buffer(nil, longestAsked)
	for lines.Scan() {
		var one T
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		all = append(all, one)
	}
	return all, lines.Err()
}
