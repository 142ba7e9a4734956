/** What this page has, and what it lacks to show the panel. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { NotebookPanel } from '@jupyterlab/notebook';

export const WIDGET_VIEW = 'application/vnd.jupyter.widget-view+json';
const PLOTLY = 'application/vnd.plotly.v1+json';

export interface FrontEndPackage {
  /** Its name among the extensions of JupyterLab, and on the wire. */
  readonly name: string;
  /** What pip calls the package that brings it. */
  readonly pip: string;
  readonly purpose: 'panel' | 'charts';
}

/** Installed in the environment of the Jupyter server, which may be another than the kernel's. */
export const PACKAGES: readonly FrontEndPackage[] = [
  { name: '@jupyter-widgets/jupyterlab-manager', pip: 'jupyterlab_widgets', purpose: 'panel' },
  { name: 'anywidget', pip: 'anywidget', purpose: 'panel' },
  { name: 'jupyterlab-plotly', pip: 'plotly', purpose: 'charts' },
];

export class FrontEnd {
  constructor(private readonly app: JupyterFrontEnd) {}

  get kind(): 'lab' | 'notebook' {
    return this.app.name.includes('Notebook') ? 'notebook' : 'lab';
  }

  /** The packages that are not there, or switched off, as the notebook's own renderers tell. */
  missing(panel: NotebookPanel): readonly FrontEndPackage[] {
    const { mimeTypes } = panel.content.rendermime;
    const isThere: Readonly<Record<string, boolean>> = {
      '@jupyter-widgets/jupyterlab-manager': mimeTypes.includes(WIDGET_VIEW),
      anywidget: this.app.hasPlugin('anywidget:plugin') || isEnabledExtension('anywidget'),
      'jupyterlab-plotly': mimeTypes.includes(PLOTLY),
    };
    return PACKAGES.filter(({ name }) => !isThere[name]);
  }
}

interface PageConfig {
  readonly federated_extensions?: readonly { readonly name: string }[];
  readonly disabledExtensions?: readonly string[];
  readonly [option: string]: unknown;
}

/** What the server has written into the page: labconfig/page_config.json is part of it. */
function pageConfig(): PageConfig {
  return JSON.parse(document.getElementById('jupyter-config-data')?.textContent ?? '{}') as PageConfig;
}

/** An option of the page's configuration. */
export function pageOption(name: string): unknown {
  return pageConfig()[name];
}

/** Whether the page's own configuration lists the extension. */
function isEnabledExtension(name: string): boolean {
  const config = pageConfig();
  const isOff = config.disabledExtensions?.some(each => each === name || each.startsWith(`${name}:`));
  return !isOff && (config.federated_extensions?.some(each => each.name === name) ?? false);
}
