/** The packages that JupyterLab shares with its extensions, taken from its share scope before our modules run. */

export interface SharedVersion {
  readonly loaded?: unknown;
  get(): Promise<() => unknown>;
}

/** name → version → how to get it: the share scope of module federation. */
export type ShareScope = Readonly<Record<string, Readonly<Record<string, SharedVersion>>>>;

const modules = new Map<string, unknown>();

/** Loads the named packages, so that `given` can answer at once. */
export async function take(scope: ShareScope, names: readonly string[]): Promise<void> {
  await Promise.all(names.map(async name => modules.set(name, await load(scope, name))));
}

/** A package that was taken; bundled modules get here by their plain `import`. */
export function given(name: string): unknown {
  if (!modules.has(name)) {
    throw new Error(`${name} was asked for before it was taken from JupyterLab`);
  }
  return modules.get(name);
}

async function load(scope: ShareScope, name: string): Promise<unknown> {
  const versions = Object.values(scope[name] ?? {});
  // The copy in use comes first: the tokens of a second one would be other objects, and match nothing.
  const chosen = versions.find(version => version.loaded) ?? versions[0];
  if (!chosen) {
    throw new Error(`This JupyterLab does not share ${name}`);
  }
  const factory = await chosen.get();
  return factory();
}
