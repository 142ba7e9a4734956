/**
 * The container that JupyterLab asks for a prebuilt extension: `init` hands over the share scope, `get` the modules.
 *
 * webpack and rspack would write the same from their module federation plugin; these few lines need neither.
 */
import { loadShared, type ShareScope } from './shared-packages';

/** Put in by build.mjs. */
declare const EXTENSION_NAME: string;
declare const SHARED_NAMES: readonly string[];

let scope: ShareScope = {};

const container: FederatedContainer = {
  init(given) {
    scope = given;
  },
  async get(module) {
    if (module !== './extension') {
      throw new Error(`${EXTENSION_NAME} has no module ${module}`);
    }
    await loadShared(scope, SHARED_NAMES);
    // Imported only now: the modules read JupyterLab's packages as soon as they run.
    const { default: plugins } = await import('../index');
    // The mark tells JupyterLab to look for the plugins under `default`.
    return () => ({ __esModule: true, default: plugins });
  },
};

(window._JUPYTERLAB ??= {})[EXTENSION_NAME] = container;
