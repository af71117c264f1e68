package library

import (
	"context"
	"os"
	"time"

	"footnote/backend/library/walk"
	"footnote/backend/rank"
)

const (
	queuePage   = 256                   // files taken from the catalog at once
	batchFiles  = 128                   // files of one commit
	batchBytes  = 4 << 20               // text of one commit
	batchWait   = 15 * time.Millisecond // for more files to share a commit
	troubleWait = 5 * time.Second       // before work that failed is tried again
	againWait   = time.Second           // before a file that changed while it was read is looked at again
)

// runFeeder gives waiting files to the workers, in the order they came.
func (l *Library) runFeeder(ctx context.Context, jobs chan<- File) {
	defer close(jobs)
	for ctx.Err() == nil {
		l.inflight.ask()
		page, _, err := l.Catalog.Files(ctx, FileQuery{States: []State{Waiting}, Unlisted: true, Limit: queuePage + l.inflight.count()})
		if err != nil {
			l.trouble(ctx, "read queue", err)
			continue
		}
		more := false
		for _, f := range page {
			l.whilePaused(ctx)
			taken, old := l.inflight.take(f.ID)
			more = more || taken || old
			if !taken {
				continue
			}
			select {
			case jobs <- f:
			case <-ctx.Done():
				return
			}
		}
		if !more && !l.feed.wait(ctx, 0) {
			return
		}
	}
}

// pausedLook is how soon work goes on after a person has said so.
const pausedLook = 200 * time.Millisecond

// whilePaused waits as long as a person wants nothing to be read.
func (l *Library) whilePaused(ctx context.Context) {
	for l.Settings().Library.Paused && pause(ctx, pausedLook) {
		l.tuneForRest()
	}
}

// trouble tells that work cannot go on and waits before it is tried again.
func (l *Library) trouble(ctx context.Context, doing string, err error) {
	if ctx.Err() != nil {
		return
	}
	l.Log.Warn("library work paused", "doing", doing, "error", err)
	l.bus.publish(noticeOf(err))
	pause(ctx, troubleWait)
}

func (l *Library) runWorker(ctx context.Context, jobs <-chan File, results chan<- outcome) {
	tokenizer := rank.NewTokenizer()
	for f := range jobs {
		for l.held.Load() > batchBytes && pause(ctx, batchWait) { // memory stays bounded, whatever the files
		}
		out, err := l.read(ctx, tokenizer, f)
		for err != nil && ctx.Err() == nil {
			l.trouble(ctx, "read file", err)
			out, err = l.read(ctx, tokenizer, f)
		}
		if err != nil {
			return
		}
		l.held.Add(int64(textSize(out)))
		select {
		case results <- out:
		case <-ctx.Done():
			return
		}
	}
}

// runCommitter stores outcomes in batches: one sync to disk serves many files.
func (l *Library) runCommitter(ctx context.Context, results <-chan outcome) {
	for {
		batch, more := gather(results)
		if len(batch) > 0 {
			l.tuneForWork()
		}
		size := 0
		for _, out := range batch {
			size += textSize(out)
		}
		for len(batch) > 0 && ctx.Err() == nil {
			err := l.commit(ctx, batch)
			if err == nil {
				break
			}
			l.trouble(ctx, "store texts", err)
		}
		l.held.Add(-int64(size))
		if !more || ctx.Err() != nil {
			drain(results)
			return
		}
	}
}

func drain(results <-chan outcome) {
	for range results { // workers that still had something to say must not hang
	}
}

// gather waits for one outcome and takes what comes shortly after it.
func gather(results <-chan outcome) (batch []outcome, more bool) {
	first, ok := <-results
	if !ok {
		return nil, false
	}
	batch = append(batch, first)
	late := time.NewTimer(batchWait)
	defer late.Stop()
	for size := textSize(first); len(batch) < batchFiles && size < batchBytes; {
		select {
		case out, ok := <-results:
			if !ok {
				return batch, false
			}
			batch = append(batch, out)
			size += textSize(out)
		case <-late.C:
			return batch, true
		}
	}
	return batch, true
}

func textSize(o outcome) int {
	if o.Document == nil {
		return 0
	}
	return len(o.Document.Text)
}

// commit stores a batch and tells what came of it. Files that were removed or
// moved since they were taken from the queue are seen to under the lock that
// removal takes as well.
func (l *Library) commit(ctx context.Context, batch []outcome) error {
	l.books.Lock()
	kept, err := l.stillWanted(ctx, batch)
	var intakes []Intake
	for _, o := range kept {
		if !o.gone && !o.again {
			intakes = append(intakes, o.Intake)
		}
	}
	if err == nil && len(intakes) > 0 {
		err = l.commitTexts(ctx, intakes)
	}
	l.books.Unlock()
	if err != nil {
		return err
	}
	if err := l.dropGone(ctx, kept); err != nil {
		return err
	}
	l.committed(ctx, batch, kept)
	return nil
}

// commitTexts stores texts, and gives the index the vectors that came with them
// before any of their passages can be dropped.
func (l *Library) commitTexts(ctx context.Context, intakes []Intake) error {
	l.learning.Lock()
	defer l.learning.Unlock()
	if err := l.Catalog.Commit(ctx, intakes); err != nil {
		return err
	}
	return l.indexIntakes(ctx, intakes)
}

// stillWanted leaves out files whose row is gone or hidden, and gives the others
// the path they have now.
func (l *Library) stillWanted(ctx context.Context, batch []outcome) ([]outcome, error) {
	ids := make([]string, len(batch))
	for i, o := range batch {
		ids[i] = o.File.ID
	}
	rows, _, err := l.Catalog.Files(ctx, FileQuery{IDs: ids, Unlisted: true})
	if err != nil {
		return nil, err
	}
	now := map[string]File{}
	for _, f := range rows {
		now[f.ID] = f
	}
	var kept []outcome
	for _, o := range batch {
		if row, ok := now[o.File.ID]; ok && row.Path == o.File.Path {
			o.File.Root, o.File.Listed = row.Root, row.Listed
			kept = append(kept, o)
		}
	}
	return kept, l.stillKnown(ctx, kept)
}

// stillKnown sends files back to the queue whose text was there when they were
// read, and has left with the last other file that had it since.
func (l *Library) stillKnown(ctx context.Context, batch []outcome) error {
	var digests []string
	for _, o := range batch {
		if o.borrows() {
			digests = append(digests, o.File.Digest)
		}
	}
	if len(digests) == 0 {
		return nil
	}
	known, err := l.Catalog.Known(ctx, digests)
	for i, o := range batch {
		if _, ok := known[o.File.Digest]; o.borrows() && !ok {
			batch[i].again = true
		}
	}
	return err
}

// dropGone removes files that were not there when they were to be read. One may
// be back by now: each place is looked at once more.
func (l *Library) dropGone(ctx context.Context, batch []outcome) error {
	var gone []File
	for _, o := range batch {
		if o.gone {
			gone = append(gone, o.File)
		}
	}
	if err := l.dropFiles(ctx, gone); err != nil {
		return err
	}
	for _, f := range gone {
		l.poked.at(f.Path, againWait)
	}
	return nil
}

// committed tells events, waiters and the other loops.
func (l *Library) committed(ctx context.Context, batch, kept []outcome) {
	var bytes int64
	for _, o := range kept {
		if o.gone {
			continue
		}
		if o.again || moved(o.File) {
			l.poked.at(o.File.Path, againWait)
		}
		if o.again {
			continue
		}
		bytes += o.File.Stamp.Size
		l.announce(o)
		l.outcomes.tell(o.File)
	}
	l.counter.add(len(kept), bytes, l.Now()) // before any is released: the last one out counts the work
	back := map[string]bool{}
	for _, o := range kept {
		back[o.File.ID] = o.again
	}
	for _, o := range batch {
		if back[o.File.ID] {
			time.AfterFunc(againWait, func() { l.inflight.release(o.File.ID); l.moreToRead() })
			continue
		}
		l.inflight.release(o.File.ID)
	}
	l.changedShelf()
	l.moreToRead()
	l.words.raise() // with nothing left to learn it ends the spell of work
	l.tellProgress(ctx, false)
}

// announce tells of files that the word index has nothing to learn from; the
// others are told of when it has.
func (l *Library) announce(o outcome) {
	switch f := o.File; {
	case f.State == Failed || f.State == Skipped:
		l.bus.publish(FailedFile{f.ID, f.Code, f.Reason})
	case o.same:
		l.bus.publish(ReadyFile{f.ID, f.Coverage.Share()})
	}
}

// moved reports whether a file no longer looks as it did when it was read.
func moved(f File) bool {
	info, err := os.Lstat(f.Path)
	return err == nil && walk.StampOf(info) != f.Stamp
}
