/** Which browser tab this is: the kernel tells its pages apart by it. */
import { randomId } from '../../shared/random-id';

const KEY = 'qdash-jupyter:client';

/**
 * The same after a reload of the page, so that the kernel sees it come back.
 *
 * The id lies in the session storage only between two loads: a tab that is duplicated meanwhile copies the storage, and
 * two tabs of one id would take each other's place.
 */
export const CLIENT_ID = takeId();

function takeId(): string {
  try {
    const id = sessionStorage.getItem(KEY);
    sessionStorage.removeItem(KEY);
    addEventListener('pagehide', () => sessionStorage.setItem(KEY, CLIENT_ID));
    // A page that the browser kept and shows again goes on as it was.
    addEventListener('pageshow', () => sessionStorage.removeItem(KEY));
    return id ?? randomId();
  } catch {
    return randomId(); // Storage is switched off: a reload is a new tab then.
  }
}
