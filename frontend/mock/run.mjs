// A scripted run: the events of one question, with the waits between them.
import { ago, id } from './data.mjs';

const at = (page, line, heading, start, end) => ({ page, line, heading, start, end });
const scores = (semantic, keyword) => ({ semantic, keyword, freshness: 0.5, authority: 0.7, composite: (semantic + keyword) / 2 });
const place = [at(0, 13, '', 0, 44), at(3, 0, 'Design', 0, 90), at(0, 0, 'Running costs', 0, 110)];
const source = (n, kind, title, snippet, extra) => ({
  n, id: id('src', n), kind, title, locator: place[n - 1], passages: [{ id: id('psg', n), locator: place[n - 1] }], image: null, published: null,
  engine: 'library', snippet, coverage: 1, flags: [], scores: scores(0.8, 0.7), rank_before: 4 - n, rank_after: n, reason: '', ...extra,
});
export const sources = [
  source(1, 'file', 'Gas-bills-2025.csv', 'Total 2025: 17,840 kWh, €2,140.80', { path: '/home/ann/Household/Taxes/2025/Gas-bills-2025.csv' }),
  source(2, 'file', 'Heat-pump-quote-Marlow.pdf', 'Design heat loss 6.8 kW. Expected seasonal performance factor 3.6 with the radiators listed.', {
    path: '/home/ann/Household/House/Heat-pump-quote-Marlow.pdf',
  }),
  source(3, 'web', 'Running costs: heat pump or gas boiler', 'Whether it is cheaper depends on the ratio of the electricity price to the gas price.', {
    url: 'https://energyadvice.example/costs', domain: 'energyadvice.example', published: '2026-10-04', engine: 'wikipedia',
  }),
];
const parts = [
  ['**Probably a little, and more if your tariff changes.** You burned 17,840 kWh of gas in 2025 and paid €2,140.80.', 1, 'supported'],
  [' The installer expects a seasonal performance factor of 3.6 with the new radiators,', 2, 'supported'],
  [' so the same warmth would take roughly 4,500 kWh of electricity.', 2, 'partly'],
  ['\n\nWhether that is cheaper depends on the price ratio of electricity to gas.', 3, 'supported'],
  [' At a ratio below about 4, the heat pump saves money every month.', 3, 'not-found'],
];

function written() {
  let text = '';
  const citations = parts.map(([sentence, n, verdict]) => {
    const start = [...text].length + (sentence.length - sentence.trimStart().length);
    text += sentence;
    const end = [...text].length;
    text += `[${n}]`;
    const quote = sources[n - 1].snippet;
    return {
      marker: n, passage_id: id('psg', n), source_id: id('src', n), claim: { start, end, text: sentence.trim() },
      quote: { start: 0, end: [...quote].length, text: quote }, highlight: [{ start: 0, end: [...quote].length }], verdict,
      why: verdict === 'supported' ? '' : 'The passage does not give this figure.',
    };
  });
  return { text, citations };
}

const usage = (prompt, completion) => ({ model: 'ollama/qwen3:8b', prompt, completion, total: prompt + completion, calls: 1, estimated: false });
const report = {
  has_citations: true, citation_count: 5, all_citations_valid: true, estimated_factual_coverage: 1,
  verdicts: { supported: 3, partly: 1, 'not-found': 1, contradicted: 0 }, unanswered: [], warnings: [],
};

export function answer(question, run, thread) {
  const { text, citations } = written();
  return {
    question, answer: text, outcome: 'answered', citations, sources, report, disagreements: [],
    follow_ups: ['What would the installation cost after the grant?', 'Which tariffs have a ratio below 4?', 'How loud is the unit at night?'],
    usage: { chat: usage(2210, 180), system: usage(420, 12) },
    timing: { plan_ms: 410, gather_ms: 900, read_ms: 1200, select_ms: 30, first_text_ms: 2600, compose_ms: 3100, check_ms: 20, images_ms: 0 },
    ledger: [{ host: 'en.wikipedia.org', purpose: 'search', bytes_out: 512, bytes_in: 20480, requests: 1, sent: [] }],
    notices: [], run, thread, cached: false, timestamp: ago(0), latency_ms: 5120,
  };
}

const stage = (name, label, state = 'start', ms) => ['stage', { stage: name, state, label, ...(ms ? { ms } : {}) }];
const ended = (name, label, ms) => stage(name, label, 'end', ms);

/** The script: [wait in ms, kind, body] in order. */
export function script(question, run, thread) {
  const { text, citations } = written();
  const done = answer(question, run, thread);
  const lead = (n, domain, title) => ({ source: id('src', n), title, address: `https://${domain}/a`, domain, snippet: '', engine_score: 1 });
  const events = [
    [0, 'started', {
      thread, question, focus: 'all', mode: 'balanced', submode: '', scope: { files: [], folders: [], collections: [] }, web: true, offline: false,
      models: { chat: 'ollama/qwen3:8b', system: 'ollama/qwen3:8b', rewrite: '', embedding: 'builtin', rerank: 'none' }, prompt_hash: '', cached: false,
    }],
    [20, ...stage('plan', 'Understanding the question…')],
    [300, 'planned', {
      standalone: question, queries: ['heat pump running cost vs gas 2026'], search: true, shelf: true, reason: '', by: 'model', preset: 'general', k: 6,
      weights: { semantic: 0.4, keyword: 0.25, freshness: 0.15, authority: 0.2 },
    }],
    [20, ...ended('plan', 'Understanding the question…', 400)],
    [20, ...stage('gather', 'Searching sources…')],
    [20, 'searching', { query: 'heat pump running cost vs gas 2026', engine: 'library', page: 1 }],
    [20, 'searching', { query: 'heat pump running cost vs gas 2026', engine: 'wikipedia', page: 1 }],
    [150, 'found', { query: question, engine: 'library', count: 9, ms: 12, leads: [] }],
    [600, 'found', {
      query: 'heat pump running cost vs gas 2026', engine: 'wikipedia', count: 21, ms: 900,
      leads: [lead(3, 'energyadvice.example', sources[2].title), lead(4, 'comparefuel.example', 'Tariffs for heat pump owners'), lead(5, 'gridprices.example', 'Household electricity prices')],
    }],
    [20, ...ended('gather', 'Searching sources…', 900)],
    [20, ...stage('read', 'Reading pages…')],
    [20, 'reading', { source: id('src', 3), address: 'https://energyadvice.example/costs' }],
    [500, 'read', { source: id('src', 3), chars: 8120, ms: 480, from: 'network', coverage: 1 }],
    [20, 'unread', { source: id('src', 4), address: 'https://comparefuel.example/a', code: 'timeout', reason: 'It did not answer in time.' }],
    [20, ...ended('read', 'Reading pages…', 1200)],
    [20, ...stage('select', 'Evaluating credibility…')],
    [100, 'selected', {
      passages: sources.map((s) => ({ id: s.passages[0].id, source: s.id, n: s.n, rank_before: s.rank_before, rank_after: s.rank_after, scores: s.scores })),
      sources, local: 2, web: 1, budget: { tokens: 900, window: 8192, left_out: 0 },
    }],
    [20, ...ended('select', 'Evaluating credibility…', 30)],
    [20, ...stage('compose', 'Synthesizing answer…')],
  ];
  events.push(...textEvents(text, citations));
  events.push(
    [20, ...ended('compose', 'Synthesizing answer…', 3100)], [20, ...stage('check', 'Checking citations…')], [200, 'checked', { citations, report }],
    [20, ...ended('check', 'Checking citations…', 20)], [20, 'usage', { ...done.usage, context: { used: 2390, window: 8192 } }],
    [20, 'follow_ups', { questions: done.follow_ups }], [20, 'finished', { outcome: 'answered', answer: done }],
  );
  return events;
}

function textEvents(text, citations) {
  const chars = [...text];
  const events = [];
  let cited = 0;
  for (let from = 0; from < chars.length; from += 12) {
    events.push([50, 'text', { delta: chars.slice(from, from + 12).join(''), at: from }]);
    while (citations[cited] && citations[cited].claim.end + 3 <= from + 12) {
      const { marker, passage_id, claim } = citations[cited++];
      events.push([0, 'cited', { marker, passage: passage_id, claim: { start: claim.start, end: claim.end } }]);
    }
  }
  for (; cited < citations.length; cited++) {
    const { marker, passage_id, claim } = citations[cited];
    events.push([0, 'cited', { marker, passage: passage_id, claim: { start: claim.start, end: claim.end } }]);
  }
  return events;
}
