// The public search API of Perplexica and Vane, by a client written from its
// description.
import { base, expected, must, question, token, trial } from './about.mjs';

const name = 'Perplexica/Vane';
const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
const body = { focusMode: 'localResearch', optimizationMode: 'speed', query: question, history: [['human', 'Hi, how are you?'], ['assistant', 'I am fine.']] };
const post = (fields) => fetch(base + '/api/search', { method: 'POST', headers, body: JSON.stringify({ ...body, ...fields }) });

await trial(name, 'GET /api/providers', async () => {
  const { providers } = await (await fetch(base + '/api/providers', { headers })).json();
  must(Array.isArray(providers) && providers.every((p) => p.id && p.name && Array.isArray(p.chatModels) && Array.isArray(p.embeddingModels)), 'providers');
});

await trial(name, 'POST /api/search', async () => {
  const answer = await (await post({})).json();
  must(answer.message.includes(expected), `message ${answer.message}`);
  must(answer.sources.length > 0 && answer.sources.every((s) => s.pageContent && s.metadata.title && s.metadata.url), 'sources');
});

await trial(name, 'POST /api/search, streamed', async () => {
  const reader = (await post({ stream: true })).body.getReader();
  const decoder = new TextDecoder();
  let rest = '', text = '', kinds = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    rest += decoder.decode(value, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop();
    for (const line of lines.filter(Boolean)) {
      const event = JSON.parse(line);
      kinds.push(event.type);
      if (event.type === 'response') text += event.data;
    }
  }
  must(kinds[0] === 'init' && kinds.includes('sources') && kinds.at(-1) === 'done', `events ${kinds}`);
  must(text.includes(expected), `text ${text}`);
});

await trial(name, 'errors', async () => {
  must((await post({ query: '' })).status === 400, 'an empty query');
  must((await post({ focusMode: 'everything' })).status === 400, 'a bad focus');
  must((await post({ chatModel: { provider: 'custom_openai', customOpenAIBaseURL: 'http://10.0.0.1' } })).status === 403, 'a base address');
});
