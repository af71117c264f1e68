package app

import (
	"context"
	"time"
)

const (
	backupDelay = time.Minute // a command that ends sooner is not made to wait for a backup
	backupCheck = time.Hour
)

// keepBackups writes a backup a day while the program lasts, and lets old ones go.
func (b *builder) keepBackups() {
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	b.defer_(func(context.Context) error {
		stop()
		<-done
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
			if err := b.db.BackUpDaily(ctx, b.settings.Now().Store.BackupDays); err != nil && ctx.Err() == nil {
				b.log.Warn("daily backup", "err", err)
			}
		}
	}()
}
