// Package offertest has an offer of a newer version, signed for tests.
package offertest

import (
	"testing"

	"footnote/backend/minisign/minisigntest"
	"footnote/backend/update/offer"
)

// Told is version 0.2.0.
var Told = offer.Offer{Version: "0.2.0", Date: "2026-12-01", Page: "https://footnote.invalid/releases"}

// Sealed signs an offer with a key of minisigntest.
func Sealed(t *testing.T, o offer.Offer, by byte) []byte {
	t.Helper()
	body, err := offer.Seal(o, minisigntest.Key(t, by))
	if err != nil {
		t.Fatal(err)
	}
	return body
}
