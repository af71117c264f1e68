/**
 * What was typed while no box was there to take it: between two screens, or
 * after Enter. The next box takes it, so that no letter is lost.
 */
class Typed {
  waiting = $state('');

  keep(text: string): void {
    this.waiting += text;
  }

  take(): string {
    const text = this.waiting;
    this.waiting = '';
    return text;
  }
}

export const typed = new Typed();

/** What was put into a text after it had been taken; "" when it was changed in another way. */
export function since(before: string, now: string): string {
  let head = 0;
  while (head < before.length && before[head] === now[head]) head++;
  const tail = before.slice(head);
  return now.length > before.length && now.endsWith(tail) ? now.slice(head, now.length - tail.length) : '';
}
