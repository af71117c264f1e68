package library

import (
	"context"
	"slices"

	"footnote/backend/extract"
)

// abilityNote keeps what the last files were read with.
const abilityNote = "reader"

// readUnstarted queues what was not read because there was nothing to read with: a
// new start may have it.
func (l *Library) readUnstarted(ctx context.Context) error {
	files, _, err := l.Catalog.Files(ctx, FileQuery{States: []State{Failed}, Unlisted: true})
	if err != nil {
		return err
	}
	return l.readAfresh(ctx, slices.DeleteFunc(files, func(f File) bool { return f.Code != extract.NotStarted }))
}

// notMended are the codes of failures that no other reader changes.
var notMended = []string{extract.Encrypted, extract.Unreadable}

// readBetter queues what was read in part, or not at all, once more is read here
// than when it was: another version, a program that was installed, recognition
// that was switched on.
func (l *Library) readBetter(ctx context.Context) error {
	if l.Ability == nil {
		return nil
	}
	now := l.Ability(ctx)
	before, err := l.Catalog.Note(ctx, abilityNote)
	if err != nil || now == before || ctx.Err() != nil {
		return err
	}
	files, _, err := l.Catalog.Files(ctx, FileQuery{States: []State{Partial, Failed, Skipped}, Unlisted: true})
	if err != nil {
		return err
	}
	files = slices.DeleteFunc(files, func(f File) bool { return slices.Contains(notMended, f.Code) })
	if err := l.readAfresh(ctx, files); err != nil {
		return err
	}
	return l.Catalog.SetNote(ctx, abilityNote, now)
}

// ReadWaiting has files read that were sent back to wait from outside: their stored
// text was found damaged.
func (l *Library) ReadWaiting() {
	l.changedShelf()
	l.moreToRead()
}

// readAfresh queues files as if they had never been read. A text that was read
// whole stays as it is: the same bytes give the same.
func (l *Library) readAfresh(ctx context.Context, files []File) error {
	if len(files) == 0 {
		return nil
	}
	for i := range files {
		if files[i].State != Ready {
			files[i].Digest = ""
		}
		files[i].State, files[i].Code, files[i].Reason = Waiting, "", ""
	}
	for part := range slices.Chunk(files, flushAt) {
		l.books.Lock()
		err := l.Catalog.PutFiles(ctx, part)
		l.books.Unlock()
		if err != nil {
			return err
		}
		for _, f := range part {
			l.bus.publish(Queued{f.ID})
		}
	}
	l.changedShelf()
	l.moreToRead()
	return nil
}
