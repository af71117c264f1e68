// Package minisigntest makes keys that sign in tests: the same byte gives the same key.
package minisigntest

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"testing"

	"footnote/backend/minisign"
)

// File is a secret key as minisign writes it without a password.
func File(fill byte) []byte {
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{fill}, ed25519.SeedSize))
	raw := append([]byte("Ed\x00\x00B2"), make([]byte, 48)...)
	raw = append(append(append(raw, "footnote"...), key...), make([]byte, 32)...)
	return []byte("untrusted comment: secret key\n" + base64.StdEncoding.EncodeToString(raw) + "\n")
}

// Key is the key of a File.
func Key(t testing.TB, fill byte) minisign.Secret {
	t.Helper()
	secret, err := minisign.ReadSecret(File(fill))
	if err != nil {
		t.Fatal(err)
	}
	return secret
}
