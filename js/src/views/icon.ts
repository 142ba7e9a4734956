/** The icon of the sidebar's tab: a decaying oscillation, as in a Ramsey fringe. */
import { LabIcon } from '@jupyterlab/ui-components';

export const copilotIcon = new LabIcon({
  name: 'qdash-jupyter:copilot',
  svgstr: `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16"><path class="jp-icon3 jp-icon-selectable" fill="none" stroke="#616161" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" d="M1.5 8C2.5 1 4 1 5 8s2.200 5.200 3.200 0 2-3.600 2.900 0 1.700 1.900 3.400 0"/></svg>`,
});
