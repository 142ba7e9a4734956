import type { RefObject, VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import { visible } from '../format';
import { words } from '../words';
import { CopyButton } from './buttons';
import { CellBelow, Cross } from './icons';
import { memo } from './memo';
import { usePanelContext } from './panel-context';
import { turnOf } from './run-button';
import { Scroller } from './scroller';

const MOST_LINES = 20;

/** Longer texts than any code of an answer stay in one colour. */
const MOST_COLOURED = 50_000;

/** What a cell of the notebook can be. */
const PYTHON = /^(?:i?python3?|py3?)$/i;

/** JupyterLab's editors give its lines no colours. */
const DIFF = /^(?:diff|patch)$/i;

interface CodeProps {
  readonly code: string;
  readonly language: string;
  /** Nothing more of it will come. */
  readonly settled: boolean;
}

/** A block of code, open: twenty lines at first, the rest on a click. */
export const Code = memo(({ code, language, settled }: CodeProps): VNode => {
  const { hasNotebook } = usePanelContext();
  // "python title=x": the rest is for other programs.
  const [name = ''] = language.split(/[\s,{]/);
  return (
    <div class="qd-code">
      <div class="qd-code-head">
        <span>{name || words.code.name}</span>
        {hasNotebook && settled && PYTHON.test(name) && <InsertButton code={code} />}
        <CopyButton label={words.code.copy} text={() => code} />
      </div>
      <Lines text={code} language={settled ? name : ''} />
    </div>
  );
});

/** Puts the code into the notebook, below the cells of its answer; from then on it leads there. */
function InsertButton({ code }: { readonly code: string }): VNode {
  const { host } = usePanelContext().store;
  const [cell, setCell] = useState<string | false | null>(null);
  if (cell) {
    return (
      <button type="button" class="qd-link" title={words.code.goToCell} onClick={() => host.reveal(cell)}>
        {words.step.inCell}
      </button>
    );
  }
  const label = cell === null ? words.code.insert : words.code.notInserted;
  return (
    <button
      type="button"
      class="qd-text-button"
      aria-label={label}
      title={cell === null ? words.code.insertTitle : label}
      onClick={({ currentTarget }) => setCell(host.insert(code, turnOf(currentTarget)) ?? false)}
    >
      {cell === null ? <CellBelow /> : <Cross />}
      <span class="qd-wide">{words.code.insert}</span>
    </button>
  );
}

function changedLine(line: string): HTMLElement {
  const span = document.createElement('span');
  span.dataset.change = { '+': 'added', '-': 'removed' }[line.charAt(0)] ?? 'none';
  span.textContent = line;
  return span;
}

/** For the element that shows the text, in the colours that the host has for its language, if it knows any. */
export function useColours(shown: string, language: string): RefObject<HTMLPreElement | null> {
  const { store, hosted } = usePanelContext();
  const node = useRef<HTMLPreElement>(null);
  // By hand: what the host makes of the text is not for the next drawing to compare.
  useLayoutEffect(() => node.current?.replaceChildren(shown), [shown]);
  useEffect(() => {
    if (DIFF.test(language)) {
      node.current?.replaceChildren(...shown.split(/(?<=\n)/).map(changedLine));
    } else if (hosted && language && shown.length <= MOST_COLOURED && node.current) {
      store.host.highlight(node.current, shown, language);
    }
  }, [hosted, language, shown]);
  return node;
}

interface LinesProps {
  readonly text: string;
  /** Whose colours the host gives it, if it knows any. */
  readonly language?: string;
  /** Long lines go on below instead of leaving the panel. */
  readonly wrap?: boolean;
}

export function Lines({ text, language = '', wrap = false }: LinesProps): VNode {
  const [open, setOpen] = useState(false);
  const lines = visible(text).split('\n');
  const shown = (open ? lines : lines.slice(0, MOST_LINES)).join('\n');
  const node = useColours(shown, language);
  const pre = <pre ref={node} class={wrap ? 'qd-wrap' : ''} />;
  return (
    <>
      {wrap ? pre : <Scroller>{pre}</Scroller>}
      {lines.length > MOST_LINES && (
        <button type="button" class="qd-text-button qd-more" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? words.code.firstLines({ n: MOST_LINES }) : words.code.allLines({ n: lines.length })}
        </button>
      )}
    </>
  );
}
