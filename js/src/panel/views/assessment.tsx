import type { VNode } from 'preact';

import { ASSESSMENTS } from './icons';

const NAMES = { good: 'Good', warning: 'Warning', bad: 'Bad', unknown: 'Unknown' } as const;

/** An assessment by outline, word and colour, in this order of trust. One of a newer kernel is unknown. */
export function AssessmentChip({ assessment, words = '' }: { assessment: string; words?: string }): VNode {
  const known = assessment in NAMES ? (assessment as keyof typeof NAMES) : 'unknown';
  const Icon = ASSESSMENTS[known];
  return (
    <span class="qd-assessment" data-assessment={assessment}>
      <Icon />
      {words || NAMES[known]}
    </span>
  );
}
