/** Code in the colours of the notebook's own editors. */
import type { IEditorLanguageRegistry } from '@jupyterlab/codemirror';

import type { Highlighting } from '../../shared/page';

/** Colours the code where it stands, unless the node holds another by then. It stays as it is where that fails. */
export async function highlight(languages: IEditorLanguageRegistry, { node, code, language }: Highlighting): Promise<void> {
  const coloured = document.createElement('pre');
  try {
    await languages.highlight(code, languages.findBest(language), coloured);
  } catch {
    return; // its parser could not be loaded
  }
  if (node.textContent === code) {
    node.replaceChildren(...coloured.childNodes);
  }
}
