package minisign_test

import (
	"bytes"
	"encoding/base64"
	"strings"
	"testing"

	"footnote/backend/minisign"
	"footnote/backend/minisign/minisigntest"
)

func TestOneFlippedByteIsRefused(t *testing.T) {
	key, err := minisign.ReadSecret(minisigntest.File(1))
	if err != nil {
		t.Fatal(err)
	}
	body := []byte("abc  footnote.deb\n")
	signature := key.Sign(body, "file:SHA256SUMS")
	if comment, err := key.Public().Verify(body, signature); err != nil || comment != "file:SHA256SUMS" {
		t.Fatalf("%q, %v", comment, err)
	}
	for i := range body {
		flipped := bytes.Clone(body)
		flipped[i] ^= 1
		if _, err := key.Public().Verify(flipped, signature); err == nil {
			t.Errorf("byte %d of the file was flipped, and it passes", i)
		}
	}
	signed := len("untrusted comment: signature of Footnote\n")
	for i := signed; i < len(signature)-1; i++ {
		flipped := bytes.Clone(signature)
		flipped[i] ^= 1
		if _, err := key.Public().Verify(body, flipped); err == nil {
			t.Errorf("byte %d of the signature was flipped, and it passes: %q", i, flipped)
		}
	}
}

func TestAnotherKeyIsRefused(t *testing.T) {
	one, err := minisign.ReadSecret(minisigntest.File(1))
	if err != nil {
		t.Fatal(err)
	}
	other, err := minisign.ReadSecret(minisigntest.File(2))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Public().Verify([]byte("x"), one.Sign([]byte("x"), "")); err == nil {
		t.Error("a signature of another key passes")
	}
}

func TestAKeyWithAPasswordIsToldApart(t *testing.T) {
	text := minisigntest.File(1)
	raw, _ := base64.StdEncoding.DecodeString(strings.Split(string(text), "\n")[1])
	copy(raw[2:], "Sc")
	if _, err := minisign.ReadSecret([]byte(base64.StdEncoding.EncodeToString(raw))); err == nil || !strings.Contains(err.Error(), "password") {
		t.Error(err)
	}
}

func TestAPublicKeyIsReadAsItIsWritten(t *testing.T) {
	key, err := minisign.ReadSecret(minisigntest.File(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{key.Public().String(), "untrusted comment: public key\n" + key.Public().String() + "\n"} {
		read, err := minisign.ReadPublic([]byte(text))
		if err != nil || read.String() != key.Public().String() {
			t.Fatalf("%v, %v", read, err)
		}
		if _, err := read.Verify([]byte("x"), key.Sign([]byte("x"), "")); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", "RWQ=", "not base64!", string(minisigntest.File(1))} {
		if _, err := minisign.ReadPublic([]byte(bad)); err == nil {
			t.Errorf("%q is taken for a public key", bad)
		}
	}
}

func FuzzReadPublic(f *testing.F) {
	f.Add([]byte(minisigntest.Key(f, 1).Public().String()))
	f.Add([]byte("untrusted comment: a key\n" + minisigntest.Key(f, 2).Public().String() + "\n"))
	f.Add([]byte("\n\n"))
	f.Add([]byte("RWQ"))
	f.Fuzz(func(t *testing.T, text []byte) {
		key, err := minisign.ReadPublic(text)
		if err != nil {
			return
		}
		if again, err := minisign.ReadPublic([]byte(key.String())); err != nil || again.String() != key.String() {
			t.Fatalf("%q: %v", text, err)
		}
		if _, err := key.Verify(text, text); err == nil {
			t.Fatalf("%q signs itself", text)
		}
	})
}
