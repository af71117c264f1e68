package evidence

import (
	"strings"
	"testing"
)

func TestSecretsAreBlackedOut(t *testing.T) {
	for text, want := range map[string]string{
		"Card 4111 1111 1111 1111, valid 12/27.":                                   "Card [card number], valid 12/27.",
		"Pay to DE89 3704 0044 0532 0130 00 by Friday.":                            "Pay to [account number] by Friday.",
		"GB82WEST12345698765432":                                                   "[account number]",
		"The password: hunter2!x and the rest":                                     "The password: [password] and the rest",
		"PIN=4711 is written inside":                                               "PIN=[password] is written inside",
		"export KEY=sk-abcdefghijklmnop1234567890":                                 "export KEY=[key]",
		"AKIAIOSFODNN7EXAMPLE":                                                     "[key]",
		"-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----\nEnd": "[private key]\nEnd",
	} {
		if got, n := Redact(text); got != want || n != 1 {
			t.Errorf("%q became %q (%d)", text, got, n)
		}
	}
}

func TestWhatIsNoSecretStays(t *testing.T) {
	for _, text := range []string{
		"The bridge was opened on 19 March 1932 and is 503 metres long.", "ISBN 978-3-16-148410-0", "Order 4111 1111 1111 1112", "GB83WEST12345698765432",
		"Net sales 94,930 89,498 81,797 90,753", "The password must have eight letters.", "ann@example.org, +49 30 1234567", "task-abcdef", "1234 5678 9012 3456",
	} {
		if got, n := Redact(text); got != text || n != 0 {
			t.Errorf("%q became %q", text, got)
		}
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("Card 4111 1111 1111 1111, DE89 3704 0044 0532 0130 00, password: x1234, -----BEGIN PRIVATE KEY-----")
	f.Fuzz(func(t *testing.T, text string) {
		once, n := Redact(text)
		if n == 0 && once != text {
			t.Fatalf("%q changed to %q", text, once)
		}
		if strings.Count(once, "-----BEGIN PRIVATE KEY-----") > 0 {
			t.Fatalf("a key stays in %q", once)
		}
	})
}
