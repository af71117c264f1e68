package registry

import "time"

// Kinds of search that an engine may serve.
const (
	General   = "general"
	Knowledge = "knowledge"
	News      = "news"
	Images    = "images"
	Videos    = "video"
	Academic  = "academic"
	Community = "community"
)

// Use says what a key is for.
type Use int

// An engine has no key, may have one, or does not serve without.
const (
	Keyless Use = iota
	Optional
	Needed
)

// Engine is a search engine.
type Engine struct {
	Name, Label string
	Kinds       []string
	Key         Use
	Consent     bool          // keyless only for a reader who agreed to the company
	Base        string        // where it is asked; empty: at an address of the settings
	Pace        time.Duration // between two questions
	Variable    string        // in which other programs look for its key
}

// Engines are all of them, in the order of lists.
func Engines() []Engine {
	everything, general := []string{General, News, Images, Videos}, []string{General, News}
	academic, community := []string{Academic}, []string{Community}
	return []Engine{
		{Name: "searxng", Label: "SearXNG", Kinds: everything},
		{Name: "brave", Label: "Brave Search", Kinds: general, Key: Needed, Base: "https://api.search.brave.com", Pace: time.Second, Variable: "BRAVE_API_KEY"},
		{Name: "serper", Label: "Serper", Kinds: general, Key: Needed, Base: "https://google.serper.dev", Variable: "SERPER_API_KEY"},
		{Name: "exa", Label: "Exa", Kinds: general, Key: Needed, Base: "https://api.exa.ai", Variable: "EXA_API_KEY"},
		{Name: "tavily", Label: "Tavily", Kinds: general, Key: Optional, Consent: true, Base: "https://api.tavily.com", Pace: time.Second, Variable: "TAVILY_API_KEY"},
		{Name: "keenable", Label: "Keenable", Kinds: general, Key: Optional, Consent: true, Base: "https://api.keenable.ai", Pace: time.Second / 5},
		{Name: "wikipedia", Label: "Wikipedia", Kinds: []string{General, Knowledge}, Base: "https://{lang}.wikipedia.org", Pace: time.Second / 2},
		{Name: "duckduckgo", Label: "DuckDuckGo", Kinds: general, Base: "https://html.duckduckgo.com", Pace: 2 * time.Second},
		{Name: "mojeek", Label: "Mojeek", Kinds: general, Base: "https://www.mojeek.com", Pace: 2 * time.Second},

		{Name: "openalex", Label: "OpenAlex", Kinds: academic, Key: Optional, Base: "https://api.openalex.org", Pace: time.Second / 5},
		{Name: "arxiv", Label: "arXiv", Kinds: academic, Base: "https://export.arxiv.org", Pace: 3 * time.Second},
		{Name: "crossref", Label: "Crossref", Kinds: academic, Base: "https://api.crossref.org", Pace: time.Second / 5},
		{Name: "pubmed", Label: "PubMed", Kinds: academic, Key: Optional, Base: "https://eutils.ncbi.nlm.nih.gov", Pace: time.Second / 2},
		{Name: "semanticscholar", Label: "Semantic Scholar", Kinds: academic, Key: Optional, Base: "https://api.semanticscholar.org", Pace: time.Second},
		{Name: "europepmc", Label: "Europe PMC", Kinds: academic, Base: "https://www.ebi.ac.uk", Pace: time.Second / 5},

		{Name: "hackernews", Label: "Hacker News", Kinds: community, Base: "https://hn.algolia.com", Pace: time.Second / 2},
		{Name: "stackexchange", Label: "Stack Exchange", Kinds: community, Key: Optional, Base: "https://api.stackexchange.com", Pace: time.Second / 2},
		{Name: "lemmy", Label: "Lemmy", Kinds: community, Base: "https://lemmy.ml", Pace: time.Second},
		{Name: "reddit", Label: "Reddit", Kinds: community},

		{Name: "youtube", Label: "YouTube", Kinds: []string{Videos}, Base: "https://www.youtube.com", Pace: time.Second},
	}
}

// Computer is the service that computes; it is no search engine, and has a key.
func Computer() Engine {
	return Engine{Name: "wolfram", Label: "Wolfram Alpha", Key: Needed, Base: "https://www.wolframalpha.com"}
}
