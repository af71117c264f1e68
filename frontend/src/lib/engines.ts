/** Search engines by the names people know. */
const names: Record<string, string> = {
  searxng: 'SearXNG', brave: 'Brave', serper: 'Serper', exa: 'Exa', tavily: 'Tavily', keenable: 'Keenable', wikipedia: 'Wikipedia',
  duckduckgo: 'DuckDuckGo', mojeek: 'Mojeek', openalex: 'OpenAlex', arxiv: 'arXiv', crossref: 'Crossref', pubmed: 'PubMed',
  semanticscholar: 'Semantic Scholar', europepmc: 'Europe PMC', hackernews: 'Hacker News', stackexchange: 'Stack Exchange', lemmy: 'Lemmy',
  reddit: 'Reddit', youtube: 'YouTube', wolfram: 'Wolfram Alpha', invidious: 'Invidious', gutenberg: 'Project Gutenberg', library: 'Your files', you: 'You',
};

export const engineName = (name: string): string => names[name] ?? name;
