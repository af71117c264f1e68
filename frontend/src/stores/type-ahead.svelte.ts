/** What the reader's files hold of a question that is being typed. */
import { backend, type Backend, type SearchHit } from '../api';

/** Of how many passages the files that hold them are listed, and how many files. */
const [passagesLooked, filesListed] = [30, 5];

/** The best passage of each file, as many files as are listed. */
function bestOfFiles(hits: SearchHit[]): SearchHit[] {
  const seen = new Set<string>();
  return hits.filter(({ file }) => !seen.has(file) && seen.add(file)).slice(0, filesListed);
}

/** Two signs of these scripts are a word; of others it takes three letters to look for one. */
const dense = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const leastLetters = (text: string): number => (dense.test(text) ? 2 : 3);

/** Who types on needs no hits for half a word: they are looked for once the keys rest for so long. */
const restMs = 60;

/** File hits while a question is typed, the best passage of each file. Only the last answer counts. */
export class TypeAhead {
  hits = $state.raw<SearchHit[]>([]);
  total = $state(0);
  /** There may be more than `total`. */
  more = $state(false);
  #turn = 0;

  constructor(readonly api: Pick<Backend, 'searchLibrary'> = backend, readonly rest = restMs) {}

  async look(text: string): Promise<void> {
    const turn = ++this.#turn;
    const query = text.trim();
    const wanted = query.length >= leastLetters(query) && !query.startsWith('/');
    if (wanted && this.rest > 0) await new Promise((rested) => setTimeout(rested, this.rest));
    if (turn !== this.#turn) return;
    const found = wanted ? await this.api.searchLibrary(query, passagesLooked).catch(() => null) : null;
    if (turn !== this.#turn) return;
    this.hits = bestOfFiles(found?.items ?? []);
    this.total = found?.total ?? 0;
    this.more = found?.more ?? false;
  }
}
