// What the scripts of the clients share: where Footnote is, what is asked, and a
// line for each thing that was tried.
export const base = process.env.FOOTNOTE_BASE;
export const token = process.env.FOOTNOTE_TOKEN;
export const binary = process.env.FOOTNOTE_BINARY;
export const data = process.env.FOOTNOTE_DATA;
export const question = process.env.FOOTNOTE_QUESTION;
export const expected = process.env.FOOTNOTE_EXPECTED;

export function must(truth, what) {
  if (!truth) throw new Error(what);
}

export async function trial(client, name, run) {
  const began = Date.now();
  await run();
  console.log(`ok  ${client}: ${name} (${Date.now() - began} ms)`);
}
