/** The language of what the extension says: JupyterLab's, unless the user has set another for the panel. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ISettings } from '@jupyterlab/settingregistry';
import type { ITranslator } from '@jupyterlab/translation';
import { Signal } from '@lumino/signaling';

import { languageOf, type Language } from '../shared/words/language';

/** What the extension says is said in this language from now on. */
export const languageChanged = new Signal<object, Language>({});

let spoken: Language = 'en';

export function language(): Language {
  return spoken;
}

/** Follows JupyterLab's language at once, and the user's settings as soon as they are there and whenever they change. */
export function followLanguage(app: JupyterFrontEnd, settings: Promise<ISettings | null>, translator: ITranslator | null): void {
  const follow = (chosen?: unknown): void => {
    const next = languageOf(typeof chosen === 'string' ? chosen : null) ?? languageOf(translator?.languageCode) ?? 'en';
    if (next !== spoken) {
      spoken = next;
      languageChanged.emit(next);
      app.commands.notifyCommandChanged(); // their labels are asked for again
    }
  };
  follow();
  void settings.then(found => {
    follow(found?.user.panel_language);
    found?.changed.connect(() => follow(found.user.panel_language));
  });
}
