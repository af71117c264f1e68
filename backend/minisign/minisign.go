package minisign

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

const (
	algorithm = "Ed"
	idLength  = 8
)

// ErrSignature says that a signature does not belong to a file and a key.
var ErrSignature = errors.New("the signature does not fit the file and the key")

// Public is the key that signatures are checked with.
type Public struct {
	id  [idLength]byte
	key ed25519.PublicKey
}

// Secret is the key that files are signed with.
type Secret struct {
	id  [idLength]byte
	key ed25519.PrivateKey
}

// ReadSecret reads the file of a secret key that has no password (minisign -G -W).
func ReadSecret(text []byte) (Secret, error) {
	const salted, sum = 32 + 8 + 8, 32
	raw, err := lastLine(text)
	if err != nil || len(raw) != 6+salted+idLength+ed25519.PrivateKeySize+sum || string(raw[:2]) != algorithm {
		return Secret{}, errors.New("this is no secret key of minisign")
	}
	if raw[2] != 0 || raw[3] != 0 {
		return Secret{}, errors.New("this secret key has a password: make one without, minisign -G -W")
	}
	raw = raw[6+salted:]
	return Secret{id: [idLength]byte(raw[:idLength]), key: ed25519.PrivateKey(raw[idLength : idLength+ed25519.PrivateKeySize])}, nil
}

// Public is the key that checks what this one signs.
func (s Secret) Public() Public {
	return Public{id: s.id, key: s.key.Public().(ed25519.PublicKey)}
}

// ReadPublic reads a public key as minisign writes it, with its comment or without.
func ReadPublic(text []byte) (Public, error) {
	raw, err := lastLine(text)
	if err != nil || len(raw) != len(algorithm)+idLength+ed25519.PublicKeySize || string(raw[:len(algorithm)]) != algorithm {
		return Public{}, errors.New("this is no public key of minisign")
	}
	raw = raw[len(algorithm):]
	return Public{id: [idLength]byte(raw[:idLength]), key: ed25519.PublicKey(raw[idLength:])}, nil
}

// String is the key as minisign writes it, without a comment.
func (p Public) String() string {
	return base64.StdEncoding.EncodeToString(append(append([]byte(algorithm), p.id[:]...), p.key...))
}

// Sign gives the signature file of a body. The comment is signed as well.
func (s Secret) Sign(body []byte, comment string) []byte {
	signature := ed25519.Sign(s.key, body)
	line := append(append([]byte(algorithm), s.id[:]...), signature...)
	whole := ed25519.Sign(s.key, append(bytes.Clone(signature), comment...))
	encode := base64.StdEncoding.EncodeToString
	return fmt.Appendf(nil, "untrusted comment: signature of Footnote\n%s\ntrusted comment: %s\n%s\n", encode(line), comment, encode(whole))
}

// Verify tells whether a signature file is this key's for a body, and gives the
// comment that was signed with it.
func (p Public) Verify(body, signature []byte) (comment string, err error) {
	lines := strings.Split(strings.TrimSpace(string(signature)), "\n")
	if len(lines) != 4 {
		return "", ErrSignature
	}
	line, err := base64.StdEncoding.DecodeString(strings.TrimSpace(lines[1]))
	if err != nil || len(line) != len(algorithm)+idLength+ed25519.SignatureSize || string(line[:2]) != algorithm {
		return "", ErrSignature
	}
	whole, err := base64.StdEncoding.DecodeString(strings.TrimSpace(lines[3]))
	comment, ok := strings.CutPrefix(strings.TrimRight(lines[2], "\r"), "trusted comment: ")
	if err != nil || !ok || [idLength]byte(line[2:10]) != p.id {
		return "", ErrSignature
	}
	if !ed25519.Verify(p.key, body, line[10:]) || !ed25519.Verify(p.key, append(bytes.Clone(line[10:]), comment...), whole) {
		return "", ErrSignature
	}
	return comment, nil
}

// lastLine decodes what follows the comment of a key.
func lastLine(text []byte) ([]byte, error) {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return base64.StdEncoding.DecodeString(strings.TrimSpace(lines[len(lines)-1]))
}
