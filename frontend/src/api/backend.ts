/**
 * The one interface between the window and the program. Two adapters satisfy
 * it: `http.ts` (browser, native API and server-sent events) and `wails.ts`
 * (desktop, bound methods and window events). Every promise rejects with a
 * `Fault`.
 */
import type { JobEvent, LibraryEvent, RunEvent } from './events';
import type {
  AboutView, AboutWhat, AddResult, Ask, Asked, Collection, CollectionChange, Counted, Engine, EngineTest, ExportFormat, Failure, FileInfo, FilesQuery, Folders, FreshWish, Health,
  KeptFresh, LedgerEntry, LedgerLine, Lens, LibraryStatus, Mode, Models, ModelsView, ModelTest, NewNote, Note, Page, PassageInfo, Persona, Provider, Replay,
  Replayed, Roles, Run, SavedNote, SearchResult, SentFile, SettingsView, SettingValue, Share, Shared, SourceInfo, SourceText, Standing, Steering, TableChange, TableEvent, TableView, TextAt, Thread, ThreadDetail, ThreadInfo,
  Trace, UpdateView, Upload, WhyNot, ZoteroAdded,
} from './types';

/** An error a person can act on: the fact (`message`), the next step (`hint`), a stable `code`. */
export class Fault extends Error {
  readonly code: string;
  readonly hint: string;
  readonly details: Record<string, unknown>;

  constructor(failure: Failure & { details?: Record<string, unknown> }) {
    super(failure.message);
    this.name = 'Fault';
    this.code = failure.code;
    this.hint = failure.hint ?? '';
    this.details = failure.details ?? {};
  }

  /** Turns anything thrown into a Fault, without showing its insides. */
  static of(error: unknown): Fault {
    if (error instanceof Fault) return error;
    return new Fault({ code: 'internal', message: 'That did not work.', hint: 'Try again.' });
  }
}

/** Ends a subscription. Calling it twice is harmless. */
export type Unsubscribe = () => void;

/**
 * How a follow ended: null after the run's last event, else why it cannot go on.
 * Not called after the caller has unsubscribed.
 */
export type OnEnd = (fault: Fault | null) => void;

/** Questions being answered. */
export interface RunsApi {
  ask(question: Ask): Promise<Asked>;
  run(id: string): Promise<Run>;
  /**
   * Replays the events after `after` (0 = all) and goes on live, in order, none
   * lost or repeated; reconnects by itself.
   */
  follow(run: string, after: number, onEvent: (event: RunEvent) => void, onEnd: OnEnd): Unsubscribe;
  stop(run: string): Promise<void>;
  answerNow(run: string): Promise<void>;
  /** Replies to a question that the run asked back. */
  clarify(run: string, reply: string): Promise<void>;
  /** Asks another question in a run's place, in a thread of its own that begins with the same turns. */
  editRun(run: string, question: string): Promise<Asked>;
  retry(run: string, change: { mode?: Mode; models?: Partial<Models> }): Promise<Asked>;
  /** Asks the question of an answered run again; the new answer carries `diff`. */
  refresh(run: string): Promise<Asked>;
  /** Has an answer checked from time to time. */
  keepFresh(run: string, wish: FreshWish): Promise<Standing>;
  dropFresh(run: string): Promise<void>;
  /** The answers that are kept fresh. */
  freshList(): Promise<KeptFresh[]>;
  /** Opens connections for a question that is being typed to a model; nothing of it is sent. */
  warm(model: string): Promise<void>;
  ledger(run: string): Promise<LedgerEntry[]>;
  /** What all runs sent, the newest first, and with the first page what was sent beside them. */
  ledgers(after: string): Promise<Page<LedgerLine>>;
  /** Sets what deep research looks into; the run begins unless `hold`. */
  plan(run: string, dimensions: string[], hold: boolean): Promise<void>;
  /** Skips, deepens or edits a subquestion while it is looked into. */
  steer(run: string, dimension: string, action: Steering, question: string): Promise<void>;
  /** How a run went and how its evidence was ranked. */
  trace(run: string): Promise<Trace>;
  /** Ranks the evidence of a run in another way; nothing is fetched and nothing is changed. */
  replay(run: string, change: Replay): Promise<Replayed>;
  /** File text that a model beyond this computer would be sent for a run. */
  sendPreview(run: string): Promise<SentFile[]>;
  /** The providers that may be sent file text. */
  consents(): Promise<string[]>;
  /** Lets a provider be sent file text, or not any more. */
  consent(provider: string, allowed: boolean): Promise<void>;
}

/** Conversations. */
export interface ThreadsApi {
  threads(query: { q?: string; collection?: string; limit?: number; after?: string }): Promise<Page<ThreadInfo>>;
  thread(id: string): Promise<ThreadDetail>;
  renameThread(id: string, title: string): Promise<void>;
  pinThread(id: string, pinned: boolean): Promise<void>;
  deleteThread(id: string): Promise<void>;
  /** What checks found in it was looked at. */
  seenThread(id: string): Promise<void>;
  /** Begins a thread that shares the runs up to one of another thread; gives its id. */
  branchThread(id: string, run: string): Promise<string>;
  /** Saves the thread (or one run of it) as a file: a download, or a save dialog in the window. */
  exportThread(id: string, format: ExportFormat, run?: string): Promise<void>;
  /** The scripts that its PDF names in brackets, for want of a font. */
  lackingScripts(id: string, run?: string): Promise<string[]>;
  /** Saves an answer as a note in the folder of the settings. */
  saveNote(id: string, run: string): Promise<SavedNote>;
}

/** The reader's own files. */
export interface LibraryApi {
  library(): Promise<LibraryStatus>;
  files(query: FilesQuery): Promise<Page<FileInfo>>;
  /** The folders in one that can be added; "" gives where to begin. */
  folders(path: string): Promise<Folders>;
  file(id: string): Promise<FileInfo>;
  /** Absolute paths of files or folders; read in place. */
  addPaths(paths: string[], watch: boolean): Promise<AddResult>;
  /** Adds the sample library that the program brings along. */
  addSample(): Promise<AddResult>;
  /** Adds what Zotero keeps; an empty folder is its usual one. */
  addZotero(folder: string): Promise<ZoteroAdded>;
  /** Copies files into the data folder (browser). */
  upload(files: File[]): Promise<Upload[]>;
  rescan(ids?: string[]): Promise<void>;
  /** Forgets a file or a root. The file itself stays. */
  removeFile(id: string): Promise<void>;
  searchLibrary(q: string, limit: number): Promise<SearchResult>;
  /** Counts exactly what files mention. */
  countFiles(q: string, by: 'file' | 'folder' | 'type', signal?: AbortSignal): Promise<Counted>;
  /** What a file (by id or path), folder or notebook is about, and questions that it answers. */
  about(what: AboutWhat): Promise<AboutView>;
  /** Why an answer to a question did not rest on a file. */
  whyNot(file: string, q: string): Promise<WhyNot>;
  libraryEvents(onEvent: (event: LibraryEvent) => void): Unsubscribe;
  /** Named sets of files and folders, oldest first. */
  collections(): Promise<Collection[]>;
  /** Stores a collection; one without an id is new. */
  putCollection(change: CollectionChange): Promise<Collection>;
  /** Forgets a collection; its files stay. */
  removeCollection(id: string): Promise<void>;
}

/** What the reader wrote down beside a set of sources, newest first. */
export interface NotesApi {
  notes(collection: string): Promise<Note[]>;
  addNote(collection: string, note: NewNote): Promise<Note>;
  changeNote(id: string, text: string): Promise<Note>;
  removeNote(id: string): Promise<void>;
}

/** Evidence tables: the same questions asked of each of many files. */
export interface TablesApi {
  /** Without their cells, newest first. */
  tables(): Promise<TableView[]>;
  table(id: string): Promise<TableView>;
  makeTable(change: TableChange): Promise<TableView>;
  /** Cells of rows and columns that stay are kept. */
  changeTable(id: string, change: TableChange): Promise<TableView>;
  removeTable(id: string): Promise<void>;
  stopTable(id: string): Promise<TableView>;
  /** Goes on, and asks again what could not be read. */
  fillTable(id: string): Promise<TableView>;
  /** The cells after a number, then each that is filled, until none is empty. */
  followTable(id: string, after: number, onEvent: (event: TableEvent) => void, onEnd: OnEnd): Unsubscribe;
  /** Saves the table as a file: a download, or a save dialog in the window. */
  exportTable(id: string, format: 'xlsx' | 'csv'): Promise<void>;
}

/** What was read, as it was read. */
export interface SourcesApi {
  source(id: string): Promise<SourceInfo>;
  sourceText(id: string, at: TextAt): Promise<SourceText>;
  passage(id: string): Promise<PassageInfo>;
  /** The original file as it is now; refused when it is gone or too large for a page. */
  sourceFile(id: string): Promise<ArrayBuffer>;
  /** Saves a changed copy of a file under a name that the reader may change; the original stays as it is. */
  saveCopy(id: string, name: string, bytes: Uint8Array): Promise<void>;
  /** Address of the stored preview; it may answer 404. */
  previewImage(id: string): string;
  /** Opens the file in its program, or the page in the browser. */
  openSource(id: string): Promise<void>;
}

/** Models, engines and everything else the user may change. */
export interface SettingsApi {
  models(): Promise<ModelsView>;
  /** `model` is provider/model. */
  /** Shows the data folder in the system's file manager. */
  openData(): Promise<void>;
  testModel(model: string): Promise<ModelTest>;
  /** Asks one provider which models it has, also one of the net. */
  listModels(provider: string): Promise<Provider>;
  /** Begins to fetch provider/model and tells how far it has come; unsubscribing leaves the job running. */
  pullModel(model: string, onEvent: (event: JobEvent) => void): Promise<string>;
  stopJob(job: string): Promise<void>;
  setRoles(roles: Partial<Roles>): Promise<void>;
  engines(): Promise<Engine[]>;
  testEngine(name: string): Promise<EngineTest>;
  settings(): Promise<SettingsView>;
  /** All or nothing; a bad value rejects with `invalid-setting` and details {key, reason}. */
  putSettings(changes: Record<string, SettingValue>): Promise<void>;
  setKey(name: string, value: string): Promise<void>;
  removeKey(name: string): Promise<void>;
  personas(): Promise<Persona[]>;
  /** Stores a persona; one without an id is new. */
  putPersona(persona: Omit<Persona, 'id'> & { id?: string }): Promise<Persona>;
  removePersona(id: string): Promise<void>;
  lenses(): Promise<Lens[]>;
  /** Replaces all lenses and gives them in the form they are kept in. */
  setLenses(lenses: Lens[]): Promise<Lens[]>;
  health(): Promise<Health>;
  /** What is known of newer versions, without asking anybody. */
  update(): Promise<UpdateView>;
  /** Asks now. */
  lookForUpdate(): Promise<UpdateView>;
}

/** Things dropped on the window: paths on the desktop, file contents in a browser. */
export interface Drop {
  paths: string[];
  files: File[];
}

/** The people of a team, who sign in. */
export interface PeopleApi {
  /** Whether this program is one that people sign in to. */
  wanted(): Promise<boolean>;
  signIn(name: string, password: string): Promise<void>;
  /** Uses an invitation up: the password is its person's from now on. */
  accept(invitation: string, password: string): Promise<void>;
  signOut(): Promise<void>;
}

/** What people of a team show each other; alone on a computer there is nobody. */
export interface SharingApi {
  shares(thread: string): Promise<Share[]>;
  /** With a person or group, or with whoever has a link where there is no name: its secret is told once. */
  share(thread: string, name: string): Promise<Share>;
  unshare(thread: string, share: string): Promise<void>;
  shared(): Promise<Shared[]>;
  sharedThread(id: string): Promise<Thread>;
  /** Opens what a link shows; gives its id. */
  openShared(secret: string): Promise<string>;
  /** Makes a thread of one's own of it; gives its id. */
  copyShared(id: string): Promise<string>;
}

/** What the surroundings can do: a desktop window or a browser. */
export interface HostApi {
  readonly desktop: boolean;
  /** Absent in the window: it is its owner's alone. */
  readonly people?: PeopleApi;
  openExternal(url: string): Promise<void>;
  /** What keeps the program from being reached from elsewhere as the settings wish, each in a sentence. */
  around(): Promise<string[]>;
  /** Native dialogs; [] when nothing was chosen or there are none. */
  chooseFolder(): Promise<string[]>;
  chooseFiles(): Promise<string[]>;
  /** `onHover` says whether something is being dragged over the window. */
  onFileDrop(onDrop: (drop: Drop) => void, onHover: (over: boolean) => void): Unsubscribe;
}

export interface Backend extends RunsApi, ThreadsApi, SharingApi, LibraryApi, NotesApi, TablesApi, SourcesApi, SettingsApi, HostApi {}
