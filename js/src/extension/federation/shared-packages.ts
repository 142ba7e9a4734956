/** The packages that JupyterLab shares with its extensions, loaded from its share scope before our modules run. */

export type ShareScope = Parameters<FederatedContainer['init']>[0];

const modules = new Map<string, unknown>();

/** Loads the named packages, so that `shared` can answer at once. */
export async function loadShared(scope: ShareScope, names: readonly string[]): Promise<void> {
  await Promise.all(names.map(async name => modules.set(name, await load(scope, name))));
}

/** A package that was loaded; bundled modules get here by their plain `import`. */
export function shared(name: string): unknown {
  if (!modules.has(name)) {
    throw new Error(`${name} was asked for before it was loaded from JupyterLab`);
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
