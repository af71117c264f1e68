import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Fault } from '../api/backend';
import type { Ask } from '../api/types';
import { Composer as Draft } from '../stores/composer.svelte';
import Composer from './Composer.svelte';

const offer = { modes: ['speed', 'balanced', 'agent', 'deep'], focuses: ['all', 'web', 'local', 'academic', 'compute', 'video', 'community', 'writing'] } as const;
const api = { addPaths: vi.fn(), upload: vi.fn(), chooseFiles: vi.fn(), file: vi.fn() };

function show(props: Record<string, unknown> = {}) {
  const composer = new Draft('home', api as never);
  const onask = vi.fn(async (_: Ask) => {});
  render(Composer, { composer, offer, models: [], modelLabel: 'No model', max: 1000, desktop: false, recall: ['earlier', 'earliest'], onask, ...props });
  const box = screen.getByRole('textbox', { name: 'Your question' }) as HTMLTextAreaElement;
  const type = async (text: string): Promise<void> => {
    await fireEvent.focusIn(box);
    await fireEvent.input(box, { target: { value: text } });
    await tick();
  };
  const key = async (name: string, init: KeyboardEventInit = {}): Promise<boolean> => fireEvent.keyDown(box, { key: name, ...init });
  return { composer, onask, box, type, key };
}

beforeEach(() => localStorage.clear());

describe('Composer', () => {
  it('asks on Enter, not on Shift Enter, and empties the box', async () => {
    const { onask, type, key, composer } = show();
    await type('Why?');
    expect(await key('Enter', { shiftKey: true })).toBe(true);
    expect(onask).not.toHaveBeenCalled();
    expect(await key('Enter')).toBe(false);
    await vi.waitFor(() => expect(composer.text).toBe(''));
    expect(onask).toHaveBeenCalledWith(expect.objectContaining({ question: 'Why?', mode: 'balanced', focus: 'all', web: true }));
  });

  it('keeps the text and says why when a question is refused', async () => {
    const onask = vi.fn(async () => Promise.reject(new Fault({ code: 'offline', message: 'No network.', hint: 'Ask your files.' })));
    const { type, key, composer } = show({ onask });
    await type('Why?');
    await key('Enter');
    await vi.waitFor(() => expect(screen.getByRole('alert').textContent).toContain('No network.'));
    expect(composer.text).toBe('Why?');
  });

  it('opens the commands on a slash, filters, and sets the mode by Tab', async () => {
    const { type, key, composer, box } = show();
    await type('/');
    expect(screen.getAllByRole('option')).toHaveLength(8);
    expect(box.getAttribute('aria-controls')).toBe(screen.getByRole('listbox').id);
    await key('ArrowDown');
    const chosen = screen.getAllByRole('option', { selected: true });
    expect(chosen.map((o) => o.id)).toEqual([box.getAttribute('aria-activedescendant')]);
    await type('/ag');
    await key('Tab');
    expect(composer.work).toBe('agent');
    expect(composer.text).toBe('');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(screen.getByRole('button', { name: 'Clear Agent' })).toBeTruthy();
    await key('Backspace');
    expect(composer.work).toBe('balanced');
  });

  it('goes round in the menu and closes on Esc, keeping the text', async () => {
    const { type, key, composer, box } = show();
    await type('/');
    await key('ArrowUp');
    expect(box.getAttribute('aria-activedescendant')).toMatch(/-7$/);
    await key('Escape');
    expect(screen.queryByRole('listbox')).toBeNull();
    expect(composer.text).toBe('/');
  });

  it('asks an unknown command as text', async () => {
    const { type, key, onask } = show();
    await type('/xyz');
    expect(screen.getByText('No command ‘/xyz’. Enter asks it as text.')).toBeTruthy();
    await key('Enter');
    expect(onask).toHaveBeenCalledWith(expect.objectContaining({ question: '/xyz' }));
  });

  it('recalls earlier questions with ↑ and comes back with ↓', async () => {
    const { key, composer } = show();
    await key('ArrowUp');
    await key('ArrowUp');
    expect(composer.text).toBe('earliest');
    await key('ArrowDown');
    await key('ArrowDown');
    expect(composer.text).toBe('');
  });

  it('counts from 900 characters and refuses more than fit', async () => {
    const { type, key, onask, composer } = show();
    await type('x'.repeat(899));
    expect(screen.queryByText(/of 1,000/)).toBeNull();
    await type('x'.repeat(900));
    expect(screen.getByText('900 of 1,000 characters')).toBeTruthy();
    await type(`Is it fair? ${'x '.repeat(600)}`);
    await key('Enter');
    expect(onask).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByRole('button', { name: 'Move the long part into an attachment' }));
    expect(composer.text).toBe('Is it fair?');
    expect(composer.context.startsWith('x x')).toBe(true);
  });

  it('turns a long paste into a chip', async () => {
    const { box, composer } = show();
    const paste = new Event('paste', { bubbles: true, cancelable: true });
    Object.assign(paste, { clipboardData: { files: [], getData: () => 'y'.repeat(3120) } });
    await fireEvent(box, paste);
    expect(paste.defaultPrevented).toBe(true);
    expect(screen.getByText('Pasted text, 3,120 characters')).toBeTruthy();
    expect(box.placeholder).toBe('What would you like to know about it?');
    await fireEvent.click(screen.getByRole('button', { name: /Remove Pasted text/ }));
    expect(composer.context).toBe('');
  });

  it('docked and running, offers Answer now and Stop, and still takes the next question', async () => {
    const onstop = vi.fn();
    const onanswernow = vi.fn();
    const { type, key, onask } = show({ docked: true, running: true, onstop, onanswernow });
    await type('And then?');
    await key('Enter', { ctrlKey: true });
    expect(onanswernow).toHaveBeenCalledOnce();
    await key('Escape');
    expect(onstop).not.toHaveBeenCalled();
    await fireEvent.click(screen.getByRole('button', { name: 'Stop' }));
    expect(onstop).toHaveBeenCalledOnce();
    await key('Enter');
    expect(onask).toHaveBeenCalledOnce();
  });

  it('docked, a text that does not fit beside the controls has lines of its own, until it is short again', async () => {
    const beside = 30;
    const lines = vi.spyOn(HTMLTextAreaElement.prototype, 'scrollHeight', 'get').mockImplementation(function (this: HTMLTextAreaElement) {
      return this.value.length > beside * (this.closest('.stacked') ? 2 : 1) ? 48 : 24;
    });
    const { type, box } = show({ docked: true });
    const stacked = (): boolean => box.closest('.stacked') !== null;
    await type('x'.repeat(beside));
    expect(stacked()).toBe(false);
    await type('x'.repeat(beside + 9));
    await vi.waitFor(() => expect(stacked()).toBe(true));
    await type('x'.repeat(beside + 10));
    expect(stacked()).toBe(true);
    await type('x'.repeat(beside - 1));
    await vi.waitFor(() => expect(stacked()).toBe(false));
    expect(box.style.height).toBe('24px');
    lines.mockRestore();
  });

  it('stores nothing while keys are pressed, and sets its height when a line is added', async () => {
    vi.useFakeTimers();
    const stored = vi.spyOn(Storage.prototype, 'setItem');
    const lines = vi.spyOn(HTMLTextAreaElement.prototype, 'scrollHeight', 'get').mockImplementation(function (this: HTMLTextAreaElement) {
      return this.value.length > 30 ? 52 : 26;
    });
    const { type, box } = show();
    const heights: string[] = [];
    new MutationObserver(() => heights.push(box.style.height)).observe(box, { attributeFilter: ['style'] });
    const text = 'How high is the tower, and when was its lamp lit?';
    for (let n = 1; n <= text.length; n++) await type(text.slice(0, n));
    expect(heights).toEqual(['26px', '52px']);
    expect(stored).not.toHaveBeenCalled();
    vi.advanceTimersByTime(500);
    expect(stored).toHaveBeenCalledOnce();
    expect(new Draft('home', api as never).text).toBe(text);
    await type('How high');
    expect(heights.at(-1)).toBe('26px');
    await type('');
    expect(new Draft('home', api as never).text).toBe('');
    for (const spy of [stored, lines]) spy.mockRestore();
    vi.useRealTimers();
  });

  it('has a switch for the web beside all sources alone: elsewhere the place says it', async () => {
    const { composer } = show();
    const switches = (): number => screen.queryAllByRole('switch', { name: 'Web' }).length;
    const named = (): number => screen.getAllByRole('button').filter((one) => one.textContent?.trim() === 'Web').length + switches();
    expect(switches()).toBe(1);
    composer.limit([{ id: 'col_1', name: 'Lamps', collection: true }]);
    await tick();
    expect([composer.focus, named()]).toEqual(['local', 0]);
    composer.focus = 'web';
    await tick();
    expect([switches(), named()]).toEqual([0, 1]);
    cleanup();
    show({ webShut: 'off', composer });
    expect(screen.getByRole('link', { name: 'Web off' })).toBeTruthy();
  });

  it('shows the web as off, and where that is changed, while the settings keep it shut', async () => {
    show();
    expect(screen.getByRole('switch', { name: 'Web' }).getAttribute('aria-checked')).toBe('true');
    cleanup();
    for (const [webShut, label, part] of [['off', 'Web off', 'web'], ['local-only', 'Local only', 'privacy']]) {
      show({ webShut });
      expect(screen.queryByRole('switch', { name: 'Web' })).toBeNull();
      const link = screen.getByRole('link', { name: label });
      expect(link.getAttribute('href')).toBe(`#/settings/${part}`);
      expect(link.title).toContain('settings');
      cleanup();
    }
    show({ webShut: 'off', docked: true });
    await fireEvent.click(screen.getByRole('button', { name: /Where to look/ }));
    expect(screen.queryByRole('switch')).toBeNull();
    expect(screen.getByRole('link', { name: /web is switched off/ })).toBeTruthy();
  });
});
