/** MIME bundles in nodes of a panel, drawn by the renderers of its notebook. */
import type { Renderer, RenderMimeRegistry } from '@jupyterlab/rendermime';
import { Widget } from '@lumino/widgets';

import { PLOTLY_MIME, type MimeBundle } from '../../shared/page';

/**
 * What a panel may have drawn, best first. Text is not among it: a panel shows that by itself, where nothing of it is
 * executed or fetched.
 */
const ALLOWED = [PLOTLY_MIME, 'image/png', 'image/jpeg', 'text/plain'];

/** A renderer with the bundle in it, not yet attached. Rejects where nothing here can draw it. */
export async function rendered(registry: RenderMimeRegistry, data: MimeBundle): Promise<Renderer> {
  const mime = ALLOWED.find(each => each in data && registry.mimeTypes.includes(each));
  if (!mime) {
    throw new Error(`This page does not draw ${Object.keys(data).join(', ')}.`);
  }
  const renderer = registry.createRenderer(mime);
  try {
    // A copy: renderers write into what they draw.
    const content = { [mime]: structuredClone(data[mime]) };
    await renderer.renderModel(registry.createModel({ data: content, trusted: false }));
  } catch (reason) {
    renderer.dispose();
    throw reason;
  }
  return renderer;
}

/** What stands in the nodes of panels. */
export class Drawings {
  private readonly drawn = new Map<HTMLElement, { readonly renderer: Renderer; readonly size: ResizeObserver }>();
  /** The newest request for a node: an older one that is still being drawn is out of date. */
  private readonly asked = new Map<HTMLElement, object>();

  async draw(node: HTMLElement, registry: RenderMimeRegistry, data: MimeBundle): Promise<void> {
    const request = {};
    this.asked.set(node, request);
    const renderer = await rendered(registry, data);
    if (this.asked.get(node) !== request || !node.isConnected) {
      renderer.dispose();
      return;
    }
    this.remove(node);
    // As a widget, so that it hears of being attached and of its size.
    Widget.attach(renderer, node);
    const size = new ResizeObserver(() => {
      // Hidden with its notebook it has no size; Plotly would complain.
      if (renderer.isAttached && node.offsetParent !== null) {
        renderer.processMessage(Widget.ResizeMessage.UnknownSize);
      }
    });
    size.observe(node);
    this.drawn.set(node, { renderer, size });
  }

  remove(node: HTMLElement): void {
    this.asked.delete(node);
    const { renderer, size } = this.drawn.get(node) ?? {};
    size?.disconnect();
    if (renderer?.isAttached && !renderer.node.isConnected) {
      document.body.append(renderer.node); // its place is gone already, and Lumino lets go only of what is in the page
    }
    renderer?.dispose();
    this.drawn.delete(node);
  }

  /** Removes all that stands in a node. */
  removeWithin(host: HTMLElement): void {
    [...this.drawn.keys()].filter(node => host.contains(node)).forEach(node => this.remove(node));
  }
}
