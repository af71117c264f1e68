package offer_test

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"testing"

	"footnote/backend/fault"
	"footnote/backend/minisign"
	"footnote/backend/update/offer"
)

func key(t *testing.T, fill byte) minisign.Secret {
	t.Helper()
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{fill}, ed25519.SeedSize))
	raw := append([]byte("Ed\x00\x00B2"), make([]byte, 48)...)
	raw = append(append(append(raw, "footnote"...), private...), make([]byte, 32)...)
	secret, err := minisign.ReadSecret([]byte("untrusted comment: secret key\n" + base64.StdEncoding.EncodeToString(raw) + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return secret
}

var told = offer.Offer{Version: "0.2.0", Date: "2026-12-01", Page: "https://footnote.invalid/releases"}

func sealed(t *testing.T, o offer.Offer, by byte) []byte {
	t.Helper()
	body, err := offer.Seal(o, key(t, by))
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestOnlyWhatTheKeySignedAsAnOfferIsOpened(t *testing.T) {
	public := key(t, 1).Public()
	body := sealed(t, told, 1)
	if got, err := offer.Open(body, public); err != nil || got != told {
		t.Fatalf("%v, %v", got, err)
	}
	other := bytes.Replace(body, []byte(`0.2.0`), []byte(`0.3.0`), 1)
	asList := bytes.Replace(body, []byte(offer.Comment), []byte("file:SHA256SUMS"), 1)
	for name, bad := range map[string][]byte{"another version": other, "another file": asList, "another key": sealed(t, told, 2), "no JSON": []byte("<html>"), "nothing": nil} {
		if _, err := offer.Open(bad, public); fault.CodeOf(err) != fault.NotAcceptable {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatIsNoOfferIsNotSigned(t *testing.T) {
	for _, bad := range []offer.Offer{{"0.2", told.Date, told.Page}, {"0.2.-1", told.Date, told.Page}, {"0.2.0", "soon", told.Page}, {"0.2.0", told.Date, "http://footnote.invalid"}, {"0.2.0", told.Date, "javascript:alert(1)"}} {
		if _, err := offer.Seal(bad, key(t, 1)); err == nil {
			t.Errorf("%v was signed", bad)
		}
	}
}

func TestVersionsAreComparedByNumber(t *testing.T) {
	for running, want := range map[string]bool{"0.1.9": true, "0.1.10": true, "0.2.0": false, "0.10.0": false, "1.0.0": false, "unknown": true} {
		if got := told.Newer(running); got != want {
			t.Errorf("0.2.0 is newer than %s: %t", running, got)
		}
	}
}

func FuzzOpen(f *testing.F) {
	f.Add([]byte(`{"offer":"{}","signature":"a\nb\nc\nd"}`))
	f.Add([]byte(`{"offer":"{\"version\":\"0.2.0\"}","signature":"untrusted comment: x\nRWQ=\ntrusted comment: file:offer.json\nRWQ="}`))
	public, err := minisign.ReadPublic([]byte("RWRmb290bm90ZQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if o, err := offer.Open(body, public); err == nil {
			t.Errorf("opened what nobody signed: %v", o)
		}
	})
}
