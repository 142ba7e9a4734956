/** What this page has, and what it lacks to show the panel. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import { PageConfig } from '@jupyterlab/coreutils';
import type { NotebookPanel } from '@jupyterlab/notebook';
import type { ISettings } from '@jupyterlab/settingregistry';

import { PLOTLY_MIME } from '../../shared/page';
import type { JsonObject } from '../../shared/wire';

export const WIDGET_VIEW = 'application/vnd.jupyter.widget-view+json';

/** The plugin whose schema they have: js/schema. */
export const SETTINGS = 'qdash-jupyter:copilots';

export interface FrontEndPackage {
  /** Its name among the extensions of JupyterLab, and on the wire. */
  readonly name: string;
  /** What pip calls the package that brings it. */
  readonly pip: string;
  readonly purpose: 'panel' | 'charts';
}

/** Installed in the environment of the Jupyter server, which may be another than the kernel's. */
const PACKAGES: readonly FrontEndPackage[] = [
  { name: '@jupyter-widgets/jupyterlab-manager', pip: 'jupyterlab_widgets', purpose: 'panel' },
  { name: 'anywidget', pip: 'anywidget', purpose: 'panel' },
  { name: 'jupyterlab-plotly', pip: 'plotly', purpose: 'charts' },
];

export class FrontEnd {
  /** What the user has set in JupyterLab's settings, as in copilot.yaml. */
  readonly settings: Promise<JsonObject>;

  constructor(
    private readonly app: JupyterFrontEnd,
    settings: Promise<ISettings | null>,
  ) {
    this.settings = settings.then(found => (found?.user ?? {}) as JsonObject);
  }

  /** The packages that are not there, or switched off, as the notebook's own renderers tell. */
  missing(panel: NotebookPanel): readonly FrontEndPackage[] {
    const { mimeTypes } = panel.content.rendermime;
    const isThere: Readonly<Record<string, boolean>> = {
      '@jupyter-widgets/jupyterlab-manager': mimeTypes.includes(WIDGET_VIEW),
      anywidget: this.app.hasPlugin('anywidget:plugin') || isAnywidgetListed(),
      'jupyterlab-plotly': mimeTypes.includes(PLOTLY_MIME),
    };
    return PACKAGES.filter(({ name }) => !isThere[name]);
  }
}

/** Whether the page is Notebook 7. */
export function isNotebook(app: JupyterFrontEnd): boolean {
  return app.name.includes('Notebook');
}

/** Whether the page lists anywidget among its extensions, and does not switch it off. */
function isAnywidgetListed(): boolean {
  const listed = JSON.parse(PageConfig.getOption('federated_extensions') || '[]') as readonly { readonly name: string }[];
  return listed.some(({ name }) => name === 'anywidget') && !PageConfig.Extension.isDisabled('anywidget:plugin');
}
