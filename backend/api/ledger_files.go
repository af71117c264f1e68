package api

import (
	"context"
	"slices"

	"footnote/backend/evidence"
	"footnote/backend/fault"
)

// LedgerFile is a file of which text went to a host, as far as it is still known.
type LedgerFile struct {
	Title string `json:"title"`
	Path  string `json:"path"`
}

// nameFiles says of which files the passages are that went out.
func (s Runs) nameFiles(ctx context.Context, lines []LedgerLine) error {
	for i, line := range lines {
		for _, id := range line.Sent {
			_, src, err := s.DB.Passage(ctx, id)
			if fault.CodeOf(err) == fault.NotFound {
				continue // it was deleted since
			}
			if err != nil {
				return err
			}
			file := LedgerFile{src.Title, src.Address}
			if src.Kind == evidence.File && !slices.Contains(lines[i].Files, file) {
				lines[i].Files = append(lines[i].Files, file)
			}
		}
	}
	return nil
}
