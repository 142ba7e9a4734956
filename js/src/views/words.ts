/** What the sidebar says where it has no panel to show, and above a panel that needs a word. */
import { version } from '../../package.json';
import type { Copilot } from '../link/copilot';

export type Act = 'start' | 'restart' | 'choose kernel' | 'show again';

export interface Action {
  readonly label: string;
  readonly act: Act;
}

/** In the panel's place. */
export interface Place {
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

const START: Action = { label: 'Start the copilot', act: 'start' };
const RESTART: Action = { label: 'Restart kernel', act: 'restart' };

const WELCOME: Place = {
  title: 'Ask about your superconducting qubits',
  text:
    '“Which of them lost T1 this month?” The copilot reads the calibration data, computes in cells of this notebook ' +
    'and answers with charts.',
  detail: "It runs in this notebook's kernel. Nothing is sent anywhere before you ask.",
  action: START,
};

/** Null where the panel is to be seen. `hasFailed`: its renderer did not show it. */
export function placeFor(copilot: Copilot | null, hasFailed: boolean): Place | null {
  if (!copilot) {
    return { text: 'Open a notebook to ask the copilot about your qubits: it works beside it.' };
  }
  switch (copilot.stage) {
    case 'kernel starts':
      return { text: 'The kernel is starting…', isWaiting: true };
    case 'kernel unheard':
      return {
        text: 'Waiting for the kernel…',
        isWaiting: true,
        detail: 'If it is running a cell, the copilot appears when the cell has ended.',
      };
    case 'no kernel':
      return copilot.hadCopilot
        ? { text: 'The kernel has stopped.', action: RESTART }
        : {
            text: 'This notebook has no kernel. The copilot needs one that runs Python.',
            action: { label: 'Choose a kernel', act: 'choose kernel' },
          };
    case 'other language':
      return {
        text: `The copilot needs a Python kernel; this one runs ${copilot.languageName}.`,
        action: { label: 'Choose a kernel', act: 'choose kernel' },
      };
    case 'shared':
      return {
        text: 'Another open notebook uses the same kernel, and the copilot is at work there.',
        detail: 'Close that notebook and reload the page to have it here.',
      };
    case 'connecting':
      return copilot.isKernelBusy
        ? { text: 'The kernel is running a cell. The copilot appears when it can answer.', isWaiting: true }
        : { text: 'Connecting to the copilot…', isWaiting: true };
    case 'absent':
      return absent(copilot);
    case 'there':
      return there(copilot, hasFailed);
  }
}

function absent(copilot: Copilot): Place {
  if (copilot.starting) {
    const text = copilot.isKernelBusy
      ? 'The kernel is running a cell; the copilot starts after it.'
      : 'Starting the copilot…';
    return { text, isWaiting: true };
  }
  if (copilot.failure) {
    const { message, remedy } = copilot.failure;
    return {
      title: 'The copilot did not start',
      text: message,
      isError: true,
      ...(remedy !== null && { detail: 'Run this line in a cell, then start again:', line: remedy }),
      action: START,
    };
  }
  return copilot.hadCopilot && copilot.loss === 'dead' ? { text: 'The kernel has stopped.', action: RESTART } : WELCOME;
}

function there(copilot: Copilot, hasFailed: boolean): Place | null {
  const missing = copilot.missing.filter(({ purpose }) => purpose === 'panel');
  if (missing.length > 0) {
    return {
      title: 'The copilot runs, but this page cannot show its panel',
      text: `${names(missing.map(({ pip }) => pip))} missing in the environment of the Jupyter server.`,
      isError: true,
      detail: "Run this there (not in the kernel's environment, if that is another), then reload the page:",
      line: `pip install ${missing.map(({ pip }) => pip).join(' ')}`,
    };
  }
  if (!copilot.hello?.model_id) {
    return {
      title: 'The copilot runs, but its panel cannot be shown',
      text: copilot.hello?.problem ?? 'The kernel gives no reason.',
      isError: true,
    };
  }
  return hasFailed
    ? {
        text: 'The panel did not load.',
        isError: true,
        detail: 'Show it again; if that does not help, save the notebook and reload the page.',
        action: { label: 'Show the panel', act: 'show again' },
      }
    : null;
}

function names(all: readonly string[]): string {
  return all.length === 1 ? `${all[0]} is` : `${all.slice(0, -1).join(', ')} and ${all.slice(-1)[0]} are`;
}

/** Null where there is nothing to say. */
export function noticeFor(copilot: Copilot): Notice | null {
  if (copilot.starting) {
    return { text: 'Starting the copilot…' };
  }
  if (copilot.failure) {
    return { text: `The copilot did not start. ${copilot.failure.message}`, action: START };
  }
  switch (copilot.state) {
    case 'lost':
      if (copilot.loss === 'disconnected') {
        return { text: copilot.message };
      }
      return { text: copilot.message, action: copilot.loss === 'dead' ? RESTART : START };
    case 'silent':
      return { text: copilot.message };
    default:
      return mismatch(copilot.hello?.version ?? version);
  }
}

/** Which of the two sides is behind. */
function mismatch(kernel: string): Notice | null {
  const order = compare(numbers(kernel), numbers(version));
  if (order === 0) {
    return null;
  }
  const where = order < 0 ? "the kernel's environment, then restart the kernel" : "the Jupyter server's environment, then reload the page";
  return { text: `qdash_jupyter is ${kernel} in the kernel, ${version} in JupyterLab. Update it in ${where}.` };
}

function numbers(text: string): readonly number[] {
  return text.split('.').slice(0, 3).map(part => parseInt(part, 10) || 0);
}

function compare(left: readonly number[], right: readonly number[]): number {
  const differences = left.map((each, index) => each - (right[index] ?? 0));
  return differences.find(difference => difference !== 0) ?? 0;
}
