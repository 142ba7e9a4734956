import type { VNode } from 'preact';

import { knownAssessment } from '../format';
import { words } from '../words';
import { ASSESSMENTS } from './icons';

interface AssessmentChipProps {
  readonly assessment: string;
  /** In place of its usual word. */
  readonly written?: string;
}

/** An assessment by outline, word and colour, in this order of trust. */
export function AssessmentChip({ assessment, written = '' }: AssessmentChipProps): VNode {
  const known = knownAssessment(assessment);
  const Icon = ASSESSMENTS[known];
  return (
    <span class="qd-assessment" data-assessment={assessment}>
      <Icon />
      {written || words.assessment[known]}
    </span>
  );
}
