/** The icon of the sidebar's tab: an oscillation that decays, as in a Ramsey experiment. */
import { LabIcon } from '@jupyterlab/ui-components';

export const copilotIcon = new LabIcon({
  name: 'qdash-jupyter:copilot',
  // The class gives the stroke its colour in every theme, and would fill the curve.
  svgstr:
    '<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 16 16"><path class="jp-icon3" stroke="#616161" ' +
    'style="fill:none" stroke-width="1.5" stroke-linecap="round" ' +
    'd="M1.5 8C2.5 1 4 1 5 8s2.2 5.2 3.2 0 2-3.6 2.9 0 1.7 1.9 3.4 0"/></svg>',
});
