package web

import (
	"net/http"
	"strconv"
	"strings"
	"unicode/utf8"

	"footnote/backend/answer/gather"
	"footnote/backend/pattern"
)

// Pages that stand in a page's place are short; a long page that speaks of
// CAPTCHAs is an article about them. Lengths are characters of visible text.
const (
	challengeText = 1200
	consentText   = 900
	paywallText   = 1500
	missingText   = 500
	scriptText    = 80
)

var (
	challengeTitle = pattern.New(`(?i)^\W*(just a moment|attention required|are you (a )?(human|robot)|access (to this page )?(has been )?denied|verify(ing)? you are (a )?human|security (check|verification)|robot check|pardon our interruption|ddos-guard|human verification|captcha|one more step|bot verification)`)
	challengeBody  = pattern.New(`(?i)checking (if the site connection is secure|your browser)|enable javascript and cookies to continue|(verify|confirm|prove) (that )?you('re| are) (a |not a )?(human|robot)|unusual (traffic|activity) from your|complete the (captcha|security check)|solve (the|this) captcha|are you a robot|press (&|and) hold to confirm|why did this happen\?.{0,80}robot|anomaly in your browser`)
	consentTitle   = pattern.New(`(?i)^\W*(before you continue|we value your privacy|your privacy( choices)?|cookie (consent|notice|settings)|privacy settings|bevor (sie|du)|avant de continuer)`)
	consentBody    = pattern.New(`(?i)(cookie|consent|tracking).{0,400}(accept|agree|allow)( all)?.{0,200}(reject|decline|manage|customi[sz]e|settings|preferences|options)`)
	paywallBody    = pattern.New(`(?i)subscribe (now )?to (continue|keep|read|unlock)|to continue reading|(article|story|content) is (only )?(for|available to|reserved for|exclusive to) (paying |premium )?(subscribers|members)|already a (subscriber|member)\?|(sign|log) in (or subscribe )?to (continue|read)|you('ve| have) (reached|read) your (limit|last)( of)? free|start your (free )?trial to (read|continue)|unlock this (article|story)`)
	missingTitle   = pattern.New(`(?i)^\W*((error )?(404|410)\b|(page|file|document|article) (was )?(not found|gone|does not exist|doesn't exist|missing|unavailable)|not found|nothing found|seite nicht gefunden|page introuvable|oops)`)
	missingBody    = pattern.New(`(?i)(page|article|document|content|link|url|file)[^.!?]{0,60}(could not be found|couldn't be found|cannot be found|can't be found|was not found|does not exist|doesn't exist|no longer (exists|available)|has been (removed|deleted))|(we|sorry)[^.!?]{0,40}(can't|couldn't|could not|unable to) find (the|that|this) (page|article)`)
)

// refusedPage recognises pages that stand in the place of the one that was
// asked for. Their text is no evidence. nil means that the page is itself.
func refusedPage(m metadata, text string) *gather.UnreadError {
	n := utf8.RuneCountInString(text)
	head := text[:min(len(text), 4*challengeText)]
	body := strings.Join(strings.Fields(head), " ")
	switch {
	case n < challengeText && (challengeTitle.MatchString(m.title) || challengeBody.MatchString(body)), m.challenge && n < challengeText/3:
		return refuse("captcha", "The site asks whether a person is there and shows no text.", nil)
	case n < consentText && (consentTitle.MatchString(m.title) || consentBody.MatchString(body)) && strings.Contains(strings.ToLower(body), "cookie"):
		return refuse("consent", "The site shows a consent page in place of its text.", nil)
	case n < paywallText && (m.paid || paywallBody.MatchString(body)):
		return refuse("paywall", "The text is for subscribers of the site.", nil)
	case n < missingText && (missingTitle.MatchString(m.title) || missingBody.MatchString(body)):
		return refuse("http-404", "The page does not exist any more; the site shows an error page.", nil)
	case n < scriptText && m.scripts > 0:
		return refuse("empty", "The page has no readable text; it is drawn by scripts.", errScripted)
	case strings.TrimSpace(text) == "":
		return refuse("empty", "The page has no readable text.", nil)
	}
	return nil
}

// refusedStatus says what a status other than success means. nil means that the
// body is the page.
func refusedStatus(resp *http.Response) *gather.UnreadError {
	switch code := resp.StatusCode; {
	case code == http.StatusOK, code == http.StatusNonAuthoritativeInfo, code == http.StatusPartialContent:
		return nil
	case resp.Header.Get("Cf-Mitigated") == "challenge":
		return refuse("captcha", "The site asks whether a person is there and shows no text.", nil)
	case code == http.StatusPaymentRequired:
		return refuse("paywall", "The text is for subscribers of the site.", nil)
	case code == http.StatusUnauthorized, code == http.StatusForbidden, code == http.StatusProxyAuthRequired,
		code == http.StatusUnavailableForLegalReasons, code == 999:
		return refuse("blocked", "The site refused to show the page (status "+strconv.Itoa(code)+").", nil)
	case code == http.StatusNotFound, code == http.StatusGone:
		return refuse("http-404", "The page does not exist any more.", nil)
	case code == http.StatusTooManyRequests:
		return refuse("http-429", "The site takes no more requests for now.", nil)
	default:
		return refuse("http-"+strconv.Itoa(code), "The site answered with status "+strconv.Itoa(code)+".", nil)
	}
}
