/** Where a chart is drawn: as long as it is in sight or near it, and again when its room or the theme changes. */
import type { Figure } from '../shared/wire';
import { drawing, type ChartTheme } from '../shared/answer/figure';
import type { Host } from './host';
import { NoRenderer } from './plotly';

/** A drag of the panel's edge is many sizes, of which the last counts. */
const SETTLED_MS = 150;

/** Charts are ready a little before they are scrolled into sight. */
const NEAR = '300px 0px';

/** Farther away they are given back, and leave their room. */
const FAR = '2000px 0px';

export type Undrawn = 'unhosted' | 'foreign' | 'failed';

export class Canvas {
  private readonly sizes = new ResizeObserver(() => this.resized());
  private readonly sight: IntersectionObserver;
  private readonly reach: IntersectionObserver;
  private drawn: HTMLElement | null = null;
  private drawnWidth = 0;
  private inSight = false;
  private stale = true;
  private painting = 0;
  private settling: number | undefined;

  constructor(
    private readonly place: HTMLElement,
    private readonly host: Host,
    private readonly figure: Figure,
    private readonly undrawn: (why: Undrawn) => void,
  ) {
    const root = place.closest('.qd-transcript');
    this.sight = new IntersectionObserver(entries => this.seen(entries), { root, rootMargin: NEAR });
    this.reach = new IntersectionObserver(entries => this.left(entries), { root, rootMargin: FAR });
    this.sight.observe(place);
    // The turn, for of what is in one out of sight nothing is told.
    this.reach.observe(place.closest('.qd-turn') ?? place);
    this.sizes.observe(place);
  }

  /** Draws it again, now or when it is next in sight. */
  repaint(): void {
    this.stale = true;
    if (this.inSight) {
      void this.paint();
    }
  }

  close(): void {
    this.sight.disconnect();
    this.reach.disconnect();
    this.sizes.disconnect();
    clearTimeout(this.settling);
    this.release();
  }

  private release(): void {
    this.painting += 1;
    this.discard(this.drawn);
    this.drawn = null;
  }

  private seen(entries: readonly IntersectionObserverEntry[]): void {
    this.inSight = entries[entries.length - 1]?.isIntersecting ?? this.inSight;
    if (this.inSight && this.stale) {
      void this.paint();
    }
  }

  /** Where the whole panel is hidden, nothing has moved away. */
  private left(entries: readonly IntersectionObserverEntry[]): void {
    const last = entries[entries.length - 1];
    if (last && !last.isIntersecting && last.rootBounds?.height && this.drawn) {
      this.release();
      this.stale = true;
    }
  }

  private resized(): void {
    const width = this.place.clientWidth;
    if (width === 0 || width === this.drawnWidth) {
      return;
    }
    if (this.drawnWidth === 0) {
      this.seen([]);
      return;
    }
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.repaint(), SETTLED_MS);
  }

  /** The new drawing takes the old one's place when it is complete, so that nothing flickers. */
  private async paint(): Promise<void> {
    const width = this.place.clientWidth;
    if (width === 0) {
      return;
    }
    const plan = drawing(this.figure, chartThemeOf(this.place), width);
    if (!plan) {
      this.undrawn('foreign');
      return;
    }
    this.stale = false;
    this.drawnWidth = width;
    this.painting += 1;
    const number = this.painting;
    const node = document.createElement('div');
    node.className = 'qd-drawing';
    this.place.style.maxHeight = 'none';
    this.place.style.height = node.style.height = `${Number(plan.layout.height)}px`;
    this.place.append(node);
    try {
      await this.host.render(node, plan);
    } catch (error) {
      const isUnhosted = error instanceof NoRenderer;
      if (!isUnhosted) {
        console.error('A chart of the copilot could not be drawn.', error);
      }
      this.discard(node);
      if (number === this.painting) {
        this.undrawn(isUnhosted ? 'unhosted' : 'failed');
      }
      return;
    }
    if (number === this.painting) {
      this.discard(this.drawn);
      this.drawn = node;
      node.classList.add('qd-drawn');
    } else {
      this.discard(node);
    }
  }

  private discard(node: HTMLElement | null): void {
    if (node) {
      this.host.unrender(node);
      node.remove();
    }
  }
}

/** The notebook's colours and font, where the chart stands. */
export function chartThemeOf(place: HTMLElement): ChartTheme {
  const style = getComputedStyle(place);
  return {
    text: style.color,
    grid: style.getPropertyValue('--qd-grid').trim(),
    font: style.fontFamily,
    dark: place.closest<HTMLElement>('.qdash-panel')?.dataset.theme === 'dark',
  };
}
