// @vitest-environment node
import { expect, it, vi } from 'vitest';
import { shared } from './shared';

it('opens one stream for all, and leaves it with the last', () => {
  let tell: (n: number) => void = () => {};
  const leave = vi.fn();
  const open = vi.fn((on: (n: number) => void) => ((tell = on), leave));
  const listen = shared(open);
  const [one, two] = [vi.fn(), vi.fn()];
  const leaveOne = listen(one);
  const leaveTwo = listen(two);
  tell(1);
  leaveOne();
  leaveOne();
  tell(2);
  expect(open).toHaveBeenCalledOnce();
  expect([one.mock.calls, two.mock.calls]).toEqual([[[1]], [[1], [2]]]);
  expect(leave).not.toHaveBeenCalled();
  leaveTwo();
  expect(leave).toHaveBeenCalledOnce();
  listen(one)();
  expect(open).toHaveBeenCalledTimes(2);
});
