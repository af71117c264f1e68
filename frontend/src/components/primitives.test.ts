import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { createRawSnippet, tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Fault } from '../api/backend';
import type { Field } from '../lib/settings-parts';
import { onHandedOn, shortcut } from '../lib/keys';
import Menu from '../ui/Menu.svelte';
import Select from '../ui/Select.svelte';
import SettingField from './SettingField.svelte';
import ThreadRow from './ThreadRow.svelte';

const words = (text: string) => createRawSnippet(() => ({ render: () => `<span>${text}</span>` }));
const items = [{ id: 'a', label: 'Apple' }, { id: 'b', label: 'Banana' }, { id: 'c', label: 'Cherry' }];

/** What a part of the page handed on while one was typing. */
let handed = '';
let stop = (): void => {};
beforeEach(() => {
  handed = '';
  stop = onHandedOn((text) => (handed += text));
});
afterEach(() => stop());

describe('Menu', () => {
  const open = async (props: Record<string, unknown> = {}) => {
    const onselect = vi.fn();
    render(Menu, { items, onselect, label: 'Fruit', trigger: words('Fruit'), ...props });
    const button = screen.getByRole('button', { name: 'Fruit' });
    await fireEvent.click(button);
    await tick();
    return { onselect, button };
  };
  const key = (name: string) => fireEvent.keyDown(document.activeElement!, { key: name });

  it('opens on the chosen entry and moves with the arrows, round and round', async () => {
    await open({ value: 'b' });
    expect(document.activeElement?.textContent).toContain('Banana');
    expect(document.activeElement?.getAttribute('aria-checked')).toBe('true');
    await key('ArrowDown');
    await key('ArrowDown');
    expect(document.activeElement?.textContent).toContain('Apple');
    await key('End');
    expect(document.activeElement?.textContent).toContain('Cherry');
  });

  it('shows no tooltip over its entries', async () => {
    const { button } = await open();
    expect(button.title).toBe('');
    await key('Escape');
    expect(button.title).toBe('Fruit');
  });

  it('finds an entry by its first letters', async () => {
    await open();
    await key('c');
    expect(document.activeElement?.textContent).toContain('Cherry');
  });

  /** Types as a browser does: a space that is left to a button presses it. */
  const type = async (text: string): Promise<void> => {
    for (const name of text) {
      const on = document.activeElement!;
      if ((await key(name)) && name === ' ' && on instanceof HTMLButtonElement) await fireEvent.click(on);
    }
  };

  it('closes when what is typed names no entry, and hands all of it on', async () => {
    const { onselect } = await open();
    await type('x');
    expect([screen.queryByRole('menu'), handed]).toEqual([null, 'x']);
    await fireEvent.click(screen.getByRole('button', { name: 'Fruit' }));
    await tick();
    await type('bar');
    expect([screen.queryByRole('menu'), handed]).toEqual([null, 'xbar']);
    expect(onselect).not.toHaveBeenCalled();
  });

  it('presses nothing by a space that is typed', async () => {
    const { onselect } = await open({ items: [...items, { id: 'd', label: 'Delete' }] });
    await type('delete ');
    expect([screen.queryByRole('menu'), handed]).toEqual([null, 'delete ']);
    expect(onselect).not.toHaveBeenCalled();
  });

  it('takes a space for part of a name, and presses by it after an arrow', async () => {
    const { onselect } = await open({ items: [...items, { id: 'r', label: 'Red currant' }, { id: 'p', label: 'Red pepper' }] });
    await type('red p');
    expect(document.activeElement?.textContent).toContain('Red pepper');
    expect(onselect).not.toHaveBeenCalled();
    await key('ArrowUp');
    await type(' ');
    expect(onselect).toHaveBeenCalledExactlyOnceWith('r');
    expect(handed).toBe('');
  });

  it('gives the focus back on Esc and after a choice', async () => {
    const { button, onselect } = await open();
    await key('Escape');
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(button);
    await fireEvent.click(button);
    await fireEvent.click(screen.getByRole('menuitem', { name: 'Banana' }));
    expect(onselect).toHaveBeenCalledExactlyOnceWith('b');
    expect(document.activeElement).toBe(button);
  });
});

describe('Select', () => {
  const show = (): HTMLSelectElement => {
    render(Select, { value: 'a', label: 'Fruit', options: items.map(({ id, label }) => ({ value: id, label })), onchange: vi.fn() });
    return screen.getByRole<HTMLSelectElement>('combobox', { name: 'Fruit' });
  };

  it('gives the focus away once the pointer has chosen', async () => {
    const select = show();
    await fireEvent.pointerDown(select);
    select.focus();
    await fireEvent.change(select, { target: { value: 'b' } });
    expect(document.activeElement).toBe(document.body);
  });

  it('takes no letters from whoever came by pointer', async () => {
    const select = show();
    await fireEvent.pointerDown(select);
    select.focus();
    expect(await fireEvent.keyDown(select, { key: 'c' })).toBe(false);
    expect([document.activeElement, handed, select.value]).toEqual([document.body, 'c', 'a']);
  });

  it('has its keys for whoever came by Tab, and its arrows for everybody', async () => {
    const select = show();
    select.focus();
    expect(await fireEvent.keyDown(select, { key: 'c' })).toBe(true);
    await fireEvent.change(select, { target: { value: 'c' } });
    expect(document.activeElement).toBe(select);
    await fireEvent.pointerDown(select);
    expect(await fireEvent.keyDown(select, { key: 'ArrowDown' })).toBe(true);
    await fireEvent.change(select, { target: { value: 'b' } });
    expect([document.activeElement, handed]).toEqual([select, '']);
  });
});

describe('SettingField', () => {
  const field: Field = { key: 'rank.max_passages', kind: 'number', label: 'Passages', help: '' };
  const show = (props: Record<string, unknown> = {}) => {
    const onput = vi.fn();
    render(SettingField, { field, value: 8, changed: false, lock: null, fault: undefined, onput, onback: vi.fn(), ...props });
    return { onput };
  };

  it('puts a number as a number, and nothing that is none', async () => {
    const { onput } = show();
    const input = screen.getByLabelText('Passages');
    await fireEvent.change(input, { target: { value: '12' } });
    await fireEvent.change(input, { target: { value: 'many' } });
    expect(onput.mock.calls).toEqual([[12]]);
    expect(screen.getByRole('alert').textContent).toContain('8');
  });

  it('says why a value was refused and which one stays', () => {
    show({ fault: new Fault({ code: 'invalid-setting', message: 'It must lie between 1 and 20.', hint: '' }) });
    expect(screen.getByRole('alert').textContent).toContain('between 1 and 20. ');
    expect(screen.getByRole('alert').textContent).toContain('8, stays in force');
  });

  it('is locked, with the reason, when the environment sets it', () => {
    show({ lock: 'env', changed: true });
    expect((screen.getByLabelText('Passages') as HTMLInputElement).disabled).toBe(true);
    expect(screen.getByText(/Set by the environment/)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Set back' })).toBeNull();
  });
});

describe('ThreadRow', () => {
  const thread = { id: 'thr_1', title: 'Boiler', type: 'chat', created: '', updated: '', pinned: false, runs: 1, running: true, group: 'today' };
  const show = (current = true, kept = true) => {
    const calls = { onrename: vi.fn(), onpin: vi.fn(), onexport: vi.fn(), onremove: vi.fn(), onopen: vi.fn() };
    render(ThreadRow, { thread, current, kept, ...calls });
    return calls;
  };

  it('says which thread is shown, and of the others which is being answered', () => {
    show();
    expect(screen.getByRole('link').getAttribute('aria-current')).toBe('page');
    expect(screen.queryByRole('img', { name: 'Being answered' })).toBeNull();
    cleanup();
    show(false);
    expect(screen.getByRole('img', { name: 'Being answered' })).toBeTruthy();
  });

  it('offers nothing for one that is in memory only but to open it', () => {
    show(false, false);
    expect(screen.getByRole('link').getAttribute('href')).toBe('#/thread/thr_1');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('renames in place: Enter keeps, Esc leaves the title as it was', async () => {
    const { onrename } = show();
    const rename = async (key: string): Promise<void> => {
      await fireEvent.click(screen.getByRole('button', { name: /Actions for/ }));
      await fireEvent.click(screen.getByRole('menuitem', { name: 'Rename' }));
      const input = screen.getByLabelText('Title of the thread');
      await fireEvent.input(input, { target: { value: 'New name' } });
      await fireEvent.keyDown(input, { key });
    };
    await rename('Escape');
    expect(onrename).not.toHaveBeenCalled();
    await rename('Enter');
    expect(onrename).toHaveBeenCalledExactlyOnceWith('New name');
  });
});

describe('shortcuts of the window', () => {
  const press = (init: KeyboardEventInit, target: HTMLElement = document.body): string | null => {
    let name: string | null = null;
    const listen = (e: KeyboardEvent): void => void (name = shortcut(e));
    target.addEventListener('keydown', listen, { once: true });
    target.dispatchEvent(new KeyboardEvent('keydown', init));
    return name;
  };

  it('take no single letters: those are typed', () => {
    const input = document.body.appendChild(document.createElement('textarea'));
    expect(press({ key: '/' })).toBeNull();
    expect(press({ key: 'k', ctrlKey: true }, input)).toBe('palette');
    expect(press({ key: 'L', metaKey: true, shiftKey: true })).toBe('local-only');
    expect(press({ key: 'f', ctrlKey: true })).toBeNull();
    input.remove();
  });
});
