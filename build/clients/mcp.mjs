// The official client of the Model Context Protocol for TypeScript.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { binary, data, expected, must, question, trial } from './about.mjs';

const name = '@modelcontextprotocol/sdk (npm)';
const client = new Client({ name: 'check', version: '1.0.0' });
const transport = new StdioClientTransport({ command: binary, args: ['mcp', '--data', data], stderr: 'inherit' });
const read = (result) => result.content.map((part) => part.text).join('\n');

await trial(name, 'connect', () => client.connect(transport));

await trial(name, 'listTools', async () => {
  const names = (await client.listTools()).tools.map((t) => t.name).sort();
  must(String(names) === 'ask,deep_research,find_files,grep,list_threads,outline,read_source,search_library,search_web,table', `tools ${names}`);
  must((await client.listResourceTemplates()).resourceTemplates.length === 2, 'templates');
});

let answer;
await trial(name, 'ask', async () => {
  const result = await client.callTool({ name: 'ask', arguments: { question, focus: 'local' } });
  answer = result.structuredContent;
  must(read(result).includes(expected), `answer ${read(result)}`);
  must(answer.citations.length > 0 && answer.citations.every((c) => c.quote.text && read(result).includes(c.quote.text.replace(/\s+/g, ' ').trim())), 'quotes');
});

await trial(name, 'search_library', async () => {
  const result = await client.callTool({ name: 'search_library', arguments: { query: 'lighthouse tower', limit: 3 } });
  must(result.structuredContent.items.length > 0, 'passages');
});

await trial(name, 'search_web', async () => {
  const result = await client.callTool({ name: 'search_web', arguments: { query: 'lighthouse' } });
  must(result.isError && read(result), 'the web is switched off, and that is said');
});

await trial(name, 'read_source', async () => {
  const result = await client.callTool({ name: 'read_source', arguments: { id: answer.sources[0].id } });
  must(result.structuredContent.total > 0 && read(result).length > 0, 'text');
  const refused = await client.callTool({ name: 'read_source', arguments: { url: 'http://127.0.0.1:1/' } });
  must(refused.isError, 'an address of this computer is not read');
});

await trial(name, 'deep_research with progress', async () => {
  const steps = [];
  const result = await client.callTool({ name: 'deep_research', arguments: { question } }, undefined, {
    onprogress: (p) => steps.push(p.progress), timeout: 120_000, resetTimeoutOnProgress: true,
  });
  must(!result.isError && read(result).length > 0, `report ${read(result)}`);
  must(steps.length > 0 && steps.every((s, i) => i === 0 || s > steps[i - 1]), `progress ${steps}`);
});

await trial(name, 'list_threads and resources', async () => {
  const result = await client.callTool({ name: 'list_threads', arguments: {} });
  must(result.structuredContent.items.some((t) => t.id === answer.thread), 'threads');
  const thread = await client.readResource({ uri: `footnote://thread/${answer.thread}` });
  must(thread.contents[0].text.includes(expected), 'thread');
  const source = await client.readResource({ uri: `footnote://source/${answer.sources[0].id}` });
  must(source.contents[0].text.length > 0, 'source');
});

await client.close();
