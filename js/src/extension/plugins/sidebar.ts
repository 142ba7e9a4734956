/** The copilot's place in the right side area, the command that opens it, and the services for the panels in it. */
import { ILayoutRestorer, type JupyterFrontEnd, type JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import { INotebookTracker } from '@jupyterlab/notebook';
import { CommandToolbarButton } from '@jupyterlab/ui-components';

import { NAME } from '../../shared/page';
import type { Copilot } from '../link/copilot';
import { ICopilots, type Copilots } from '../link/copilots';
import { Panels } from '../panels/panels';
import { Tabs } from '../panels/tabs';
import css from '../sidebar/sidebar.css';
import { isNotebook } from '../link/front-end';
import { addStyle } from '../style-sheet';
import { Sidebar } from '../sidebar/sidebar';
import { words } from '../words';

export const OPEN = 'qdash-jupyter:open';

/** Of JupyterLab and of Notebook 7. */
const CHOOSE_KERNEL = 'notebook:change-kernel';

export const sidebar: JupyterFrontEndPlugin = {
  id: 'qdash-jupyter:sidebar',
  description: 'Shows the QDash copilot of the current notebook.',
  autoStart: true,
  requires: [INotebookTracker, ICopilots],
  optional: [ICommandPalette, ILayoutRestorer, IEditorLanguageRegistry],
  activate(
    app: JupyterFrontEnd,
    notebooks: INotebookTracker,
    copilots: Copilots,
    palette: ICommandPalette | null,
    restorer: ILayoutRestorer | null,
    languages: IEditorLanguageRegistry | null,
  ) {
    addStyle(css);
    const view = new Sidebar(
      (copilot, act) => {
        switch (act) {
          case 'start':
            copilot.start().catch(() => undefined); // the sidebar shows why it failed
            break;
          case 'restart':
            copilot.restart().catch(() => undefined);
            break;
          case 'choose kernel':
            void app.commands.execute(CHOOSE_KERNEL);
            break;
          case 'show again':
            view.showAgain(copilot);
            break;
        }
      },
      node => panels.forget(node),
    );
    const attend = (node: Element, copilot: Copilot): boolean => {
      const isIn = view.node.contains(node) && copilot === copilots.of(notebooks.currentWidget);
      if (isIn && !view.isVisible) {
        app.shell.activateById(view.id);
      }
      return isIn;
    };
    const copilotOf = (node: Element): Copilot | null => view.copilotOf(node) ?? copilots.around(node);
    const panels = new Panels(copilotOf, new Tabs(app.shell), attend, languages);
    const turn = () => view.turnTo(copilots.of(notebooks.currentWidget));
    notebooks.currentChanged.connect(turn);
    copilots.each(copilot => {
      view.follow(copilot);
      panels.follow(copilot);
      turn();
    });

    view.watchTabs();
    app.shell.add(view, 'right', { rank: 900 });
    restorer?.add(view, view.id);
    app.commands.addCommand(OPEN, {
      label: () => words.commands.open,
      caption: () => words.commands.openCaption,
      execute: ({ byItself }) => {
        // Both shells open the side area for it.
        app.shell.activateById(view.id);
        if (byItself === true) {
          return; // whoever types somewhere goes on there
        }
        // The palette gives the focus back to the notebook by a message, and messages take a frame.
        requestAnimationFrame(() => requestAnimationFrame(() => view.focus()));
      },
    });
    palette?.addItem({ command: OPEN, category: 'QDash' });
    // Notebook 7 shows no tabs of its side areas, and keeps them closed.
    if (isNotebook(app)) {
      copilots.each(({ panel }) => {
        void panel.revealed.then(() => {
          const button = new CommandToolbarButton({ commands: app.commands, id: OPEN, label: NAME });
          panel.toolbar.insertBefore('kernelName', 'qdash-copilot', button);
        });
      });
    }
  },
};
