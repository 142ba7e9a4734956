// Bundles src/ into a prebuilt JupyterLab extension:  node build.mjs [OUTPUT-FOLDER]
//
// The same sources give the same bytes on every machine, so that the built files can be committed and a test can
// compare them. File names carry a hash of their content: a browser never shows a stale copy after an upgrade.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(here, '..', 'qdash_jupyter', 'labextension'));
const { name, version, license } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));

/** What JupyterLab brings and shares with its extensions: never bundled, for tokens are compared by identity. */
const SHARED = /^@(jupyterlab|lumino)\//;

const options = {
  absWorkingDir: here,
  bundle: true,
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  minify: true,
  target: 'es2021',
  write: false,
};

/** The names of the shared packages that the extension really imports. */
async function sharedNames() {
  const { metafile } = await esbuild.build({
    ...options,
    entryPoints: ['src/index.ts'],
    format: 'esm',
    metafile: true,
    external: ['@jupyterlab/*', '@lumino/*'],
  });
  const imports = Object.values(metafile.outputs).flatMap(output => output.imports);
  return [...new Set(imports.filter(each => each.external).map(each => each.path))].sort();
}

/** Lets `import … from '@jupyterlab/…'` read what src/federation/shared.ts was given at start. */
const fromJupyterLab = {
  name: 'from-jupyterlab',
  setup(build) {
    build.onResolve({ filter: SHARED }, ({ path }) => ({ path, namespace: 'shared' }));
    build.onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
      contents: `module.exports = require('./src/federation/shared').given(${JSON.stringify(path)});`,
      resolveDir: here,
    }));
  },
};

async function bundle() {
  const { outputFiles } = await esbuild.build({
    ...options,
    entryPoints: ['src/federation/container.ts'],
    format: 'iife',
    plugins: [fromJupyterLab],
    define: { EXTENSION_NAME: JSON.stringify(name), SHARED_NAMES: JSON.stringify(await sharedNames()) },
  });
  return outputFiles[0].contents;
}

const script = await bundle();
const entry = `static/remoteEntry.${createHash('sha256').update(script).digest('hex').slice(0, 16)}.js`;
const manifest = {
  name,
  version,
  license,
  jupyterlab: { extension: true, _build: { load: entry, extension: './extension' } },
};

rmSync(join(out, 'static'), { recursive: true, force: true });
mkdirSync(join(out, 'static'), { recursive: true });
writeFileSync(join(out, entry), script);
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`${entry}: ${script.length} bytes`);
