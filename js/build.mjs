// Bundles src/ into the prebuilt JupyterLab extension, the panel's widget, the client of the HTTP service and the button
// of the explorer:
//
//   node build.mjs [EXTENSION-FOLDER [PANEL-FOLDER [CLIENT-FOLDER [EXPLORER-FOLDER]]]]
//
// Without folders all go where the Python package ships them; with one folder only the extension is built.
//
// The same sources give the same bytes on every machine, so that the built files can be committed and a test can
// compare them. The extension's file name carries a hash of its content: a browser never shows a stale copy after an
// upgrade. The panel needs none, for its text travels through the kernel, and the client has a name that pages import.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import * as esbuild from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const shipped = join(here, '..', 'qdash_jupyter');
const given = process.argv.slice(2);
const usual = ['labextension', 'ui/static', 'server/static', 'explore/static'].map(each => join(shipped, each));
const folders = given.length > 0 ? given : usual;
const [extensionFolder, panelFolder, clientFolder, explorerFolder] = folders.map(folder => resolve(folder));
const { name, version, license, dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));

/** What JupyterLab brings and shares with its extensions: never bundled, for tokens are compared by identity. */
const SHARED = /^@(jupyterlab|lumino)\//;

/** Makes `import css from './x.css'` a minified text, for the script that puts it into the page itself. */
const cssAsText = {
  name: 'css-as-text',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await esbuild.transform(readFileSync(path, 'utf8'), { loader: 'css', minify: true });
      return { contents: code.trim(), loader: 'text' };
    });
  },
};

const options = {
  absWorkingDir: here,
  bundle: true,
  charset: 'utf8',
  // The licences of what is bundled stand in THIRD-PARTY.txt.
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
    entryPoints: ['src/extension/index.ts'],
    format: 'esm',
    metafile: true,
    plugins: [cssAsText],
    external: ['@jupyterlab/*', '@lumino/*'],
  });
  const imports = Object.values(metafile.outputs).flatMap(output => output.imports);
  return [...new Set(imports.filter(each => each.external).map(each => each.path))].sort();
}

/** Lets `import … from '@jupyterlab/…'` read what src/extension/federation/shared-packages.ts loaded at start. */
const fromJupyterLab = {
  name: 'from-jupyterlab',
  setup(build) {
    build.onResolve({ filter: SHARED }, ({ path }) => ({ path, namespace: 'shared' }));
    build.onLoad({ filter: /.*/, namespace: 'shared' }, ({ path }) => ({
      contents: `module.exports = require('./src/extension/federation/shared-packages').shared(${JSON.stringify(path)});`,
      resolveDir: here,
    }));
  },
};

async function bundleExtension() {
  const { outputFiles } = await esbuild.build({
    ...options,
    entryPoints: ['src/extension/federation/container.ts'],
    format: 'iife',
    plugins: [fromJupyterLab, cssAsText],
    define: { EXTENSION_NAME: JSON.stringify(name), SHARED_NAMES: JSON.stringify(await sharedNames()) },
  });
  return outputFiles[0].contents;
}

async function buildExtension(folder) {
  const script = await bundleExtension();
  const entry = `static/remoteEntry.${createHash('sha256').update(script).digest('hex').slice(0, 16)}.js`;
  const manifest = {
    name,
    version,
    license,
    jupyterlab: { extension: true, _build: { load: entry, extension: './extension' } },
  };
  rmSync(join(folder, 'static'), { recursive: true, force: true });
  mkdirSync(join(folder, 'static'), { recursive: true });
  put(folder, entry, script);
  const schemas = join(folder, 'schemas', name);
  mkdirSync(schemas, { recursive: true });
  for (const file of readdirSync(join(here, 'schema'))) {
    put(schemas, file, readFileSync(join(here, 'schema', file)));
  }
  put(folder, 'package.json', `${JSON.stringify(manifest, null, 2)}\n`);
}

/** The panel: a module and a style sheet that the kernel hands to every page as a widget. */
async function buildPanel(folder) {
  const { outputFiles } = await esbuild.build({
    ...options,
    entryPoints: { panel: 'src/panel/index.tsx' },
    format: 'esm',
    outdir: folder,
    jsx: 'automatic',
    jsxImportSource: 'preact',
  });
  const style = 'src/panel/style/panel.css';
  const styles = await esbuild.build({ ...options, entryPoints: { panel: style }, outdir: folder });
  mkdirSync(folder, { recursive: true });
  put(folder, 'panel.js', outputFiles[0].contents);
  put(folder, 'panel.css', styles.outputFiles[0].contents);
  put(folder, 'THIRD-PARTY.txt', thirdParty('panel.js', Object.keys(dependencies)));
}

/** The client, and a page that uses it. */
async function buildClient(folder) {
  const { outputFiles } = await esbuild.build({ ...options, entryPoints: ['src/client/index.ts'], format: 'esm' });
  mkdirSync(folder, { recursive: true });
  put(folder, 'client.js', outputFiles[0].contents);
  put(folder, 'example.html', readFileSync(join(here, 'src', 'client', 'example.html')));
  put(folder, 'THIRD-PARTY.txt', thirdParty('client.js', ['dompurify', 'marked']));
}

/** The explorer's button: a module that the kernel hands to the page, as it does the panel. */
async function buildExplorer(folder) {
  const { outputFiles } = await esbuild.build({ ...options, entryPoints: ['src/explore/code-button.ts'], format: 'esm' });
  mkdirSync(folder, { recursive: true });
  put(folder, 'code-button.js', outputFiles[0].contents);
}

/** Where a package leaves the choice between licences, or names nobody in their text. */
const NOTES = { dompurify: 'Copyright (c) Cure53 and other contributors. Used under the Apache License 2.0:\n\n' };

/** The licences of the packages that a bundle contains. */
function thirdParty(bundle, packages) {
  const parts = [...packages].sort().map(each => {
    const folder = join(here, 'node_modules', each);
    const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const head = `${each} ${version}`;
    const text = `${NOTES[each] ?? ''}${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}`;
    return `${head}\n${'-'.repeat(head.length)}\n\n${text}\n`;
  });
  return `${bundle} contains the following packages, unchanged but for minification.\n\n\n${parts.join('\n\n')}`;
}

/** What stays the same is not written: by its time, make installs the extension anew. */
function put(folder, file, content) {
  const path = join(folder, file);
  if (!existsSync(path) || !readFileSync(path).equals(Buffer.from(content))) {
    writeFileSync(path, content);
  }
  console.log(`${file}: ${Buffer.byteLength(content)} bytes`);
}

await buildExtension(extensionFolder);
if (panelFolder) {
  await buildPanel(panelFolder);
}
if (clientFolder) {
  await buildClient(clientFolder);
}
if (explorerFolder) {
  await buildExplorer(explorerFolder);
}
