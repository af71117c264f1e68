// A long answer of the mock server: 2,700 words at once, then fifty tokens a second.
import { script as usual } from './run.mjs';

const paragraph = 'The installer’s survey puts the heat loss at **6.8 kW**, [1] which a mid-size unit covers down to −10 °C, [2] and the radiators that are too small would have to be changed before the first winter, as the tariff alone does not decide it. [3] ';
const block = (n) => `${n % 6 === 0 ? `## Part ${n / 6 + 1}\n\n` : ''}${paragraph.repeat(2)}\n\n${n % 4 === 3 ? '| Year | Gas | Heat pump |\n|---|--:|--:|\n| 2025 | 2,140 | 1,690 |\n| 2026 | 2,210 | 1,720 |\n\n' : ''}${n % 5 === 4 ? '- one thing [1]\n- another [2]\n\n' : ''}`;
const start = Array.from({ length: 32 }, (_, n) => block(n)).join('');
const tokens = paragraph.repeat(7).match(/\s*\S+/g).slice(0, 300);

export function script(question, run, thread) {
  const events = usual(question, run, thread);
  const first = events.findIndex(([, kind]) => kind === 'text');
  const last = events.findLastIndex(([, kind]) => kind === 'text' || kind === 'cited');
  let at = [...start].length;
  const text = [[50, 'text', { delta: start, at: 0 }]];
  for (const delta of tokens) {
    text.push([20, 'text', { delta, at }]);
    at += [...delta].length;
  }
  return [...events.slice(0, first), ...text, ...events.slice(last + 1)];
}
