/** Showing a cell to the reader. */
import type { Cell } from '@jupyterlab/cells';
import type { Notebook } from '@jupyterlab/notebook';

/** Scrolls to the cell and selects it. */
export async function reveal(notebook: Notebook, cell: Cell): Promise<void> {
  const index = notebook.widgets.indexOf(cell);
  notebook.deselectAll();
  notebook.activeCellIndex = index;
  try {
    await notebook.scrollToItem(index, 'smart');
  } catch {
    // Another request to scroll took its place.
  }
}
