package settings

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"footnote/backend/disk"
	"footnote/backend/fault"
)

// CheckOwner refuses a data folder of another user than the one who runs the program:
// what is written there as root, its owner can no longer open. The folder alone does
// not tell: one that was handed out, as volumes of containers are, belongs to another,
// and what was written there does not.
func CheckOwner(dir string) error { return checkOwner(dir, disk.Owner, os.Geteuid()) }

func checkOwner(dir string, owner func(string) (int, bool), self int) error {
	uid, known := owner(dir)
	if !known || uid == self || self < 0 {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // whoever may not look in is told so when the folder is opened
	}
	for _, entry := range entries {
		if of, known := owner(filepath.Join(dir, entry.Name())); known && of == self {
			return nil
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return fault.New(fault.PathNotAllowed, fmt.Sprintf("The data folder %s belongs to %s, and Footnote runs as %s.", dir, nameOf(uid), nameOf(self)),
		"Run it as "+nameOf(uid)+", choose another folder with --data, or add --any-owner: then files are written there that their owner may not be able to open.")
}

// nameOf is how a user is called, by number where nobody knows the name.
func nameOf(uid int) string {
	number := strconv.Itoa(uid)
	if u, err := user.LookupId(number); err == nil {
		return u.Username
	}
	return "user " + number
}
