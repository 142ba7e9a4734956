import type { VNode } from 'preact';

import type { Assessment } from '../wire';
import { ASSESSMENTS } from './icons';

const WORDS = { good: 'Good', warning: 'Warning', bad: 'Bad', unknown: 'Unknown' } as const;

/** An assessment by outline, word and colour, in this order of trust. */
export function AssessmentChip({ assessment }: { assessment: Assessment | 'unknown' }): VNode {
  const Icon = ASSESSMENTS[assessment] ?? ASSESSMENTS.unknown;
  return (
    <span class="qd-assessment" data-assessment={assessment}>
      <Icon />
      {WORDS[assessment] ?? WORDS.unknown}
    </span>
  );
}
