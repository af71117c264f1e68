// Sample data of the mock server. Names and hosts are invented.
const now = Date.now();
const ago = (hours) => new Date(now - hours * 3_600_000).toISOString();
const id = (prefix, n) => `${prefix}_${String(n).padStart(12, '0')}`;

const titles = [
  ['Burst pipe: cover and first steps', 'chat', 0.2], ['Replace the gas boiler', 'deep-research', 0.5], ['Would a heat pump save money?', 'chat', 0.8],
  ['Boiler warranty and servicing', 'chat', 25], ['Nursery fees paid in 2025', 'chat', 27], ['Passport renewal for Mila', 'chat', 60],
  ['Fixed rate or tracker in 2027?', 'deep-research', 80], ['Broadband notice period', 'chat', 90], ['Loft insulation thickness', 'chat', 400],
  ['Choosing a school district', 'deep-research', 500], ['Car tax for the estate', 'chat', 600], ['Tenancy deposit rules', 'chat', 700],
];
export const threads = titles.map(([title, type, hours], i) => ({
  id: id('thr', i + 1), title, type, created: ago(hours + 1), updated: ago(hours), pinned: false, runs: 1, running: false,
}));

const file = (n, name, folder, status, extra = {}) => ({
  id: id('fil', n), name, path: `/home/ann/Household/${folder}/${name}`, status, reason: '', pages: 0, pages_read: 0, pages_empty: 0, garbled: 0,
  truncated: false, chunks: 40, topics: [], bytes: 240_000, modified: ago(900), indexed: ago(1), digest: 'ab'.repeat(32), ...extra,
});
export const files = [
  file(1, 'Home-policy-2026.pdf', 'Insurance', 'ready', { pages: 38, pages_read: 38, topics: ['insurance', 'water damage'] }),
  file(2, 'Warranty-card.pdf', 'House/Boiler', 'partial', {
    pages: 2, pages_read: 1, pages_empty: 1, topics: ['warranty', 'boiler'], reason: 'Page 2 holds a picture of text, so nothing on it can be found or cited.',
  }),
  file(3, 'Heat-pump-quote-Marlow.pdf', 'House', 'reading', { pages: 10, pages_read: 6 }),
  file(4, 'Gas-bills-2025.csv', 'Taxes/2025', 'ready', { topics: ['gas', 'cost'] }),
  file(5, 'Service-log.docx', 'House/Boiler', 'ready', { topics: ['servicing'] }),
  file(6, 'Deed-1974-copy.pdf', 'House', 'partial', { pages: 12, pages_read: 12, garbled: 0.34, topics: ['deed', 'boundary'], reason: 'A third of the text is garbled.' }),
  file(7, 'Water company reply.eml', 'Letters/2026', 'waiting'),
  file(8, 'Fusebox.heic', 'Photos', 'skipped', { reason: 'Pictures are not read.' }),
  file(9, 'Payroll-locked.pdf', 'Taxes/2025', 'failed', { reason: 'Encrypted, so it cannot be read.' }),
];
export const manyThreads = (count) => Array.from({ length: count }, (_, i) => ({ ...threads[i % threads.length], id: id('thr', i + 1), title: `${i} ${threads[i % threads.length].title}`, updated: ago(i * 3) }));
export const manyFiles = (count) => Array.from({ length: count }, (_, i) => ({ ...files[i % files.length], id: id('fil', 1000 + i), name: `${i} ${files[i % files.length].name}` }));
export const library = {
  roots: [
    { id: id('fil', 91), path: '/home/ann/Household', watch: true, files: 3310, ready: 1204, state: 'reading' },
    { id: id('fil', 92), path: '/home/ann/Contracts', watch: true, files: 86, ready: 86, state: 'ready' },
    { id: id('fil', 93), path: '/media/ann/Archive', watch: true, files: 2041, ready: 2041, state: 'away' },
  ],
  totals: { files: 3310, ready: 1160, partial: 41, failed: 3, skipped: 118, waiting: 2106, chunks: 41806, vectors: 8920, bytes: 640_000_000 },
  rebuilding: null,
};
export const emptyLibrary = { roots: [], totals: { files: 0, ready: 0, partial: 0, failed: 0, skipped: 0, waiting: 0, chunks: 0, vectors: 0, bytes: 0 }, rebuilding: null };
export const progress = {
  files_done: 1204, files_total: 3310, bytes_done: 212_000_000, bytes_total: 640_000_000, rate: 14, left_ms: 120_000, vectors_done: 8920, vectors_total: 41806,
};

const provider = (pid, name, kind, origin, extra = {}) => ({
  id: pid, name, kind, origin, configured: true, reachable: false, local: origin.includes('127.0.0.1'), needs_key: !origin.includes('127.0.0.1'),
  chatModels: [], embeddingModels: [], ...extra,
});
const chat = (key, window, tools, schema, bytes) => ({ key, name: key, window, tools, schema, bytes });
export const models = (found) => ({
  providers: [
    provider('ollama', 'Ollama', 'ollama', 'http://127.0.0.1:11434', {
      reachable: found,
      chatModels: found ? [chat('qwen3:8b', 40960, true, true, 5.2e9), chat('llama3.2:3b', 131072, true, false, 2e9), chat('gemma3:12b', 8192, false, true, 8.1e9)] : [],
      embeddingModels: found ? [{ key: 'nomic-embed-text', name: 'nomic-embed-text', dims: 768 }] : [],
    }),
    provider('lmstudio', 'LM Studio', 'openai', 'http://127.0.0.1:1234/v1'),
    provider('llamacpp', 'llama.cpp', 'openai', 'http://127.0.0.1:8080/v1'),
    provider('openai', 'OpenAI', 'openai', 'https://api.openai.com/v1', { configured: false }),
    provider('anthropic', 'Anthropic', 'anthropic', 'https://api.anthropic.com', { configured: false }),
  ],
  roles: { chat: 'auto', system: '', rewrite: '', embedding: 'auto', rerank: 'none', link_system_to_chat: true },
  resolved: { chat: found ? 'ollama/qwen3:8b' : '', system: found ? 'ollama/qwen3:8b' : '' },
});

const engine = (name, state, extra = {}) => ({
  name, kinds: ['web'], needs_key: false, enabled: true, consent: true, state, suspended_until: null, reason: '', ...extra,
});
export const engines = [
  engine('searxng', 'no-address', { reason: 'No address is set.' }), engine('brave', 'no-key', { needs_key: true }),
  engine('wikipedia', 'ready'), engine('duckduckgo', 'ready'),
  engine('mojeek', 'suspended', { suspended_until: new Date(now + 600_000).toISOString(), reason: 'Asked for a pause.' }),
  engine('tavily', 'no-consent', { consent: false, reason: 'Questions would go to Tavily.' }),
];

const preset = (name, semantic, keyword, freshness, authority, k) =>
  Object.fromEntries(Object.entries({ semantic, keyword, freshness, authority, k }).map(([field, value]) => [`rank.presets.${name}.${field}`, value]));
export const settings = {
  'ask.focus': 'all', 'ask.mode': 'balanced', 'ask.web': true, 'ask.follow_ups': 3, 'ask.history_turns': 5, 'ask.language': 'auto', 'ask.cache_minutes': 10,
  'limits.question_chars': 1000, 'limits.runs_at_once': 4, 'limits.model_calls': 32, 'limits.tokens': 60000, 'web.enabled': true, 'web.keyless': 'fallback',
  'web.engines': ['searxng', 'brave', 'wikipedia', 'duckduckgo'], 'web.searxng.url': '', 'web.read_pages': 5, 'web.timeout_ms': 6000, 'web.robots': true, 'web.consent': [],
  ...preset('general', 0.4, 0.25, 0.15, 0.2, 6), ...preset('news', 0.25, 0.2, 0.4, 0.15, 8), ...preset('academic', 0.35, 0.2, 0.1, 0.35, 5),
  'rank.max_passages': 8, 'rank.max_per_domain': 2, 'rank.half_life_days': 90, 'rank.floor': 0.15, 'rank.encoder': 'auto', 'library.watch': true,
  'library.search_all': true, 'library.exclude': ['.git', 'node_modules'], 'library.ocr': 'auto', 'cite.unsupported': 'mark', 'privacy.scope': 'all',
  'privacy.preview_before_cloud': true, 'privacy.keychain': true, 'models.temperature': 0.2, 'ui.theme': 'system', 'store.private_default': false,
};
export const origins = { 'web.searxng.url': 'file', 'limits.tokens': 'env' };
export { id, ago };

/** Answers that are kept fresh. */
export const kept = () => [
  { run: id('run', 90_001), thread: threads[1].id, title: threads[1].title, every_ms: 86_400_000, on_change: false, checked: ago(3), tried: ago(3), failures: 0, paused: false, unseen: false, checking: false },
  { run: id('run', 90_002), thread: threads[2].id, title: threads[2].title, every_ms: 0, on_change: true, checked: ago(30), tried: ago(1), failures: 4, failure: { code: 'disconnected', message: 'The folder is not connected.', hint: '' }, paused: true, unseen: true, checking: false },
];
