package team

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/crypto/argon2"

	"footnote/backend/fault"
)

// cost is what a guess costs: the second choice of RFC 9106, for machines with
// little memory.
type cost struct {
	passes, memory uint32 // memory in KiB
	lanes          uint8
}

var present = cost{passes: 3, memory: 64 << 10, lanes: 4}

const (
	saltBytes    = 16
	keyBytes     = 32
	leastChars   = 10
	mostPassword = 1024 // bytes
)

// HashPassword gives what is kept of a password. One that is too short to withstand
// guessing is fault invalid-request.
func HashPassword(password string) (string, error) {
	switch {
	case utf8.RuneCountInString(password) < leastChars:
		return "", fault.New(fault.InvalidRequest, fmt.Sprintf("The password has fewer than %d characters.", leastChars), "Choose a longer one; several words are easy to remember.")
	case len(password) > mostPassword:
		return "", fault.New(fault.InvalidRequest, "The password is too long.", fmt.Sprintf("Choose one of at most %d bytes.", mostPassword))
	}
	var salt [saltBytes]byte
	rand.Read(salt[:])
	return present.text(salt[:], present.key(password, salt[:])), nil
}

func (c cost) key(password string, salt []byte) []byte {
	return argon2.IDKey([]byte(password), salt, c.passes, c.memory, c.lanes, keyBytes)
}

func (c cost) text(salt, key []byte) string {
	encode := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, c.memory, c.passes, c.lanes, encode(salt), encode(key))
}

// nobody is the hash that a password is compared with where there is no account: it
// takes as long, and never matches.
func nobody() string { return present.text(make([]byte, saltBytes), make([]byte, keyBytes)) }

// matches reports whether a password is the one of a hash.
func matches(password, hash string) bool {
	var version int
	var c cost
	parts := strings.Split(hash, "$")
	if len(parts) != 6 || parts[1] != "argon2id" || len(password) > mostPassword {
		return false
	}
	_, errVersion := fmt.Sscanf(parts[2], "v=%d", &version)
	_, errCost := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &c.memory, &c.passes, &c.lanes)
	salt, errSalt := base64.RawStdEncoding.DecodeString(parts[4])
	key, errKey := base64.RawStdEncoding.DecodeString(parts[5])
	if errVersion != nil || errCost != nil || errSalt != nil || errKey != nil || version != argon2.Version || c.passes == 0 || c.lanes == 0 || len(key) != keyBytes {
		return false
	}
	return subtle.ConstantTimeCompare(c.key(password, salt), key) == 1
}
