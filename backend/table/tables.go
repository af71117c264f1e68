package table

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"iter"
	"log/slog"
	"slices"
	"sync"
	"time"

	"footnote/backend/answer/contract"
	"footnote/backend/fault"
)

// Config is what tables are kept and filled with.
type Config struct {
	Asker Asker
	Store Store
	// Base has what every question is asked with.
	Base func() contract.Question
	// Unread tells why a file cannot be asked; empty where it can.
	Unread func(ctx context.Context, file string) (string, error)
	Now    func() time.Time
	Log    *slog.Logger
}

// Tables are kept, and filled one at a time, whoever looks or not; what an
// earlier process left is filled on. Safe for concurrent use.
type Tables struct {
	Config
	wake chan struct{}

	mu      sync.Mutex
	stop    context.CancelFunc // nil before Start
	running sync.WaitGroup
	filling string             // the table that is filled just now
	halt    context.CancelFunc // ends that
	changed chan struct{}      // closed with each cell, change and end
}

// New gives the tables of a store; none is filled before Start.
func New(c Config) *Tables {
	return &Tables{Config: c, wake: make(chan struct{}, 1), changed: make(chan struct{})}
}

// Start has tables filled until ctx ends or Close is called. Further calls do
// nothing.
func (d *Tables) Start(ctx context.Context) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.stop != nil {
		return
	}
	ctx, d.stop = context.WithCancel(ctx)
	d.running.Go(func() { d.run(ctx) })
}

// Close ends the filling; it goes on with the next Start of a process.
func (d *Tables) Close(context.Context) error {
	d.mu.Lock()
	stop := d.stop
	d.mu.Unlock()
	if stop != nil {
		stop()
		d.running.Wait()
	}
	return nil
}

func (d *Tables) run(ctx context.Context) {
	for ctx.Err() == nil {
		t, err := d.next(ctx)
		if err == nil && t.ID != "" {
			err = d.fill(ctx, t)
		}
		if err != nil && ctx.Err() == nil && fault.CodeOf(err) != fault.NotFound {
			d.Log.Error("fill a table", "table", t.ID, "err", err)
			t.ID = "" // it is tried again when something changes
		}
		if t.ID != "" {
			continue
		}
		select {
		case <-d.wake:
		case <-ctx.Done():
		}
	}
}

// next is the oldest table that is not whole, with its cells.
func (d *Tables) next(ctx context.Context) (Kept, error) {
	all, err := d.Store.Tables(ctx)
	for _, t := range slices.Backward(all) {
		if !t.Paused && !t.Whole() {
			return d.Store.Table(ctx, t.ID, 0)
		}
	}
	return Kept{}, err
}

// fill asks what is empty in a table, and stores each cell before it is told.
func (d *Tables) fill(ctx context.Context, t Kept) error {
	ctx, halt := context.WithCancel(ctx)
	defer halt()
	d.begin(t.ID, halt)
	defer d.begin("", nil)
	for cell := range t.Fill(ctx, unreadable{d.Asker, d.Unread}, d.Base()) {
		if _, err := d.Store.KeepCell(ctx, t.ID, t.Files[cell.Row].ID, t.Questions[cell.Column], cell); err != nil {
			return err
		}
		d.tell()
	}
	return nil
}

func (d *Tables) begin(id string, halt context.CancelFunc) {
	d.mu.Lock()
	d.filling, d.halt = id, halt
	d.mu.Unlock()
	d.tell()
}

func (d *Tables) tell() {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(d.changed)
	d.changed = make(chan struct{})
}

// stir has a table looked at anew: what it is being asked by its old shape ends.
func (d *Tables) stir(id string) {
	d.mu.Lock()
	if d.filling == id && d.halt != nil {
		d.halt()
	}
	d.mu.Unlock()
	d.tell()
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Add stores a table and has it filled.
func (d *Tables) Add(ctx context.Context, title string, files []File, questions []string) (Kept, error) {
	var b [16]byte
	rand.Read(b[:]) // never fails (crypto/rand, Go 1.24)
	t := Kept{ID: "tbl_" + hex.EncodeToString(b[:]), Title: title, Made: d.Now().UTC(), Table: Table{Files: files, Questions: questions, Cells: []Cell{}}}
	return t, d.put(ctx, &t)
}

func (d *Tables) put(ctx context.Context, t *Kept) error {
	err := t.check()
	if err == nil {
		err = d.Store.PutTable(ctx, *t)
	}
	if err == nil {
		d.stir(t.ID)
	}
	return err
}

// Change alters a table: cells of rows and columns that stay are kept.
func (d *Tables) Change(ctx context.Context, id string, alter func(*Kept)) (Kept, error) {
	t, err := d.Store.Table(ctx, id, 0)
	if err != nil {
		return t, err
	}
	alter(&t)
	if err := d.put(ctx, &t); err != nil {
		return t, err
	}
	return d.Store.Table(ctx, id, 0)
}

// Again asks the cells once more that could not be read, and goes on with a table
// that was paused.
func (d *Tables) Again(ctx context.Context, id string) (Kept, error) {
	if err := d.Store.EmptyFailed(ctx, id); err != nil {
		return Kept{}, err
	}
	return d.Change(ctx, id, func(t *Kept) { t.Paused = false })
}

// Drop removes a table.
func (d *Tables) Drop(ctx context.Context, id string) error {
	err := d.Store.DropTable(ctx, id)
	d.stir(id)
	return err
}

// Follow yields the cells of a table after a number, then each that is filled,
// until the table is whole, paused or gone.
func (d *Tables) Follow(ctx context.Context, id string, after int) iter.Seq2[Cell, error] {
	return func(yield func(Cell, error) bool) {
		for {
			d.mu.Lock()
			changed := d.changed
			d.mu.Unlock()
			t, err := d.Store.Table(ctx, id, after)
			if err != nil {
				yield(Cell{}, err)
				return
			}
			for _, c := range t.Cells {
				after = c.Seq
				if !yield(c, nil) {
					return
				}
			}
			if t.Paused || t.Whole() {
				return
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
	}
}
