/** Where the letters of a page stand, in its own points. Pure. */
import type { Hit } from './match';

/** A piece of text where it stands: its matrix, and its length along the line. */
export interface Run {
  str: string;
  dir: string;
  transform: number[];
  width: number;
  height: number;
  /** Of the letters of its font, where they are known. */
  widths?: Widths;
}

/** Letters with their widths, in thousandths of their size. */
export type Widths = ReadonlyMap<string, number>;

export type Point = [x: number, y: number];

/** How far letters reach above and below their line, of their size. */
const above = 0.85;
const below = 0.22;

/** The corners of a hit, from the upper left on with the clock, as its letters stand. */
export function cornersOf(run: Run, { start, end }: Hit): [Point, Point, Point, Point] {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = run.transform;
  const down = run.dir === 'ttb';
  const along = down ? unit(-c, -d) : unit(a, b);
  const up = down ? unit(a, b) : unit(c, d);
  const [length, size] = down ? [run.height, Math.hypot(a, b)] : [run.width, run.height];
  const [over, under] = down ? [0.5, 0.5] : [above, below];
  const shares = sharesOf(run);
  const first = shares[start] ?? 1;
  const last = shares[end] ?? 1;
  const [from, to] = run.dir === 'rtl' ? [1 - last, 1 - first] : [first, last];
  const at = (share: number, height: number): Point => [
    x + along[0] * share * length + up[0] * height * size, y + along[1] * share * length + up[1] * height * size,
  ];
  return [at(from, over), at(to, over), at(to, -under), at(from, -under)];
}

function unit(x: number, y: number): Point {
  const size = Math.hypot(x, y) || 1;
  return [x / size, y / size];
}

/**
 * How far along its run each letter begins, in UTF-16 units, and where the last one
 * ends. A line that is stretched to the margin is stretched at its blanks.
 */
function sharesOf({ str, transform: [a = 1, b = 0], width, widths }: Run): number[] {
  const letters = [...str];
  const usual = widths?.size ? [...widths.values()].reduce((sum, one) => sum + one, 0) / widths.size : 1;
  const wide = letters.map((letter) => widths?.get(letter) ?? usual);
  const spare = widths?.size ? (1000 * width) / (Math.hypot(a, b) || 1) - wide.reduce((sum, one) => sum + one, 0) : 0;
  const blanks = letters.filter((letter) => letter === ' ').length;
  const each = blanks > 0 ? spare / blanks : 0;
  const atBlanks = Math.abs(each) < 1000;
  const ends: number[] = [0];
  let done = 0;
  letters.forEach((letter, i) => {
    done += Math.max(0, (wide[i] ?? usual) + (atBlanks && letter === ' ' ? each : 0));
    for (let unit = 0; unit < letter.length; unit++) ends.push(done);
  });
  return ends.map((end) => end / (done || 1));
}

/** What pdf.js tells of a font that is asked to tell more. */
interface Told {
  widths?: Record<number, number>;
  defaultWidth?: number;
  toUnicode?: { _map?: (string | undefined)[] };
  cMap?: { _map?: (number | undefined)[] };
}

/** The widths of the letters of a font; none where it does not tell them. */
export function widthsOf(font: unknown): Widths {
  const { widths = {}, defaultWidth = 0, toUnicode, cMap } = (font ?? {}) as Told;
  const known = new Map<string, number>();
  toUnicode?._map?.forEach((letter, code) => {
    const width = widths[cMap?._map?.[code] ?? code] ?? defaultWidth;
    if (letter && width > 0 && !known.has(letter)) known.set(letter, width);
  });
  return known;
}
