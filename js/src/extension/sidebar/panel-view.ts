/** The panel of one notebook's copilot, drawn by the notebook's own renderer for widgets. */
import type { Renderer } from '@jupyterlab/rendermime';
import type { NotebookPanel } from '@jupyterlab/notebook';
import { PanelLayout, Widget } from '@lumino/widgets';

import { WIDGET_VIEW } from '../link/front-end';
import { element } from './element';

/** A page that loads waits for its widgets this long before it is told that something is wrong. */
const PATIENCE_MS = 20_000;

export class PanelView extends Widget {
  /** The panel that was asked for last. */
  modelId: string | null = null;
  hasFailed = false;

  private readonly content = new PanelLayout();
  private current: Renderer | null = null;
  private next: Renderer | null = null;
  private watch: MutationObserver | undefined;
  private patience: number | undefined;

  /** `changed` is called when a panel appears or fails to. */
  constructor(
    private readonly panel: NotebookPanel,
    private readonly changed: () => void,
  ) {
    super({ node: element('div', { class: 'qdash-view' }) });
    this.layout = this.content;
  }

  /** Whether there is something to read, be it the panel of a kernel that is gone. */
  get isFilled(): boolean {
    return this.current !== null;
  }

  /** The old panel stays until the new one is there. */
  async render(modelId: string): Promise<void> {
    this.modelId = modelId;
    this.hasFailed = false;
    this.next?.dispose();
    const { rendermime } = this.panel.content;
    if (!rendermime.mimeTypes.includes(WIDGET_VIEW)) {
      return;
    }
    const renderer = rendermime.createRenderer(WIDGET_VIEW);
    this.next = renderer;
    renderer.hide();
    this.content.addWidget(renderer);
    // The renderer writes words into its node until it has the widget; after a reload long after its promise.
    this.watch?.disconnect();
    this.watch = new MutationObserver(() => this.swap(renderer));
    this.watch.observe(renderer.node, { childList: true });
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.fail(renderer), PATIENCE_MS);
    const data = { [WIDGET_VIEW]: { model_id: modelId, version_major: 2, version_minor: 0 } };
    await renderer.renderModel(rendermime.createModel({ data, trusted: true }));
    if (renderer.node.classList.contains('jupyter-widgets')) {
      this.fail(renderer); // So it marks its own error message.
    }
  }

  override dispose(): void {
    this.watch?.disconnect();
    clearTimeout(this.patience);
    super.dispose();
  }

  private swap(renderer: Renderer): void {
    if (renderer !== this.next || renderer.isDisposed || !renderer.node.firstElementChild) {
      return;
    }
    this.settle();
    this.current?.dispose();
    this.current = renderer;
    renderer.show();
    this.changed();
  }

  private fail(renderer: Renderer): void {
    if (renderer === this.next) {
      this.settle();
      renderer.dispose();
      this.hasFailed = true;
      this.changed();
    }
  }

  private settle(): void {
    this.next = null;
    this.watch?.disconnect();
    clearTimeout(this.patience);
  }
}
