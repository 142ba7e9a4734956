// Runs tests/*.test.ts in node: of modules that need no browser. They are bundled first, for node reads no TypeScript.
import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import * as esbuild from 'esbuild';

const here = import.meta.dirname;
const bundled = join(here, 'node_modules', '.tests');
const tests = readdirSync(join(here, 'tests')).filter(name => name.endsWith('.test.ts'));

rmSync(bundled, { recursive: true, force: true });
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
process.exitCode = status ?? 1;
