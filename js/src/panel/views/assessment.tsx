import type { VNode } from 'preact';

import { words } from '../words';
import { ASSESSMENTS } from './icons';

interface AssessmentChipProps {
  readonly assessment: string;
  /** In place of its usual word. */
  readonly written?: string;
}

/** An assessment by outline, word and colour, in this order of trust. One of a newer kernel is unknown. */
export function AssessmentChip({ assessment, written = '' }: AssessmentChipProps): VNode {
  const known = assessment in words.assessment ? (assessment as keyof typeof words.assessment) : 'unknown';
  const Icon = ASSESSMENTS[known];
  return (
    <span class="qd-assessment" data-assessment={assessment}>
      <Icon />
      {written || words.assessment[known]}
    </span>
  );
}
