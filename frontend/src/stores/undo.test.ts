import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { later, settle } from './undo';

describe('what can be undone', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('is done after its time, once', async () => {
    const act = vi.fn(async () => {});
    later(act);
    await vi.advanceTimersByTimeAsync(7900);
    expect(act).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(200);
    settle();
    expect(act).toHaveBeenCalledTimes(1);
  });

  it('is done at once when the page is left, and never once it was undone', async () => {
    const [left, undone] = [vi.fn(async () => {}), vi.fn(async () => {})];
    later(left);
    later(undone)();
    settle();
    expect([left.mock.calls.length, undone.mock.calls.length]).toEqual([1, 0]);
    await vi.advanceTimersByTimeAsync(9000);
    expect([left.mock.calls.length, undone.mock.calls.length]).toEqual([1, 0]);
  });
});
