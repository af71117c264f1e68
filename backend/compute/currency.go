package compute

import (
	"math/big"
	"slices"
	"strings"
)

// currencies, by the name they are shown with. Each is a quantity of its own:
// there is no rate between them here.
var currencies = []struct{ name, words string }{
	{"€", "€ eur euro euros"}, {"$", "$ usd dollar dollars"}, {"£", "£ gbp quid"}, {"¥", "¥ jpy yen"}, {"CHF", "chf"}, {"CNY", "cny yuan"},
	{"INR", "inr rupee rupees"}, {"CAD", "cad"}, {"AUD", "aud"}, {"SEK", "sek"}, {"NOK", "nok"}, {"DKK", "dkk"}, {"PLN", "pln"}, {"BRL", "brl"}, {"MXN", "mxn"}, {"KRW", "krw"},
}

const firstCurrency = 8 // among the base quantities

var (
	money         = map[string]bool{}
	prefixMoney   = map[string]bool{"€": true, "$": true, "£": true, "¥": true}
	currencyNames = func() (names []string) {
		for _, c := range currencies {
			names = append(names, c.name)
			money[c.name] = true
		}
		return names
	}()
)

// CurrencyName is the name that a currency is shown with, by a sign or a word for it in lower
// case.
func CurrencyName(word string) (name string, ok bool) {
	for _, c := range currencies {
		if slices.Contains(strings.Fields(c.words), word) {
			return c.name, true
		}
	}
	return "", false
}

func currencyUnit(i int) unit {
	u := unit{name: currencies[i].name, scale: big.NewRat(1, 1)}
	u.dim[firstCurrency+i] = 1
	return u
}

// moneyCode reports whether a dimension is an amount of money and nothing else.
func moneyCode(d dimension) bool {
	count := 0
	for i, n := range d {
		if n != 0 && (i < firstCurrency || n != 1) {
			return false
		}
		count += int(n)
	}
	return count == 1
}
