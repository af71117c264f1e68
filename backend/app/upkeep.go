package app

import (
	"context"
	"errors"
	"time"
)

const (
	backupDelay = time.Minute // a command that ends sooner makes its backup at its end
	backupCheck = time.Hour
	backupAtEnd = 2 * time.Second // for which the end of a command waits at most
)

// lateBackup is the note of the day on which a backup took longer than the end of
// a command waits.
const lateBackup = "backup-late"

// keepBackups writes a backup a day while the program lasts, and lets old ones go.
// A program that ends sooner writes it when its work is done.
func (b *builder) keepBackups() {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	b.defer_(func(closing context.Context) error {
		stop()
		<-done
		b.backUpAtEnd(closing)
		return nil
	})
	go func() {
		defer close(done)
		for next := time.NewTimer(backupDelay); ; next.Reset(backupCheck) {
			select {
			case <-ctx.Done():
				next.Stop()
				return
			case <-next.C:
			}
			b.backUp(ctx)
		}
	}()
}

func (b *builder) backUp(ctx context.Context) {
	if err := b.db.BackUpDaily(ctx, b.settings.Now().Store.BackupDays); err != nil && ctx.Err() == nil {
		b.log.Warn("daily backup", "err", err)
	}
}

// backUpAtEnd makes the backup of today where there is none yet. One that takes too
// long is given up, and tried no more today but by a program that lasts.
func (b *builder) backUpAtEnd(closing context.Context) {
	if b.settings.Now().Store.BackupDays <= 0 || !b.db.DailyDue() {
		return
	}
	today := b.now().UTC().Format(time.DateOnly)
	if late, err := b.db.Note(closing, lateBackup); err != nil || late == today {
		return
	}
	timed, cancel := context.WithTimeout(closing, backupAtEnd)
	defer cancel()
	b.backUp(timed)
	if !errors.Is(timed.Err(), context.DeadlineExceeded) {
		return
	}
	b.log.Info("the daily backup takes longer than the end of a command waits; the window or footnote serve makes it")
	if err := b.db.SetNote(closing, lateBackup, today); err != nil {
		b.log.Warn("note a late backup", "err", err)
	}
}
