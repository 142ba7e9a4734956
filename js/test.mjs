// Runs tests/*.test.ts in node: of modules that need no browser. They are bundled first, for node reads no TypeScript.
//
//   node test.mjs [NAME …]
//
// With names, only the files that begin with one of them.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import * as esbuild from 'esbuild';

const here = import.meta.dirname;
const names = process.argv.slice(2);
const isAsked = file => names.length === 0 || names.some(name => file.startsWith(name));
const tests = readdirSync(join(here, 'tests')).filter(name => name.endsWith('.test.ts') && isAsked(name));
// A folder of its own, for runs side by side.
const bundled = mkdtempSync(join(tmpdir(), 'qdash-tests-'));

await esbuild.build({
  absWorkingDir: here,
  bundle: true,
  define: { WIRE: JSON.stringify(new URL('../tests/wire/', import.meta.url).href) },
  entryPoints: tests.map(name => join('tests', name)),
  format: 'esm',
  logLevel: 'warning',
  outdir: bundled,
  outExtension: { '.js': '.mjs' },
  platform: 'node',
  sourcemap: 'inline',
});
const files = tests.map(name => join(bundled, name.replace(/ts$/, 'mjs')));
const { status } = spawnSync(process.execPath, ['--enable-source-maps', '--no-warnings', '--test', '--test-reporter=spec', ...files], { stdio: 'inherit' });
rmSync(bundled, { recursive: true, force: true });
process.exitCode = status ?? 1;
