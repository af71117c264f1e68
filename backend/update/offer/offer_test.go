package offer_test

import (
	"bytes"
	"testing"

	"footnote/backend/fault"
	"footnote/backend/minisign"
	"footnote/backend/minisign/minisigntest"
	"footnote/backend/update/offer"
	"footnote/backend/update/offer/offertest"
)

func TestOnlyWhatTheKeySignedAsAnOfferIsOpened(t *testing.T) {
	public := minisigntest.Key(t, 1).Public()
	body := offertest.Sealed(t, offertest.Told, 1)
	if got, err := offer.Open(body, public); err != nil || got != offertest.Told {
		t.Fatalf("%v, %v", got, err)
	}
	other := bytes.Replace(body, []byte(`0.2.0`), []byte(`0.3.0`), 1)
	asList := bytes.Replace(body, []byte(offer.Comment), []byte("file:SHA256SUMS"), 1)
	for name, bad := range map[string][]byte{"another version": other, "another file": asList, "another key": offertest.Sealed(t, offertest.Told, 2), "no JSON": []byte("<html>"), "nothing": nil} {
		if _, err := offer.Open(bad, public); fault.CodeOf(err) != fault.NotAcceptable {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestWhatIsNoOfferIsNotSigned(t *testing.T) {
	for _, bad := range []offer.Offer{{"0.2", offertest.Told.Date, offertest.Told.Page}, {"0.2.-1", offertest.Told.Date, offertest.Told.Page}, {"0.2.0", "soon", offertest.Told.Page}, {"0.2.0", offertest.Told.Date, "http://footnote.invalid"}, {"0.2.0", offertest.Told.Date, "javascript:alert(1)"}} {
		if _, err := offer.Seal(bad, minisigntest.Key(t, 1)); err == nil {
			t.Errorf("%v was signed", bad)
		}
	}
}

func TestVersionsAreComparedByNumber(t *testing.T) {
	for running, want := range map[string]bool{"0.1.9": true, "0.1.10": true, "0.2.0": false, "0.10.0": false, "1.0.0": false, "unknown": true} {
		if got := offertest.Told.Newer(running); got != want {
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
