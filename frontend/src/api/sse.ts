/**
 * Server-sent events over fetch: unlike EventSource it says why a stream could
 * not be opened, takes unknown event names, and can be driven by a test.
 */

export interface Frame {
  id: string;
  event: string;
  data: string;
}

/** Cuts a text stream into frames. Feed it chunks as they come. */
export class FrameParser {
  #rest = '';
  #frame: Frame = { id: '', event: '', data: '' };
  #hasData = false;

  /** Frames that this chunk completes. Comments and retry lines are dropped. */
  feed(chunk: string): Frame[] {
    const text = this.#rest + chunk;
    // A lone CR at the end may be half of a CRLF: it waits for the next chunk.
    const usable = text.endsWith('\r') ? text.slice(0, -1) : text;
    const lines = usable.split(/\r\n|\n|\r/);
    const last = lines.pop() ?? '';
    this.#rest = last + text.slice(usable.length);
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): Frame[] {
    if (line === '') return this.#close();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'id') this.#frame.id = value;
    if (field === 'event') this.#frame.event = value;
    if (field === 'data') {
      this.#frame.data += this.#hasData ? `\n${value}` : value;
      this.#hasData = true;
    }
    return [];
  }

  #close(): Frame[] {
    const done = this.#hasData ? [this.#frame] : [];
    this.#frame = { id: '', event: '', data: '' };
    this.#hasData = false;
    return done;
  }
}

/** Reads one response to its end. */
export async function readFrames(response: Response, onFrame: (frame: Frame) => void): Promise<void> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const parser = new FrameParser();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const frame of parser.feed(decoder.decode(value, { stream: true }))) onFrame(frame);
  }
}

/** What a stream needs from its owner. */
export interface StreamOptions {
  /** Opens the stream after event number `after`; may throw what `fatal` knows. */
  open: (after: number, signal: AbortSignal) => Promise<Response>;
  /** Takes one frame; true ends the stream for good. */
  onFrame: (frame: Frame) => boolean;
  /** Whether an error of `open` makes it useless to try again. */
  fatal: (error: unknown) => boolean;
  onEnd: (error: unknown | null) => void;
  after: number;
  /** Wait before attempt n (from 1) after a break, in ms. */
  wait?: (attempt: number) => number;
}

const backoff = (attempt: number): number => Math.min(5000, 250 * 2 ** attempt);

/** Follows a numbered stream, resuming at the last number seen, until it ends or is left. */
export function followStream(options: StreamOptions): () => void {
  const { open, onFrame, fatal, onEnd, wait = backoff } = options;
  const abort = new AbortController();
  let after = options.after;
  let attempt = 0;

  const take = (frame: Frame): void => {
    const seq = Number(frame.id);
    if (frame.id !== '' && Number.isFinite(seq)) {
      if (seq <= after) return; // replayed twice
      after = seq;
    }
    attempt = 0;
    if (onFrame(frame)) {
      abort.abort();
      onEnd(null);
    }
  };

  const loop = async (): Promise<void> => {
    while (!abort.signal.aborted) {
      try {
        await readFrames(await open(after, abort.signal), (f) => abort.signal.aborted || take(f));
      } catch (error) {
        if (abort.signal.aborted) return;
        if (fatal(error)) return onEnd(error);
      }
      if (abort.signal.aborted) return;
      attempt += 1;
      await new Promise((resolve) => setTimeout(resolve, wait(attempt)));
    }
  };
  void loop();
  return () => abort.abort();
}
