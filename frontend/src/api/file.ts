import { Fault } from './backend';

/** Larger files are left to the system's own program. */
const largest = 150_000_000;

/** The bytes of a file that was answered. */
export async function fileBytes(response: Response): Promise<ArrayBuffer> {
  if (Number(response.headers.get('Content-Length') ?? 0) <= largest) return response.arrayBuffer();
  await response.body?.cancel();
  throw new Fault({ code: 'too-large', message: 'The file is too large to be drawn here.', hint: 'Open it in another program.' });
}
