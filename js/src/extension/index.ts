import type { JupyterFrontEndPlugin } from '@jupyterlab/application';

import { about } from './plugins/ask-about-cell';
import { autostart } from './plugins/autostart';
import { cells } from './plugins/cells';
import { copilots } from './plugins/copilots';
import { fix } from './plugins/fix-cell';
import { shortcuts } from './plugins/shortcuts';
import { sidebar } from './plugins/sidebar';
import { start } from './plugins/start';

/** Every plugin of the extension; JupyterLab activates each by itself. */
const plugins: JupyterFrontEndPlugin<unknown>[] = [copilots, cells, sidebar, start, autostart, about, fix, shortcuts];

export default plugins;
