/** What the page calls the computer that the program runs on: the reader's own, or the server that answers a team. */
const own = /^(?:127(?:\.\d+){3}|(?:[\w-]+\.)*localhost|\[?::1\]?)$/;

/** `host` is the page's, with or without a port; `person` who is signed in, where people do. */
export function machineOf(desktop: boolean, host: string, person: string | undefined): string {
  const local = desktop || (!person && own.test(host.replace(/:\d+$/, '')));
  return local ? 'this computer' : `the server ${host}`;
}
