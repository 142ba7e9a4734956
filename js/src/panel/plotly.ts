/** Charts where no extension draws them: by the Plotly that the kernel has, asked for once in a page. */
import type { Drawing } from '../shared/answer/figure';

interface Plotly {
  newPlot(node: HTMLElement, data: unknown, layout: unknown, config: unknown): Promise<unknown>;
  purge(node: HTMLElement): void;
}

/** Neither the page nor the kernel has what draws charts. */
export class NoRenderer extends Error {}

/** Gives the script, gzipped and as base64. Rejects with `NoRenderer`. */
export type AskForScript = () => Promise<string>;

declare global {
  interface Window {
    qdashPlotly?: Plotly;
  }
}

/** Where Plotly puts its rules: in the head, which a shadow root does not see. */
const RULES = 'plotly.js-style-global';

let loading: Promise<Plotly> | null = null;

/** Draws the chart in the node. Rejects where there is no Plotly to be had. */
export async function draw(node: HTMLElement, plan: Drawing, ask: AskForScript): Promise<void> {
  loading ??= load(ask);
  const plotly = await loading.catch((reason: unknown) => {
    loading = null;
    throw reason;
  });
  styleShadow(node);
  await plotly.newPlot(node, structuredClone(plan.data), structuredClone(plan.layout), plan.config);
}

export function purge(node: HTMLElement): void {
  window.qdashPlotly?.purge(node);
}

async function load(ask: AskForScript): Promise<Plotly> {
  const zipped = Uint8Array.from(atob(await ask()), each => each.charCodeAt(0));
  const stream = new Blob([zipped]).stream().pipeThrough(new DecompressionStream('gzip'));
  const script = document.createElement('script');
  // As a module of its own: a loader of the page would take it for one of its modules.
  const head = '(() => { const module = { exports: {} }, exports = module.exports; let define;\n';
  script.textContent = `${head}${await new Response(stream).text()}\nwindow.qdashPlotly = module.exports; })();`;
  document.head.append(script);
  script.remove();
  if (!window.qdashPlotly) {
    throw new NoRenderer(); // by its policy, the page does not let the script run
  }
  return window.qdashPlotly;
}

function styleShadow(node: HTMLElement): void {
  const root = node.getRootNode();
  const style = document.getElementById(RULES);
  if (root instanceof ShadowRoot && style instanceof HTMLStyleElement && !root.getElementById(RULES)) {
    const copy = document.createElement('style');
    copy.id = RULES;
    copy.textContent = [...(style.sheet?.cssRules ?? [])].map(rule => rule.cssText).join('\n');
    root.append(copy);
  }
}
