// The official client of OpenAI for JavaScript, as its users write it.
import OpenAI from 'openai';
import { base, expected, must, question, token, trial } from './about.mjs';

const name = 'openai (npm)';
const client = new OpenAI({ baseURL: base + '/v1', apiKey: token, maxRetries: 0 });
const messages = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: question },
];

await trial(name, 'models.list', async () => {
  const ids = [];
  for await (const model of client.models.list()) ids.push(model.id);
  must(ids.includes('footnote') && ids.includes('footnote-deep'), `models ${ids}`);
  must((await client.models.retrieve('footnote')).id === 'footnote', 'models.retrieve');
});

await trial(name, 'chat.completions.create', async () => {
  const answer = await client.chat.completions.create({ model: 'footnote', messages, temperature: 0.2, footnote: { focus: 'local' } });
  const text = answer.choices[0].message.content;
  must(text.includes(expected) && /\[1\]/.test(text), `answer ${text}`);
  must(answer.usage.total_tokens === answer.usage.prompt_tokens + answer.usage.completion_tokens, 'usage');
  must(answer.citations.length > 0 && answer.search_results.length === answer.citations.length, 'citations');
  must(answer.footnote.verdicts.every((v) => v.quote), 'quotes');
});

await trial(name, 'chat.completions.create, streamed', async () => {
  const stream = await client.chat.completions.create({ model: 'footnote-speed', messages, stream: true, stream_options: { include_usage: true }, footnote: { focus: 'local' } });
  let text = '', finish = '', usage, citations = [];
  for await (const chunk of stream) {
    text += chunk.choices[0]?.delta?.content ?? '';
    finish ||= chunk.choices[0]?.finish_reason;
    usage = chunk.usage ?? usage;
    citations = chunk.citations ?? citations;
  }
  must(text.includes(expected), `answer ${text}`);
  must(finish === 'stop' && usage && citations.length > 0, `finish ${finish}, usage ${JSON.stringify(usage)}, ${citations.length} citations`);
});

await trial(name, 'chat.completions.stream', async () => {
  const runner = client.chat.completions.stream({ model: 'footnote', messages, footnote: { focus: 'local' } });
  must((await runner.finalContent()).includes(expected), 'final content');
});

await trial(name, 'responses.create', async () => {
  const answer = await client.responses.create({ model: 'footnote', input: question, footnote: { focus: 'local' } });
  must(answer.output_text.includes(expected) && answer.output[0].content[0].annotations.length > 0, `answer ${answer.output_text}`);
  let text = '', done = '';
  for await (const event of await client.responses.create({ model: 'footnote', input: question, stream: true, footnote: { focus: 'local' } })) {
    if (event.type === 'response.output_text.delta') text += event.delta;
    if (event.type === 'response.completed') done = event.response.output[0].content[0].text;
  }
  must(text === done && text.includes(expected), `streamed ${text}, whole ${done}`);
});

await trial(name, 'errors', async () => {
  const failure = async (body, key) => {
    try {
      await new OpenAI({ baseURL: base + '/v1', apiKey: key ?? token, maxRetries: 0 }).chat.completions.create(body);
    } catch (error) {
      return error;
    }
    throw new Error('no error for ' + JSON.stringify(body));
  };
  const unknown = await failure({ model: 'gpt-9', messages });
  must(unknown instanceof OpenAI.NotFoundError && unknown.code === 'model_not_found' && unknown.param === 'model', `unknown model: ${unknown}`);
  const stranger = await failure({ model: 'footnote', messages }, 'not-the-token');
  must(stranger instanceof OpenAI.AuthenticationError, `wrong token: ${stranger}`);
  const empty = await failure({ model: 'footnote', messages: [{ role: 'user', content: ' ' }] });
  must(empty.status === 400 && empty.code === 'question-empty', `empty question: ${empty}`);
});
