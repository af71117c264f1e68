package eval

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"footnote/backend/embed"
	"footnote/backend/evidence"
	"footnote/backend/library"
)

// Shelf is the library as its costs are measured.
type Shelf interface {
	AddSoon(ctx context.Context, paths []string, watch bool, patience time.Duration) (library.AddResult, error)
	Files(ctx context.Context, q library.FileQuery) ([]library.File, string, error)
	Rescan(ctx context.Context, names ...string) error
	Search(ctx context.Context, query string, scope evidence.Scope, n int) ([]evidence.Found, error)
	SearchWords(ctx context.Context, query string, limit int) (library.Matches, error)
	Status(ctx context.Context) (library.Status, error)
	Wait(ctx context.Context, paths []string, each func(library.File)) error
}

// SpeedProgram is the product whose costs are measured: as processes of their own, as
// a person starts them, and opened in this one. Both take a data folder.
type SpeedProgram struct {
	Command func(ctx context.Context, data string, args ...string) *exec.Cmd
	Open    func(ctx context.Context, data string, with func(Shelf) error) error
	Peer    string // recollindex; empty: there is none beside it
	Looks   int    // at the library while it reads
	Models  bool   // whether the encoders are measured
}

// Speed measures what it costs to take a folder in, to search it, to ask, to follow a
// change and to run the models, over data folders below work. The folder is only read.
func Speed(ctx context.Context, folder, work string, p SpeedProgram) ([]SpeedRow, error) {
	data := filepath.Join(work, "data")
	rows, err := p.indexing(ctx, folder, data, work)
	if err != nil {
		return rows, err
	}
	err = p.Open(ctx, data, func(s Shelf) error {
		more, err := searching(ctx, s)
		rows = append(rows, more...)
		if err == nil {
			more, err = changing(ctx, s, filepath.Join(work, "changing"))
			rows = append(rows, more...)
		}
		return err
	})
	for _, measure := range []func() ([]SpeedRow, error){
		func() ([]SpeedRow, error) { return p.asking(ctx, data, work) },
		func() ([]SpeedRow, error) { return p.adding(ctx, folder, filepath.Join(work, "adding")) },
		func() ([]SpeedRow, error) { return p.models(ctx) },
	} {
		if err != nil {
			break
		}
		var more []SpeedRow
		more, err = measure()
		rows = append(rows, more...)
	}
	return rows, err
}

// spent is what a process and those it waited for took.
type spent struct {
	cpu, wall time.Duration
	peak      int64 // bytes of the largest of them; 0 where the system does not tell
}

func run(cmd *exec.Cmd) (spent, error) {
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return spent{}, fmt.Errorf("%s: %w: %s", filepath.Base(cmd.Path), err, out[max(0, len(out)-400):])
	}
	state := cmd.ProcessState
	return spent{state.UserTime() + state.SystemTime(), time.Since(began), peakOf(state)}, nil
}

// indexing takes the folder in by words and static vectors, as a person does.
func (p SpeedProgram) indexing(ctx context.Context, folder, data, work string) ([]SpeedRow, error) {
	const line = "index"
	took, err := run(p.Command(ctx, data, "library", "add", "--wait", "--set", "rank.encoder=off", folder))
	if err != nil {
		return nil, err
	}
	read, err := sizeOf(folder)
	if err != nil {
		return nil, err
	}
	kept, err := sizeOf(data)
	cpu, wall := seconds(line, "CPU", took.cpu), seconds(line, "wall", took.wall)
	if err == nil && p.Peer != "" {
		conf := filepath.Join(work, "peer")
		peer, failed := peerIndexing(ctx, p.Peer, folder, conf)
		err = failed
		cpu, wall = cpu.against(filepath.Base(p.Peer), peer.cpu.Seconds()), wall.against(filepath.Base(p.Peer), peer.wall.Seconds())
	}
	rows := []SpeedRow{cpu, wall, megabytes(line, "disk", kept).against("the files", float64(read)/1e6)}
	if took.peak > 0 {
		rows = append(rows, megabytes(line, "memory of its largest process", took.peak))
	}
	return rows, err
}

func peerIndexing(ctx context.Context, peer, folder, conf string) (spent, error) {
	err := os.MkdirAll(conf, 0o700)
	if err == nil {
		err = os.WriteFile(filepath.Join(conf, "recoll.conf"), []byte("topdirs = "+folder+"\n"), 0o600)
	}
	if err != nil {
		return spent{}, err
	}
	return run(exec.CommandContext(ctx, peer, "-c", conf, "-z"))
}

func sizeOf(dir string) (n int64, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			n += info.Size()
		}
		if errors.Is(err, fs.ErrNotExist) { // a log of the database that was folded meanwhile
			return nil
		}
		return err
	})
	return n, err
}

// speedQuestions is how many searches are made of the topics of files.
const speedQuestions = 36

// questionsOf are words that the library has: the topics of its files, spread over it.
func questionsOf(ctx context.Context, s Shelf) ([]string, error) {
	files, _, err := s.Files(ctx, library.FileQuery{})
	if err != nil {
		return nil, err
	}
	var all []string
	for _, f := range files {
		if len(f.Topics) > 1 {
			all = append(all, strings.Join(f.Topics, " "))
		}
	}
	if len(all) == 0 {
		return nil, errors.New("measure searches: the files have too little text")
	}
	var some []string
	for i := range min(speedQuestions, len(all)) {
		some = append(some, all[i*len(all)/min(speedQuestions, len(all))])
	}
	return some, nil
}

func searching(ctx context.Context, s Shelf) ([]SpeedRow, error) {
	questions, err := questionsOf(ctx, s)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	if _, err = s.Search(ctx, questions[0], evidence.Scope{}, 12); err != nil {
		return nil, err
	}
	rows := []SpeedRow{milliseconds("first search by words and vectors", "wall", time.Since(began))}
	var typed []string
	for _, q := range questions[:min(12, len(questions))] {
		for n := range q {
			if n >= 2 {
				typed = append(typed, q[:n])
			}
		}
	}
	words, err := timed("keystroke", typed, func(q string) error { _, err := s.SearchWords(ctx, q, 20); return err })
	rows = append(rows, words...)
	if err == nil {
		words, err = timed("words and vectors", questions, func(q string) error { _, err := s.Search(ctx, q, evidence.Scope{}, 12); return err })
		rows = append(rows, words...)
	}
	return rows, err
}

func timed(line string, queries []string, search func(string) error) ([]SpeedRow, error) {
	var times []time.Duration
	before := cpuTime()
	for _, q := range queries {
		began := time.Now()
		if err := search(q); err != nil {
			return nil, err
		}
		times = append(times, time.Since(began))
	}
	return timesOf(line, times, cpuTime()-before), nil
}

// changing changes a file of its own beside the library and waits until its new word
// is found.
func changing(ctx context.Context, s Shelf, dir string) ([]SpeedRow, error) {
	const line = "one changed file"
	path := filepath.Join(dir, "diary.txt")
	write := func(word string) error {
		return os.WriteFile(path, []byte(strings.Repeat("The keeper wrote down the weather and the ships that passed. ", 40)+word), 0o600)
	}
	if err := errors.Join(os.MkdirAll(dir, 0o700), write("quibblewick")); err != nil {
		return nil, err
	}
	if _, err := s.AddSoon(ctx, []string{dir}, false, time.Minute); err != nil {
		return nil, err
	}
	if err := s.Wait(ctx, []string{dir}, func(library.File) {}); err != nil {
		return nil, err
	}
	if err := write("snorkelbane"); err != nil {
		return nil, err
	}
	began, before := time.Now(), cpuTime()
	if err := s.Rescan(ctx, path); err != nil {
		return nil, err
	}
	for {
		if found, err := s.SearchWords(ctx, "snorkelbane", 1); err != nil || len(found.Items) > 0 {
			return []SpeedRow{milliseconds(line, "searchable after", time.Since(began)), milliseconds(line, "CPU", cpuTime()-before)}, err
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// asking asks in a process that starts for it, as a person does on the command line.
func (p SpeedProgram) asking(ctx context.Context, data, work string) ([]SpeedRow, error) {
	large, err := run(p.Command(ctx, data, "ask", "--offline", "--quiet", "Which file says what the keeper wrote down?"))
	if err != nil {
		return nil, err
	}
	few, err := run(p.Command(ctx, filepath.Join(work, "asking"), "ask", "--offline", "--quiet", "--files", filepath.Join(work, "changing"), "What did the keeper write down?"))
	rows := []SpeedRow{milliseconds("ask the library, cold", "wall", large.wall), milliseconds("ask the library, cold", "CPU", large.cpu)}
	if err == nil {
		rows = append(rows, milliseconds("ask a folder, cold", "wall", few.wall), milliseconds("ask a folder, cold", "CPU", few.cpu))
	}
	return rows, err
}

// Of adding a folder: how long who adds it waits, and the time between two looks at the
// library while it reads.
const (
	speedPatience = 60 * time.Millisecond
	speedLook     = 50 * time.Millisecond
)

func (p SpeedProgram) adding(ctx context.Context, folder, data string) (rows []SpeedRow, err error) {
	err = p.Open(ctx, data, func(s Shelf) error {
		began := time.Now()
		if _, err := s.AddSoon(ctx, []string{folder}, false, speedPatience); err != nil {
			return err
		}
		rows = append(rows, milliseconds("add a folder", "answers after", time.Since(began)))
		var times []time.Duration
		for range p.Looks {
			began := time.Now()
			if _, err := s.Status(ctx); err != nil {
				return err
			}
			times = append(times, time.Since(began))
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(speedLook):
			}
		}
		rows = append(rows, timesOf("status while files are read", times, 0)...)
		return nil
	})
	return rows, err
}

// models runs the sentence encoder and the cross-encoder on a passage's length.
func (p SpeedProgram) models(ctx context.Context) (rows []SpeedRow, err error) {
	encoder, err := embed.NewEncoder()
	if !p.Models || errors.Is(err, embed.ErrNoKernel) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	text := strings.TrimSpace(strings.Repeat("harbour ", 126))
	piece := encoder.Query(text)
	if rows, err = timed("encoder, 128 tokens", make([]string, 20), func(string) error {
		_, err := encoder.Encode(ctx, []embed.Piece{piece})
		return err
	}); err != nil {
		return rows, err
	}
	cross, err := embed.NewCrossEncoder()
	if err != nil {
		return rows, err
	}
	texts := make([]string, 20)
	for i := range texts {
		texts[i] = strings.TrimSpace(strings.Repeat("harbour ", 121))
	}
	more, err := timed("cross-encoder, 20 pairs of 128 tokens", make([]string, 5), func(string) error {
		_, err := cross.Score(ctx, "When was it lit?", texts)
		return err
	})
	return append(rows, more...), err
}
