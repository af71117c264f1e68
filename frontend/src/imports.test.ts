// @vitest-environment node
// What may import what: folders stand on floors, and no files import each other in a circle.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = resolve(import.meta.dirname);
/** What a folder of src may import besides itself. Types may come from anywhere: nothing runs for them. */
const floors: Record<string, string[]> = {
  api: [],
  lib: ['api'],
  ui: ['lib'],
  stores: ['api', 'lib'],
  components: ['api', 'lib', 'stores', 'ui'],
  diagram: ['lib'],
  box: ['api', 'components', 'lib', 'stores', 'ui'],
  routes: ['api', 'components', 'lib', 'stores', 'ui'],
};

/** Every file below src that is written by hand and no test. */
const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.(ts|svelte)$/.test(name) && !/\.test\.ts$|^test-setup\.ts$/.test(name))
  .map((name) => join(source, name));

const statement = /^\s*(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?'(\.[^']+)'/gm;
const lazy = /\bimport\(\s*'(\.[^']+)'\s*\)/g;

/** The file that a path names, as Vite finds it. */
function found(from: string, path: string): string | undefined {
  const base = resolve(dirname(from), path.replace(/\?.*$/, ''));
  return [base, `${base}.ts`, join(base, 'index.ts')].find((file) => existsSync(file) && /\.(ts|svelte)$/.test(file));
}

/** What a file imports to run; what it loads later counts for floors, not for circles. */
function imports(file: string, later: boolean): string[] {
  const text = readFileSync(file, 'utf8');
  const paths = [...text.matchAll(statement)].filter((m) => !m[1]).map((m) => m[2]!);
  if (later) paths.push(...[...text.matchAll(lazy)].map((m) => m[1]!));
  return paths.map((path) => found(file, path)).filter((to) => to !== undefined);
}

const short = (file: string) => relative(source, file).split(sep).join('/');
const folder = (file: string) => (short(file).includes('/') ? short(file).split('/')[0]! : '');

/** The first circle that is reached from a file. */
function circle(file: string, way: string[], done: Set<string>): string[] | undefined {
  if (way.includes(file)) return [...way.slice(way.indexOf(file)), file].map(short);
  if (done.has(file)) return undefined;
  for (const next of imports(file, false)) {
    const round = circle(next, [...way, file], done);
    if (round) return round;
  }
  done.add(file);
  return undefined;
}

describe('imports', () => {
  it('are read', () => {
    expect(files.length).toBeGreaterThan(100);
    expect(imports(join(source, 'main.ts'), true).map(short)).toContain('App.svelte');
  });

  it('go to lower floors alone', () => {
    const up = files.flatMap((file) => {
      const from = folder(file);
      if (from === '') return [];
      return imports(file, true).filter((to) => folder(to) !== from && !floors[from]?.includes(folder(to))).map((to) => `${short(file)} imports ${short(to)}`);
    });
    expect(up).toEqual([]);
  });

  it('never go in a circle', () => {
    const done = new Set<string>();
    expect(files.map((file) => circle(file, [], done)).filter(Boolean)).toEqual([]);
  });
});
