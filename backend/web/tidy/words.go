package tidy

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"footnote/backend/pattern"
)

// kind is what the words of a line of words.tsv are.
type kind string

const (
	cookie    kind = "cookie"    // what consent is asked for
	choice    kind = "choice"    // what may be said to it
	privacy   kind = "privacy"   // what it is said to be for
	tool      kind = "tool"      // what may be done with a page
	sponsored kind = "sponsored" // over advertisements
	credit    kind = "credit"    // before who made a picture
)

//go:embed words.tsv
var file string

// words are those of a kind in all languages, in lower case: what a page is in cannot be
// told before what stands around its text is gone.
var words = sync.OnceValue(func() map[kind][]string {
	all := map[kind][]string{}
	for line := range strings.Lines(file) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(fields) != 3 {
			panic(fmt.Errorf("no line of words: %q", line)) // a part of the program; the tests find it
		}
		all[kind(fields[0])] = append(all[kind(fields[0])], strings.Split(fields[2], "|")...)
	}
	return all
})

// have counts the words of a kind that a text in lower case has.
func have(k kind, text string) (n int) {
	for _, w := range words()[k] {
		if strings.Contains(text, w) {
			n++
		}
	}
	return n
}

// isWord reports whether a text is nothing but a word of a kind.
func isWord(k kind, text string) bool {
	text = strings.ToLower(strings.Trim(text, " \u00a0:.!·•|/–—-→↓»›"))
	for _, w := range words()[k] {
		if w == text {
			return true
		}
	}
	return false
}

// asksConsent reports whether a text asks whether cookies may be set.
func asksConsent(text string) bool {
	text = strings.ReplaceAll(strings.ToLower(text), "’", "'")
	chosen := have(choice, text)
	return chosen > 0 && have(cookie, text) > 0 || chosen > 1 && have(privacy, text) > 0
}

var (
	vendors = pattern.New(`(?i)tarteaucitron|didomi|axeptio|onetrust|optanon|usercentrics|cookiebot|cybotcookie|quantcast|qc-cmp|truste[-_]|trustarc|osano|iubenda|klaro|borlabs|complianz|cmplz|cookieyes|\bcky-|termly|evidon|sp_message|sourcepoint|fc-consent|\bcc-(?:window|banner)|ccm-root|cookie-?consent|cookie-?law|moove_gdpr|\bot-sdk|\buc-(?:banner|embed)|sd-cmp|appconsent|orejime|consentmanager|\bcmp-?(?:box|wrapper|container)|real-cookie-banner|eu-cookie|\bhu-cookie`)
	banners = pattern.New(`(?i)(?:cookies?|consent|gdpr|rgpd|dsgvo|rodo|lgpd|kvkk|privacy)[-_ ]?(?:banner|bar|notice|notification|popup|pop-up|modal|layer|overlay|dialog|info|message|wall|box|alert|hint|hinweis|panel|manager|settings|disclaimer|toast|container|wrapper|warning|prompt|bandeau|melding|policy-banner|policy-notice)|(?:banner|bandeau|barre?a?|bar|notice|popup|modal|layer|aviso|hinweis|melding|komunikat)[-_ ]?(?:de[-_ ])?(?:cookies?|consent|gdpr|rgpd|dsgvo|rodo|privacy)`)
	perhaps = pattern.New(`(?i)cookie|consent|gdpr|rgpd|dsgvo|rodo|lgpd|kvkk|privacy|\bcmp\b`)
	trails  = pattern.New(`(?i)bread-?_?crumb|(?:^|[\s_-])(?:crumbs?|krumen|brotkrumen|migas|migas-de-pan|briciole|kruimelpad|okruszki|brodsmulor|fil-d-?ariane|filariane|ariane)(?:$|[\s_-])`)
	legends = pattern.New(`(?i)(?:^|\s)(?:wp-caption-text|thumbcaption|gallerytext|figure-caption|image-caption|photo-caption|img-caption|caption-text|media-caption)(?:$|\s)`)
)
