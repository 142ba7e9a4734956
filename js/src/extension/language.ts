/** Which language the extension speaks: JupyterLab's, unless the user has set another for the panel. */
import type { JupyterFrontEnd } from '@jupyterlab/application';
import type { ISettings } from '@jupyterlab/settingregistry';
import type { ITranslator } from '@jupyterlab/translation';

import { languageOf } from '../shared/words/language';
import { speak } from './words';

/** Follows JupyterLab's language at once, and the user's settings as soon as they are there and whenever they change. */
export function followLanguage(app: JupyterFrontEnd, settings: Promise<ISettings | null>, translator: ITranslator | null): void {
  const follow = (chosen?: unknown): void => {
    const set = languageOf(typeof chosen === 'string' ? chosen : null);
    if (speak(set ?? languageOf(translator?.languageCode) ?? 'en')) {
      app.commands.notifyCommandChanged(); // their labels are asked for again
    }
  };
  follow();
  void settings.then(found => {
    follow(found?.user.panel_language);
    found?.changed.connect(() => follow(found.user.panel_language));
  });
}
