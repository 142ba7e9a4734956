import type { VNode } from 'preact';

import type { Frame } from '../../shared/wire';
import { fetched, handle, shape } from '../format';
import { CopyButton } from './buttons';
import { useSeconds } from './panel-context';

/** The results that are in the kernel, under the names that Python knows. */
export function Frames({ frames }: { frames: readonly Frame[] }): VNode {
  if (frames.length === 0) {
    return (
      <p class="qd-empty">Nothing was fetched yet. What the copilot reads stands here, and in Python as data["…"].</p>
    );
  }
  return (
    <ul class="qd-frames">
      {frames.map(frame => (
        <Item key={frame.key} frame={frame} />
      ))}
    </ul>
  );
}

function Item({ frame }: { frame: Frame }): VNode {
  const seconds = useSeconds(frame.fetched_at, true);
  const name = frame.name || handle(frame.key);
  const units = Object.entries(frame.units).filter(([, unit]) => unit);
  return (
    <li data-gone={frame.gone}>
      <div class="qd-frame-head">
        <code title={name}>{name}</code>
        {frame.gone && <span class="qd-quiet">gone</span>}
        <CopyButton label={`Copy name ${name}`} text={() => name} />
      </div>
      <p>{shape(frame)}</p>
      {units.length > 0 && <p class="qd-quiet">{units.map(([column, unit]) => `${column} in ${unit}`).join(', ')}</p>}
      <p class="qd-quiet">
        {[frame.source, fetched(frame.fetched_at, seconds)].filter(Boolean).join(' · ')}
        {frame.gone && ' · fetch it again from its step'}
      </p>
    </li>
  );
}
