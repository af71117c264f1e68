package extract

import (
	"bytes"
	"context"

	"footnote/backend/extract/format"
	"footnote/backend/extract/legacy"
	"footnote/backend/extract/mail"
)

// readOldOffice reads what lies in the container of the older office programs.
var readOldOffice = legacy.Reader(mail.ReadOutlook)

// readOutlook reads a message that Outlook saved, or another program under its
// extension.
func readOutlook(ctx context.Context, b *format.Builder, name string, data []byte, lim Limits) error {
	if bytes.HasPrefix(data, format.OLEMagic) {
		return readOldOffice(ctx, b, name, data, lim)
	}
	return mail.Read(ctx, b, name, data, lim)
}
