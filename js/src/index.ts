import type { JupyterFrontEndPlugin } from '@jupyterlab/application';

import { start } from './plugins/start';

/** Every plugin of the extension; JupyterLab activates each by itself. */
const plugins: JupyterFrontEndPlugin[] = [start];

export default plugins;
