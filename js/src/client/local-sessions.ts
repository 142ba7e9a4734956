/** Sessions as this browser keeps them: for the next page, and for the time without a server. */
import type { Session } from './wire';

/** The part of `localStorage` that is needed. */
export type KeyValues = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export interface Kept {
  readonly session: Session;
  /** The server has it like this. */
  readonly isSaved: boolean;
}

export class LocalSessions {
  readonly #storage: KeyValues;
  readonly #prefix: string;

  /** Two services on one origin take two prefixes. */
  constructor(storage: KeyValues, prefix: string) {
    this.#storage = storage;
    this.#prefix = prefix;
  }

  get currentId(): string | null {
    return this.#storage.getItem(`${this.#prefix}.current`);
  }

  set currentId(id: string | null) {
    const key = `${this.#prefix}.current`;
    if (id === null) {
      this.#storage.removeItem(key);
    } else {
      this.#put(key, id);
    }
  }

  get(id: string): Kept | null {
    try {
      return JSON.parse(this.#storage.getItem(this.#key(id)) ?? 'null') as Kept | null;
    } catch {
      return null;
    }
  }

  /** Where there is no more room, copies of what the server has make some; else this page alone remembers. */
  put(kept: Kept): void {
    const { session_id } = kept.session;
    const text = JSON.stringify(kept);
    if (!this.#put(this.#key(session_id), text)) {
      this.all().filter(({ isSaved }) => isSaved).forEach(({ session }) => this.remove(session.session_id));
      this.#put(this.#key(session_id), text);
    }
  }

  remove(id: string): void {
    this.#storage.removeItem(this.#key(id));
  }

  all(): readonly Kept[] {
    const keys = Array.from({ length: this.#storage.length }, (_, index) => this.#storage.key(index) ?? '');
    const ids = keys.filter(key => key.startsWith(this.#key(''))).map(key => key.slice(this.#key('').length));
    return ids.flatMap(id => this.get(id) ?? []);
  }

  #key(id: string): string {
    return `${this.#prefix}.session.${id}`;
  }

  #put(key: string, value: string): boolean {
    try {
      this.#storage.setItem(key, value);
      return true;
    } catch {
      return false;
    }
  }
}
