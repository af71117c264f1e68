/** Evidence tables: the list of them, and the one on screen, whose cells come as they are filled. */
import { backend, Fault, type TableCell, type TableChange, type TablesApi, type TableView, type Unsubscribe } from '../api';
import { undoable } from './undo';

type ListPort = Pick<TablesApi, 'tables' | 'makeTable' | 'removeTable'>;

export class Tables {
  items = $state.raw<TableView[]>([]);
  loaded = $state(false);
  fault = $state.raw<Fault | null>(null);
  readonly #api: ListPort;
  /** Taken off the list, and not erased while that may be undone. */
  #gone = new Set<string>();

  constructor(api: ListPort) {
    this.#api = api;
  }

  async load(): Promise<void> {
    try {
      this.items = (await this.#api.tables()).filter((table) => !this.#gone.has(table.id));
      this.fault = null;
    } catch (error) {
      this.fault = Fault.of(error);
    }
    this.loaded = true;
  }

  /** Makes a table and gives its id; "" when it was refused. */
  async make(change: TableChange): Promise<string> {
    try {
      const made = await this.#api.makeTable(change);
      this.fault = null;
      return made.id;
    } catch (error) {
      this.fault = Fault.of(error);
      return '';
    }
  }

  /** Takes a table off the list and says so; it is erased after 8 s unless undone. */
  remove(id: string, said: string): void {
    this.#gone.add(id);
    this.items = this.items.filter((table) => table.id !== id);
    const back = (): void => {
      this.#gone.delete(id);
      void this.load();
    };
    undoable(said, () => this.#api.removeTable(id), back);
  }
}

/** How rows are ordered: by a question, or by the name of the file (-1). */
export interface RowOrder {
  column: number;
  down: boolean;
}

type Port = Pick<TablesApi, 'table' | 'changeTable' | 'stopTable' | 'fillTable' | 'followTable'>;

export class OpenTable {
  view = $state.raw<TableView | null>(null);
  cells = $state.raw<ReadonlyMap<string, TableCell>>(new Map());
  fault = $state.raw<Fault | null>(null);
  /** Questions and ids of files that were taken out, and keep their cells while that may be undone. */
  gone = $state.raw<ReadonlySet<string>>(new Set());
  readonly #api: Port;
  /** A table as it was last told, on screen or not. */
  #known: TableView | null = null;
  /** What is erased is erased one after the other: each leaves the questions that the one before it left. */
  #erased: Promise<void> = Promise.resolve();
  #leave: Unsubscribe | undefined;
  #waiting = new Map<string, TableCell>();

  constructor(api: Port) {
    this.#api = api;
  }

  async open(id: string): Promise<void> {
    this.close();
    await this.#take(() => this.#api.table(id));
  }

  close(): void {
    this.#leave?.();
    this.#leave = undefined;
    this.view = null;
    this.cells = new Map();
    this.gone = new Set();
  }

  cell(row: number, column: number): TableCell | undefined {
    return this.cells.get(`${row} ${column}`);
  }

  change(change: TableChange): Promise<boolean> {
    return this.#act((id) => this.#api.changeTable(id, change));
  }
  stop(): Promise<boolean> {
    return this.#act((id) => this.#api.stopTable(id));
  }
  fill(): Promise<boolean> {
    return this.#act((id) => this.#api.fillTable(id));
  }

  /** Takes a question or a file out and says so; their cells are erased after 8 s unless undone. */
  takeOut(what: { question: string } | { file: string }, said: string): void {
    const { view } = this;
    if (!view) return;
    const one = 'file' in what ? what.file : what.question;
    this.gone = new Set([...this.gone, one]);
    const back = (): void => void (this.gone = new Set([...this.gone].filter((other) => other !== one)));
    const erase = async (): Promise<void> => {
      const { questions } = this.#known?.id === view.id ? this.#known : view;
      this.#known = await this.#api.changeTable(view.id, 'file' in what ? { without: [one] } : { questions: questions.filter((question) => question !== one) });
      if (this.view?.id === view.id) this.#took(this.#known);
      back();
    };
    undoable(said, () => (this.#erased = this.#erased.catch(() => {}).then(erase)), back);
  }

  async #act(call: (id: string) => Promise<TableView>): Promise<boolean> {
    const { view } = this;
    return view !== null && this.#take(() => call(view.id));
  }

  async #take(call: () => Promise<TableView>): Promise<boolean> {
    try {
      this.#took(await call());
      return true;
    } catch (error) {
      this.fault = Fault.of(error);
      return false;
    }
  }

  #took(view: TableView): void {
    this.view = this.#known = view;
    this.cells = new Map(view.cells.map((cell) => [`${cell.row} ${cell.column}`, cell]));
    this.fault = null;
    this.#follow(view);
  }

  /** Cells that come at once are shown at once: one redraw a frame. */
  #follow(view: TableView): void {
    this.#leave?.();
    this.#leave = undefined;
    this.#waiting.clear();
    if (view.paused || view.filled >= view.files.length * view.questions.length) return;
    const last = Math.max(0, ...view.cells.map((cell) => cell.seq ?? 0));
    this.#leave = this.#api.followTable(view.id, last, ({ body }) => {
      if (!body) return;
      if (this.#waiting.size === 0) requestAnimationFrame(() => this.#show());
      this.#waiting.set(`${body.row} ${body.column}`, body);
    }, (fault) => (this.fault = fault));
  }

  #show(): void {
    if (this.#waiting.size === 0) return;
    this.cells = new Map([...this.cells, ...this.#waiting]);
    this.#waiting.clear();
  }
}

const rank = { found: 0, 'not-sure': 1, absent: 2, failed: 3 };
const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** The numbers of the rows, in order: answers first, then what is not sure, not there, not read, not asked. */
export function rowsInOrder(files: readonly { path: string }[], cell: (row: number, column: number) => TableCell | undefined, order: RowOrder | null): number[] {
  const rows = files.map((_, row) => row);
  if (!order) return rows;
  const name = (row: number): string => files[row]?.path.split(/[\\/]/).pop() ?? '';
  const turn = order.down ? -1 : 1;
  if (order.column < 0) return rows.sort((a, b) => turn * collator.compare(name(a), name(b)));
  return rows.sort((a, b) => {
    const [one, two] = [cell(a, order.column), cell(b, order.column)];
    const kind = (one ? rank[one.state] : 4) - (two ? rank[two.state] : 4);
    return kind || turn * collator.compare(one?.text ?? '', two?.text ?? '') || a - b;
  });
}

export const tables = new Tables(backend);
