/** What the sidebar says where it has no panel to show, and above a panel that needs a word. */
import { version } from '../../../package.json';
import type { Copilot } from '../link/copilot';

export type Act = 'start' | 'restart' | 'choose kernel' | 'show again';

export interface Action {
  readonly label: string;
  readonly act: Act;
}

/** In the panel's place. */
export interface PlaceholderContent {
  readonly title?: string;
  readonly text: string;
  /** Something to do or to know, below the text. */
  readonly detail?: string;
  readonly isWaiting?: boolean;
  readonly isError?: boolean;
  /** A line to copy. */
  readonly line?: string;
  readonly action?: Action;
}

/** In the strip above a panel. */
export interface Notice {
  readonly text: string;
  readonly action?: Action;
}

const STARTING = 'Starting the copilot…';

const START: Action = { label: 'Start the copilot', act: 'start' };
const RESTART: Action = { label: 'Restart kernel', act: 'restart' };
const CHOOSE: Action = { label: 'Choose a kernel', act: 'choose kernel' };

const WELCOME: PlaceholderContent = {
  title: 'Ask about your superconducting qubits',
  text:
    '“Which of them lost T1 this month?” The copilot reads the calibration data, computes in cells of this notebook ' +
    'and answers with charts.',
  detail: "It runs in this notebook's kernel. Nothing is sent anywhere before you ask.",
  action: START,
};

/** Null where the panel is to be seen. `hasFailed`: its renderer did not show it. */
export function placeholderFor(copilot: Copilot | null, hasFailed: boolean): PlaceholderContent | null {
  if (!copilot) {
    return { text: 'Open a notebook to ask the copilot about your qubits: it works beside it.' };
  }
  switch (copilot.stage) {
    case 'kernel starts':
      return waiting('The kernel is starting…');
    case 'kernel unheard':
      return waiting('Waiting for the kernel. If it is running a cell, the copilot appears after it.');
    case 'no kernel':
      return copilot.hadCopilot
        ? { text: 'The kernel has stopped.', action: RESTART }
        : { text: 'This notebook has no kernel. The copilot needs one that runs Python.', action: CHOOSE };
    case 'other language':
      return { text: `The copilot needs a Python kernel; this one runs ${copilot.language}.`, action: CHOOSE };
    case 'shared':
      return {
        text: 'Another open notebook uses the same kernel, and the copilot is at work there.',
        detail: 'Close that notebook and reload the page to have it here.',
      };
    case 'connecting':
      return waiting('Connecting to the copilot…');
    case 'absent':
      return absent(copilot);
    case 'there':
      return there(copilot, hasFailed);
  }
}

export function waiting(text: string): PlaceholderContent {
  return { text, isWaiting: true };
}

function absent(copilot: Copilot): PlaceholderContent {
  if (copilot.starting) {
    const isBusy = copilot.isKernelBusy;
    return waiting(isBusy ? 'The kernel is running a cell; the copilot starts after it.' : STARTING);
  }
  if (copilot.failure) {
    const { message: text, remedy } = copilot.failure;
    const help = remedy ? { detail: 'Run this line in a cell, then start again:', line: remedy } : {};
    return { title: 'The copilot did not start', text, isError: true, ...help, action: START };
  }
  return WELCOME;
}

function there({ missing, hello }: Copilot, hasFailed: boolean): PlaceholderContent | null {
  const needed = missing.filter(({ purpose }) => purpose === 'panel').map(({ pip }) => pip);
  const title = 'The copilot runs, but its panel cannot be shown';
  if (needed.length > 0) {
    return {
      title,
      text: `Missing in the environment of the Jupyter server: ${needed.join(', ')}.`,
      isError: true,
      detail: "Run this there (not in the kernel's environment, if that is another), then reload the page:",
      line: `pip install ${needed.join(' ')}`,
    };
  }
  if (!hello?.model_id) {
    return { title, text: hello?.problem ?? 'The kernel gives no reason.', isError: true };
  }
  return hasFailed
    ? {
        title: 'The panel did not load',
        text: 'Try again; if that does not help, save the notebook and reload the page.',
        isError: true,
        action: { label: 'Try again', act: 'show again' },
      }
    : null;
}

/** Null where there is nothing to say. */
export function noticeFor(copilot: Copilot): Notice | null {
  if (copilot.starting) {
    return { text: STARTING };
  }
  if (copilot.failure) {
    return { text: `The copilot did not start. ${copilot.failure.message}`, action: START };
  }
  const { state, loss, message: text, hello } = copilot;
  if (state === 'silent' || (state === 'lost' && loss === 'disconnected')) {
    return { text };
  }
  return state === 'lost' ? { text, action: loss === 'dead' ? RESTART : START } : mismatch(hello?.version ?? version);
}

/** Which of the two sides is behind. */
function mismatch(kernel: string): Notice | null {
  const order = compare(numbers(kernel), numbers(version));
  if (order === 0) {
    return null;
  }
  const where =
    order < 0
      ? "the kernel's environment, then restart the kernel"
      : "the Jupyter server's environment, then reload the page";
  return { text: `qdash_jupyter is ${kernel} in the kernel, ${version} in JupyterLab. Update it in ${where}.` };
}

function numbers(text: string): readonly number[] {
  return text.split('.').slice(0, 3).map(part => parseInt(part, 10) || 0);
}

function compare(left: readonly number[], right: readonly number[]): number {
  const differences = left.map((each, index) => each - (right[index] ?? 0));
  return differences.find(difference => difference !== 0) ?? 0;
}
