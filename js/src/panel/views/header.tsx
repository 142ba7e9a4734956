import type { VNode } from 'preact';

import { copy } from '../../shared/clipboard';
import type { Link } from '../../shared/page';
import { transcript } from '../transcript';
import { fileName, number } from '../format';
import { words } from '../words';
import { Bound } from './bound';
import { isRunning } from '../state';
import { IconButton } from './buttons';
import { usePanelStore } from './panel-context';
import { Clock, Plus, Table } from './icons';
import { Menu } from './menu';

interface HeaderProps {
  /** Whether the data stand where the conversation stood. */
  readonly showsData: boolean;
  readonly toggleData: () => void;
  /** Whether the conversations stand there. */
  readonly showsKept: boolean;
  readonly toggleKept: () => void;
  readonly announce: (text: string) => void;
}

function Dot({ state }: { state: Link['state'] }): VNode {
  return <span class="qd-dot" data-state={state} role="img" aria-label={words.kernel[state]} title={words.kernel[state]} />;
}

/** What the panel is bound to, and what concerns the whole conversation. */
export function Header({ showsData, toggleData, showsKept, toggleKept, announce }: HeaderProps): VNode {
  const store = usePanelStore();
  const { link, state } = store.view;
  const frames = new Set(state.frames.map(({ key }) => key)).size;
  const begin = (): void => store.beginAnew();
  const copyAll = async (): Promise<void> => {
    announce((await copy(transcript(store.view.state))) ? words.header.transcriptCopied : words.buttons.notCopied);
  };
  const name = link?.notebook?.replace(/\.ipynb$/, '') ?? '';
  const save = (format: 'ipynb' | 'md'): void => store.saveConversation(fileName(name, format), format);
  return (
    <header class="qd-header">
      {link && <Dot state={link.state} />}
      <Bound />
      <button
        type="button"
        class="qd-text-button qd-data-button"
        aria-pressed={showsData}
        aria-label={words.header.dataCount({ n: frames })}
        title={words.header.dataTitle}
        onClick={toggleData}
      >
        <Table />
        <span class="qd-wide">{words.header.data}</span>{' '}
        <span class="qd-count">{number(frames)}</span>
      </button>
      <IconButton label={words.header.conversations} icon={Clock} pressed={showsKept} onClick={toggleKept} />
      <IconButton label={words.header.begin} icon={Plus} onClick={begin} />
      <Menu
        label={words.header.more}
        choices={[
          { label: words.header.copyTranscript, choose: () => void copyAll(), disabled: state.turns.length === 0 },
          { label: words.header.saveNotebook, choose: () => save('ipynb'), disabled: state.turns.every(isRunning) },
          { label: words.header.saveMarkdown, choose: () => save('md'), disabled: state.turns.every(isRunning) },
        ]}
      />
    </header>
  );
}
