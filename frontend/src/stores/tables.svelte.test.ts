import { describe, expect, it, vi } from 'vitest';
import type { TableCell, TableChange, TableEvent, TableView } from '../api';
import { app } from './app.svelte';
import { OpenTable, rowsInOrder, Tables } from './tables.svelte';
import { settle } from './undo';

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
      table: async () => view, changeTable: async () => view, stopTable: async () => ({ ...view, paused: true }), fillTable: async () => view,
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

describe('a table that is deleted', () => {
  const table = (id: string): TableView => ({ id, title: id, made: '', paused: false, filled: 0, files: [], questions: [], cells: [] });
  const made = async () => {
    const kept = ['tbl_1', 'tbl_2'];
    const removeTable = vi.fn(async (id: string) => void kept.splice(kept.indexOf(id), 1));
    const list = new Tables({ tables: async () => kept.map(table), makeTable: async () => table(''), removeTable });
    await list.load();
    list.remove('tbl_1', 'It was deleted.');
    return { list, removeTable, ids: () => list.items.map(({ id }) => id) };
  };

  it('is off the list at once and stays off it, and is there again when that is undone', async () => {
    const { list, removeTable, ids } = await made();
    expect(ids()).toEqual(['tbl_2']);
    await list.load();
    expect(ids()).toEqual(['tbl_2']);
    app.toast?.action?.run();
    await expect.poll(ids).toEqual(['tbl_1', 'tbl_2']);
    settle();
    expect(removeTable).not.toHaveBeenCalled();
  });

  it('is erased when the page is left', async () => {
    const { list, removeTable, ids } = await made();
    settle();
    expect(removeTable).toHaveBeenCalledWith('tbl_1');
    await list.load();
    expect(ids()).toEqual(['tbl_2']);
  });
});

describe('what is taken out of a table', () => {
  const whole = (questions: string[], ids: string[]): TableView => ({ id: 'tbl_1', title: 'T', made: '', paused: true, filled: 0, files: ids.map((id) => ({ id, path: id })), questions, cells: [] });
  const opened = async () => {
    let kept = whole(['Who?', 'When?'], ['a', 'b']);
    const changeTable = vi.fn(async (_id: string, change: TableChange) => (kept = whole(change.questions ?? kept.questions, kept.files.map(({ id }) => id).filter((id) => !change.without?.includes(id)))));
    const open = new OpenTable({ table: async () => kept, changeTable, stopTable: async () => kept, fillTable: async () => kept, followTable: () => () => {} });
    await open.open('tbl_1');
    return { open, changeTable };
  };

  it('keeps its answers while that can be undone', async () => {
    const { open, changeTable } = await opened();
    open.takeOut({ question: 'Who?' }, 'gone');
    expect([...open.gone]).toEqual(['Who?']);
    app.toast?.action?.run();
    settle();
    expect([[...open.gone], changeTable.mock.calls]).toEqual([[], []]);
  });

  it('stays erased when the next one goes at the same time', async () => {
    const { open, changeTable } = await opened();
    await open.change({ questions: ['Who?', 'When?', 'Why?'] });
    for (const question of ['Who?', 'When?']) open.takeOut({ question }, 'gone');
    settle();
    await expect.poll(() => open.view?.questions).toEqual(['Why?']);
    expect(changeTable.mock.lastCall).toEqual(['tbl_1', { questions: ['Why?'] }]);
  });

  it('is erased afterwards, each for itself', async () => {
    const { open, changeTable } = await opened();
    open.takeOut({ question: 'Who?' }, 'gone');
    open.takeOut({ file: 'b' }, 'gone');
    settle();
    await expect.poll(() => [...open.gone]).toEqual([]);
    expect(changeTable.mock.calls).toEqual([['tbl_1', { questions: ['When?'] }], ['tbl_1', { without: ['b'] }]]);
    expect([open.view?.questions, open.view?.files.map(({ id }) => id)]).toEqual([['When?'], ['a']]);
  });
});
