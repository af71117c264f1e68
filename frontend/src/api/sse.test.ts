// @vitest-environment node
import { describe, expect, it, vi } from 'vitest';
import { FrameParser, followStream, type Frame } from './sse';

const body = (...chunks: string[]): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    }),
  );
const frame = (seq: number, data = `{"seq":${seq}}`): string => `id: ${seq}\nevent: text\ndata: ${data}\n\n`;

describe('FrameParser', () => {
  it('reads id, event and data, and drops comments and retry lines', () => {
    const frames = new FrameParser().feed('retry: 5000\n\n: ping\n\nid: 7\nevent: text\ndata: {"a":1}\n\n');
    expect(frames).toEqual([{ id: '7', event: 'text', data: '{"a":1}' }]);
  });

  it('gives the same frames however the stream is cut', () => {
    const text = `: ping\r\n\r\n${frame(1)}id: 2\r\ndata: a\r\ndata: b\r\n\r\n${frame(3, 'ü')}`;
    const whole = new FrameParser().feed(text);
    for (let size = 1; size < text.length; size++) {
      const parser = new FrameParser();
      const frames: Frame[] = [];
      for (let at = 0; at < text.length; at += size) frames.push(...parser.feed(text.slice(at, at + size)));
      expect(frames).toEqual(whole);
    }
    expect(whole.map((f) => f.data)).toEqual(['{"seq":1}', 'a\nb', 'ü']);
  });

  it('keeps a frame back until its empty line has come', () => {
    const parser = new FrameParser();
    expect(parser.feed('data: a\n')).toEqual([]);
    expect(parser.feed('\n')).toHaveLength(1);
  });
});

describe('followStream', () => {
  const follow = (responses: (() => Promise<Response>)[], after = 0) => {
    const seen: number[] = [];
    const opened: number[] = [];
    let turn = 0;
    const ended = new Promise<unknown>((resolve) => {
      followStream({
        after,
        wait: () => 0,
        fatal: (error) => error instanceof RangeError,
        open: (seq) => {
          opened.push(seq);
          return (responses[turn++] ?? (() => new Promise<Response>(() => {})))();
        },
        onFrame: (f) => {
          seen.push(Number(f.id));
          return f.data.includes('last');
        },
        onEnd: resolve,
      });
    });
    return { seen, opened, ended };
  };

  it('resumes after the last number seen when the stream breaks', async () => {
    const run = follow([
      async () => body(frame(1), frame(2)),
      async () => {
        throw new TypeError('connection lost');
      },
      async () => body(frame(3), frame(4, 'last')),
    ]);
    expect(await run.ended).toBeNull();
    expect(run.opened).toEqual([0, 2, 2]);
    expect(run.seen).toEqual([1, 2, 3, 4]);
  });

  it('passes on nothing twice when a replay overlaps', async () => {
    const run = follow([async () => body(frame(1), frame(2)), async () => body(frame(1), frame(2), frame(3, 'last'))]);
    await run.ended;
    expect(run.seen).toEqual([1, 2, 3]);
  });

  it('gives up when trying again is useless', async () => {
    const run = follow([
      async () => {
        throw new RangeError('not found');
      },
    ]);
    expect(await run.ended).toBeInstanceOf(RangeError);
    expect(run.opened).toHaveLength(1);
  });

  it('takes nothing after the last event and says the end once', async () => {
    const onEnd = vi.fn();
    const seen: string[] = [];
    followStream({
      after: 0, wait: () => 0, fatal: () => false, onEnd,
      open: async () => body(frame(1, 'last'), frame(2)),
      onFrame: (f) => (seen.push(f.id), f.data === 'last'),
    });
    await vi.waitFor(() => expect(onEnd).toHaveBeenCalled());
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(seen).toEqual(['1']);
    expect(onEnd).toHaveBeenCalledExactlyOnceWith(null);
  });

  it('is silent once it is left', async () => {
    const onFrame = vi.fn(() => false);
    const onEnd = vi.fn();
    const leave = followStream({ after: 0, wait: () => 0, fatal: () => false, onEnd, onFrame, open: async () => body(frame(1)) });
    leave();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(onFrame).not.toHaveBeenCalled();
    expect(onEnd).not.toHaveBeenCalled();
  });
});
