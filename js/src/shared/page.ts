/** What the extension and the panels of its page tell each other: the DOM events of docs/protocol.md. */

import type { ChosenCell } from './wire';
import type { Language } from './words/language';

/** What the panel is called, and the sidebar around it. */
export const NAME = 'QDash Copilot';

export const PLOTLY_MIME = 'application/vnd.plotly.v1+json';

export type MimeBundle = Readonly<Record<string, unknown>>;

/** A bundle to be drawn in a node, or in a tab of that title. */
export interface Rendering {
  readonly node: HTMLElement;
  readonly data: MimeBundle;
  readonly title?: string;
  /** Set by the extension. */
  done?: Promise<void>;
}

/** Code that stands in a node, to be coloured as the host's editors colour that language. */
export interface Highlighting {
  readonly node: HTMLElement;
  readonly code: string;
  readonly language: string;
}

/** Code for a cell of the user's own. */
export interface Insertion {
  readonly code: string;
  /** A turn, or what the code of its cells names: below these it goes; else below the current cell. */
  readonly about?: string | null;
  /** It is executed at once. */
  readonly run?: boolean;
  /** Set by the extension. */
  cell_id?: string;
}

/** A cell to be shown to the reader. */
export interface Revealing {
  readonly cell_id: string;
}

/** A code cell of the notebook, by its place and its first line. */
export interface CellName {
  readonly cell_id: string;
  readonly label: string;
  readonly first: string;
}

export interface CellNames {
  /** Set by the extension. */
  cells?: readonly CellName[];
}

/** A cell that the next question is to be about. */
export interface WantedCell {
  readonly cell_id: string;
  /** Set by the extension. */
  cell?: ChosenCell;
}

/** What a key asks the panel for, wherever the focus is. */
export type Pressed = 'stop' | 'approve';

/** What the extension knows of the notebook that the panel belongs to. */
export interface Link {
  readonly notebook: string | null;
  readonly kernel: string | null;
  readonly state: 'live' | 'busy' | 'silent' | 'lost' | 'connecting';
  readonly message: string | null;
  readonly missing: readonly string[];
  /** In which the panel is to speak; an older extension does not say. */
  readonly language?: Language;
  /** Commands arrive when the cell that runs has ended. */
  readonly waits_for_cell: boolean;
}
