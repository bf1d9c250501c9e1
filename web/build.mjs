// Builds the page into crates/server/page, from where the server embeds it.
// `node build.mjs --out FOLDER` builds elsewhere, `--watch` builds again at every change.
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const words = process.argv.slice(2);
const named = words.indexOf('--out');
const out = named >= 0 ? resolve(words[named + 1]) : join(here, '../crates/server/page');
const LIMIT = 60_000;

const options = {
  absWorkingDir: here,
  entryPoints: {
    app: 'src/main.tsx',
    worker: 'src/worker.ts',
    theme: 'src/theme-early.ts',
    base: 'styles/base.css',
    'app-style': 'styles/app.css',
    'guide-style': 'styles/guide.css',
  },
  entryNames: '[name]',
  outdir: out,
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['chrome123', 'firefox121', 'safari17.5'],
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  charset: 'utf8',
  logLevel: 'warning',
};
// The style sheets keep their short names although a script has the same one.
options.entryPoints = Object.entries(options.entryPoints).map(([name, file]) => ({ in: file, out: name.replace('-style', '') }));

mkdirSync(out, { recursive: true });
for (const file of ['index.html', 'icon.svg']) copyFileSync(join(here, 'static', file), join(out, file));
if (words.includes('--watch')) {
  const context = await esbuild.context(options);
  await context.watch();
  console.log(`watching; ${out}`);
} else {
  await esbuild.build(options);
  const files = ['index.html', 'app.js', 'base.css', 'app.css', 'worker.js', 'theme.js', 'guide.css', 'icon.svg'];
  let total = 0;
  for (const file of files) {
    const size = gzipSync(readFileSync(join(out, file)), { level: 9 }).length;
    total += size;
    console.log(`${file.padEnd(12)} ${String(size).padStart(6)} bytes gzipped`);
  }
  console.log(`${'all'.padEnd(12)} ${String(total).padStart(6)} of ${LIMIT}`);
  if (total > LIMIT) {
    console.error(`the page has ${total} bytes gzipped; the limit is ${LIMIT}`);
    process.exit(1);
  }
}
