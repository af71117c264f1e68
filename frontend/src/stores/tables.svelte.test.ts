import { describe, expect, it } from 'vitest';
import type { TableCell, TableEvent, TableView } from '../api';
import { OpenTable, rowsInOrder } from './tables.svelte';

const cell = (row: number, state: TableCell['state'], text = ''): TableCell => ({
  row, column: 0, state, text, confidence: null, quote: text, locator: { page: 0, line: 0, heading: '', start: 0, end: 0 }, seq: row + 1,
});
const files = ['/a/c.md', '/a/b.md', '/a/a10.md', '/a/a9.md'].map((path) => ({ id: path, path }));

describe('the order of rows', () => {
  const cells = [cell(0, 'absent'), cell(1, 'found', '10 days'), cell(2, 'found', '9 days')];
  it('is that of the table until one is chosen', () => expect(rowsInOrder(files, (r) => cells[r], null)).toEqual([0, 1, 2, 3]));
  it('compares numbers in names', () => expect(rowsInOrder(files, (r) => cells[r], { column: -1, down: false })).toEqual([3, 2, 1, 0]));
  it('has answers first, either way', () => {
    expect(rowsInOrder(files, (r) => cells[r], { column: 0, down: false })).toEqual([2, 1, 0, 3]);
    expect(rowsInOrder(files, (r) => cells[r], { column: 0, down: true })).toEqual([1, 2, 0, 3]);
  });
});

describe('an open table', () => {
  it('follows the cells that are to come, after those it has', async () => {
    const view: TableView = { id: 'tbl_1', title: 'T', made: '', paused: false, filled: 1, files, questions: ['When?'], cells: [cell(0, 'found', 'May')] };
    let told: (event: TableEvent) => void = () => {};
    let from = -1;
    const open = new OpenTable({
      table: async () => view, changeTable: async () => view, removeTable: async () => {}, stopTable: async () => ({ ...view, paused: true }), fillTable: async () => view,
      followTable: (_id, after, onEvent) => {
        [from, told] = [after, onEvent];
        return () => (told = () => {});
      },
    });
    await open.open('tbl_1');
    expect(from).toBe(1);
    told({ table: 'tbl_1', seq: 2, kind: 'cell', body: cell(1, 'absent') });
    await expect.poll(() => open.cell(1, 0)?.state).toBe('absent');
    expect(open.cell(0, 0)?.text).toBe('May');
    await open.stop();
    expect(open.view?.paused).toBe(true);
  });
});
