package library

import "context"

// Unread tells why a file cannot be asked, for people; empty where it can.
func (l *Library) Unread(ctx context.Context, id string) (string, error) {
	files, _, err := l.Files(ctx, FileQuery{IDs: []string{id}, Unlisted: true})
	switch {
	case err != nil:
		return "", err
	case len(files) == 0:
		return "It is no longer in the library.", nil
	case files[0].Digest != "" && files[0].State != Failed && files[0].State != Skipped:
		return "", nil
	case files[0].Reason != "":
		return files[0].Reason, nil
	}
	return "It is still being read.", nil
}
