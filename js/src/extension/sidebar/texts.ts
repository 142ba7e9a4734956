/** What the sidebar says where it has no panel to show, and above a panel that needs a word. */
import { version } from '../../../package.json';
import type { Copilot } from '../link/copilot';
import { words } from '../words';

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

function start(): Action {
  return { label: words.actions.start, act: 'start' };
}

function restart(): Action {
  return { label: words.actions.restart, act: 'restart' };
}

function choose(): Action {
  return { label: words.actions.choose, act: 'choose kernel' };
}

function welcome(): PlaceholderContent {
  const { welcome: title, welcomeText: text, welcomeDetail: detail } = words.places;
  return { title, text, detail, action: start() };
}

/** Null where the panel is to be seen. `hasFailed`: its renderer did not show it. */
export function placeholderFor(copilot: Copilot | null, hasFailed: boolean): PlaceholderContent | null {
  if (!copilot) {
    return { text: words.places.noNotebook };
  }
  switch (copilot.stage) {
    case 'kernel starts':
      return waiting(words.places.kernelStarts);
    case 'kernel unheard':
      return waiting(words.places.kernelUnheard);
    case 'no kernel':
      return copilot.hadCopilot
        ? { text: words.places.kernelStopped, action: restart() }
        : { text: words.places.noKernel, action: choose() };
    case 'other language':
      return { text: words.places.otherLanguage({ language: copilot.language ?? '' }), action: choose() };
    case 'shared':
      return { text: words.places.shared, detail: words.places.sharedDetail };
    case 'connecting':
      return waiting(words.places.connecting);
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
    return waiting(copilot.isKernelBusy ? words.places.kernelBusy : words.start.starting);
  }
  if (copilot.failure) {
    const { message: text, remedy } = copilot.failure;
    const help = remedy ? { detail: words.places.runThenStart, line: remedy } : {};
    return { title: words.places.notStarted, text, isError: true, ...help, action: start() };
  }
  return welcome();
}

function there({ missing, hello }: Copilot, hasFailed: boolean): PlaceholderContent | null {
  const needed = missing.filter(({ purpose }) => purpose === 'panel').map(({ pip }) => pip);
  const title = words.places.notShown;
  if (needed.length > 0) {
    return {
      title,
      text: words.places.missing({ names: needed.join(', ') }),
      isError: true,
      detail: words.places.missingDetail,
      line: `pip install ${needed.join(' ')}`,
    };
  }
  if (!hello?.model_id) {
    return { title, text: hello?.problem ?? words.places.noReason, isError: true };
  }
  return hasFailed
    ? {
        title: words.places.notLoaded,
        text: words.places.notLoadedText,
        isError: true,
        action: { label: words.actions.again, act: 'show again' },
      }
    : null;
}

/** Null where there is nothing to say. */
export function noticeFor(copilot: Copilot): Notice | null {
  if (copilot.starting) {
    return { text: words.start.starting };
  }
  if (copilot.failure) {
    return { text: words.notices.notStarted({ why: copilot.failure.message }), action: start() };
  }
  const { state, loss, message: text, hello } = copilot;
  if (state === 'silent' || (state === 'lost' && loss === 'disconnected')) {
    return { text };
  }
  return state === 'lost' ? { text, action: loss === 'dead' ? restart() : start() } : mismatch(hello?.version ?? version);
}

/** Which of the two sides is behind. */
function mismatch(kernel: string): Notice | null {
  const order = compare(numbers(kernel), numbers(version));
  if (order === 0) {
    return null;
  }
  return { text: (order < 0 ? words.notices.kernelBehind : words.notices.pageBehind)({ kernel, page: version }) };
}

function numbers(text: string): readonly number[] {
  return text.split('.').slice(0, 3).map(part => parseInt(part, 10) || 0);
}

function compare(left: readonly number[], right: readonly number[]): number {
  const differences = left.map((each, index) => each - (right[index] ?? 0));
  return differences.find(difference => difference !== 0) ?? 0;
}
