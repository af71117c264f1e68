import { readdirSync, readFileSync } from 'node:fs';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { svelteTesting } from '@testing-library/svelte/vite';
import type { Plugin as PostcssPlugin } from 'postcss';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

/** Fonts, character maps and the decoder that pdf.js asks for by name, with their licences. */
function pdfParts(): Plugin {
  const parts: [string, string, RegExp][] = [
    ['standard_fonts', 'fonts', /^(Foxit|Liberation|LICENSE)/], ['cmaps', 'cmaps', /\.bcmap$|^LICENSE/],
    ['wasm', 'decoders', /^openjpeg_nowasm|^LICENSE.*_OPENJPEG/],
  ];
  return {
    name: 'pdf-parts',
    apply: 'build',
    generateBundle() {
      for (const [from, to, wanted] of parts) {
        const folder = `node_modules/pdfjs-dist/${from}`;
        for (const name of readdirSync(folder).filter((file) => wanted.test(file))) {
          this.emitFile({ type: 'asset', fileName: `assets/pdf/${to}/${name}`, source: readFileSync(`${folder}/${name}`) });
        }
      }
    },
  };
}

/** Every window that runs this reads the smallest form of a letter; the others need not be shipped. */
function smallestLetters(): Plugin {
  return {
    name: 'smallest-letters',
    enforce: 'pre',
    transform: (code, id) => (/katex(\.min)?\.css/.test(id) ? code.replace(/,url\([^)]*\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, '') : undefined),
  };
}

/** Every size of text follows the one that the reader chose, wherever it is written. */
function textSize(): PostcssPlugin {
  const sized = /^(font|font-size|line-height|--t-\d+|--read|--read-lh)$/;
  const scaled = (value: string): string => value.replace(/(?<![\w.-])(\d*\.?\d+)px/g, 'calc($1px*var(--text,1))');
  return { postcssPlugin: 'text-size', Declaration: (declaration) => void (sized.test(declaration.prop) && !declaration.value.includes('--text') && (declaration.value = scaled(declaration.value))) };
}

/** The two faces of the first screen come with the scripts; text waits for them, and the styles name them late. */
function earlyFaces(): Plugin {
  const faces = /(geist-latin-wght|source-serif-4-latin-opsz)-normal[^/]*\.woff2$/;
  return {
    name: 'early-faces',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { path, bundle }) =>
        path.endsWith('/index.html')
          ? Object.keys(bundle ?? {}).filter((file) => faces.test(file)).map((file) => ({
              tag: 'link', injectTo: 'head', attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${file}`, crossorigin: true },
            }))
          : [],
    },
  };
}

export default defineConfig({
  plugins: [svelte(), svelteTesting(), pdfParts(), smallestLetters(), earlyFaces()],
  css: { postcss: { plugins: [textSize()] } },
  worker: { format: 'es' },
  build: {
    target: ['es2022', 'safari16.4'],
    outDir: 'dist',
    emptyOutDir: true,
    // The content security policy allows neither data: fonts nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 900,
    rollupOptions: { input: ['index.html', 'diagram.html', 'box.html'] },
  },
  server: {
    port: 5173,
    fs: { allow: ['..'] },
    proxy: { '/api': 'http://127.0.0.1:7499', '/launch': 'http://127.0.0.1:7499' },
  },
  test: {
    environment: 'jsdom',
    include: ['src/**/*.test.ts'],
    setupFiles: ['src/test-setup.ts'],
    testTimeout: 60_000,
  },
});
