import type { VNode } from 'preact';

import type { Spent } from '../../shared/wire';
import { words } from '../words';

const RADIUS = 5;
const ROUND = 2 * Math.PI * RADIUS;

/** From here on little of the window is left. */
const NEARLY_FULL = 0.8;

/** How full the model's window is, and what the newest question took. */
export function Gauge({ spent }: { spent: Spent }): VNode {
  const { filled, window: most, cost } = spent;
  const share = most ? Math.min(1, filled / most) : null;
  const about = said(spent);
  return (
    <span class="qd-gauge" title={about} data-full={share !== null && share >= NEARLY_FULL}>
      {share !== null && (
        <svg class="qd-icon" viewBox="0 0 14 14" width="14" height="14" role="img" aria-label={about}>
          <circle cx="7" cy="7" r={RADIUS} class="qd-gauge-whole" />
          <circle
            cx="7"
            cy="7"
            r={RADIUS}
            class="qd-gauge-part"
            stroke-dasharray={`${share * ROUND} ${ROUND}`}
            transform="rotate(-90 7 7)"
          />
        </svg>
      )}
      <span aria-hidden={share !== null}>{share === null ? words.gauge.tokens({ n: spent.input_tokens + spent.output_tokens }) : percent(share)}</span>
      {cost && <span class="qd-wide">{cost}</span>}
    </span>
  );
}

function said({ input_tokens, output_tokens, filled, window: most, estimated, cost }: Spent): string {
  return [
    most ? words.gauge.filled({ filled, most }) : '',
    words.gauge[estimated ? 'lastEstimated' : 'last']({ tokens: words.format.tokensInOut({ sent: input_tokens, got: output_tokens }) }),
    cost,
  ]
    .filter(Boolean)
    .join(' · ');
}

function percent(share: number): string {
  return share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(100 * share)} %`;
}
