/** Takes the question out of the address (`/?q=…`), which waits in the box for Enter; a second call finds none. */
export function takeBrought(at: Location = location): string {
  const text = new URLSearchParams(at.search).get('q')?.trim() ?? '';
  if (text) history.replaceState(null, '', `/${at.hash}`);
  return text;
}
