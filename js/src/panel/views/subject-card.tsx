import type { VNode } from 'preact';

import type { SubjectBlock } from '../../shared/wire';
import { words } from '../words';
import { Picture } from './picture';

/** The result that a question is about, with the figures of its experiment. */
export function Subject({ subject }: { subject: SubjectBlock }): VNode {
  return (
    <div class="qd-card" data-kind="subject">
      <p>
        <b>{subject.title}</b>
      </p>
      <p class="qd-quiet">{subject.details}</p>
      {subject.figures.map(({ title, mime, data, left_out }) =>
        data ? (
          <Picture key={title} mime={mime} data={data} alt={title} />
        ) : (
          <p key={title} class="qd-quiet">
            {title}: {left_out || words.subject.figureGone}
          </p>
        ),
      )}
    </div>
  );
}
