import { cleanup, fireEvent, render, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Note } from '../api/types';
import QuestionTools from './answer/QuestionTools.svelte';
import Notes from './notebook/Notes.svelte';
import NewTable from './table/NewTable.svelte';

const field = (name?: string): HTMLTextAreaElement => screen.getByRole('textbox', name ? { name } : {});
const type = (value: string, name?: string): Promise<boolean> => fireEvent.input(field(name), { target: { value } });

beforeEach(() => localStorage.clear());

describe('what is half written', () => {
  it('stands in the form of a new table when one comes back to it', async () => {
    const show = () => render(NewTable, { ticked: [], roots: [], collections: [], onmake: vi.fn() });
    show();
    await type('Which lamp?\nWhich year?');
    cleanup();
    show();
    expect(field().value).toBe('Which lamp?\nWhich year?');
  });

  it('stands in the notes of its notebook alone, until it is saved', async () => {
    const note = { id: 'note_1', text: 'Before', made: '2026-01-01T00:00:00Z', changed: '2026-01-01T00:00:00Z' } as Note;
    const show = (notebook: string) => render(Notes, { notebook, notes: [note], chosen: '', onwrite: async () => true, onrewrite: async () => true, onremove: vi.fn(), onopen: vi.fn() });
    show('col_1');
    await type('A thought', 'New note');
    await fireEvent.click(screen.getByRole('button', { name: 'Change' }));
    await type('Before and after', 'Change');
    await fireEvent.keyDown(field('Change'), { key: 'Escape' });
    cleanup();
    show('col_2');
    expect(field().value).toBe('');
    cleanup();
    show('col_1');
    expect(field().value).toBe('A thought');
    await fireEvent.click(screen.getByRole('button', { name: 'Save note' }));
    await vi.waitFor(() => expect(field().value).toBe(''));
    await fireEvent.click(screen.getByRole('button', { name: 'Change' }));
    expect(field('Change').value).toBe('Before and after');
    await fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await fireEvent.click(screen.getByRole('button', { name: 'Change' }));
    expect(field('Change').value).toBe('Before');
  });

  it('stands in the editor of a question after Esc, and not after Cancel', async () => {
    render(QuestionTools, { run: 'run_1', question: 'Which lamp?', at: 1, count: 1, editable: true, onstep: vi.fn(), onedit: async () => true });
    const open = (): Promise<boolean> => fireEvent.click(screen.getByRole('button', { name: /Edit/ }));
    await open();
    await type('Which lamp burnt first?');
    await fireEvent.keyDown(field(), { key: 'Escape' });
    await open();
    expect(field().value).toBe('Which lamp burnt first?');
    await fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await open();
    expect(field().value).toBe('Which lamp?');
  });
});
