package settings

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/user"
	"strconv"

	"footnote/backend/disk"
	"footnote/backend/fault"
)

// CheckOwner refuses a data folder that belongs to another user than the one who
// runs the program: what is written there as root, its owner can no longer open.
// A folder that is not there yet or has nothing in it is nobody's.
func CheckOwner(dir string) error { return checkOwner(dir, disk.Owner, os.Geteuid()) }

func checkOwner(dir string, owner func(string) (int, bool), self int) error {
	uid, known := owner(dir)
	if !known || uid == self || self < 0 || isEmpty(dir) {
		return nil
	}
	return fault.New(fault.PathNotAllowed, fmt.Sprintf("The data folder %s belongs to %s, and Footnote runs as %s.", dir, nameOf(uid), nameOf(self)),
		"Run it as "+nameOf(uid)+", choose another folder with --data, or add --any-owner: then files are written there that their owner may not be able to open.")
}

func isEmpty(dir string) bool {
	f, err := os.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	return errors.Is(err, io.EOF)
}

// nameOf is how a user is called, by number where nobody knows the name.
func nameOf(uid int) string {
	number := strconv.Itoa(uid)
	if u, err := user.LookupId(number); err == nil {
		return u.Username
	}
	return "user " + number
}
