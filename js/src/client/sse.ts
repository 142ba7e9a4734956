/** Server-sent events as the HTML standard reads them, from text and from the body of a response. */

export interface SSEEvent {
  readonly event: string;
  readonly data: string;
  /** Only where the event itself has one. */
  readonly id?: string;
}

const LINE_END = /\r\n|\r|\n/;

/** All up to the last blank line. A CR at the very end may be the first half of a CRLF: it is no end of a line yet. */
const COMPLETE = /^(?:[^]*(?:\r\n|\n|\r(?!\n|$)))?(?:\r\n|\n|\r(?!\n|$))/;

/** The events that are complete in this text, and the rest, which belongs before the text that comes next. */
export function consumeSSEEvents(buffer: string): { readonly events: readonly SSEEvent[]; readonly remainder: string } {
  const complete = COMPLETE.exec(buffer)?.[0] ?? '';
  const event = new OpenEvent();
  const events = complete.replace(/^\uFEFF/, '').split(LINE_END).flatMap(line => event.take(line) ?? []);
  return { events, remainder: buffer.slice(complete.length) };
}

/**
 * The events of a body, each as soon as its blank line is there. Every character is looked at once, however the body
 * is cut, and a reader that stops early closes the connection.
 */
export async function* readSSE(stream: ReadableStream<Uint8Array>): AsyncGenerator<SSEEvent, void, undefined> {
  const reader = stream.getReader();
  // It keeps the first bytes of a character until the others come, and takes a byte order mark away.
  const decoder = new TextDecoder();
  const event = new OpenEvent();
  let line = '';
  let isAfterCR = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      const text = decoder.decode(value, { stream: true });
      if (!text) {
        continue;
      }
      const [first = '', ...others] = (isAfterCR && text.startsWith('\n') ? text.slice(1) : text).split(LINE_END);
      isAfterCR = text.endsWith('\r');
      line += first;
      for (const next of others) {
        const complete = event.take(line);
        line = next;
        if (complete) {
          yield complete;
        }
      }
    }
  } finally {
    // What had failed already is known to whoever reads.
    await reader.cancel().catch(() => undefined);
  }
}

/** The event whose lines are coming in. */
class OpenEvent {
  #event = '';
  #id: string | null = null;
  #data: string[] = [];

  /** The whole event, if this line is the blank one that ends it. Without a line of data there is none. */
  take(line: string): SSEEvent | undefined {
    if (line) {
      this.#set(line);
      return undefined;
    }
    const [event, id, data] = [this.#event || 'message', this.#id, this.#data];
    this.#event = '';
    this.#id = null;
    this.#data = [];
    return data.length === 0 ? undefined : { event, data: data.join('\n'), ...(id === null ? {} : { id }) };
  }

  #set(line: string): void {
    const colon = line.indexOf(':');
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') {
      this.#data.push(value);
    } else if (name === 'event') {
      this.#event = value;
    } else if (name === 'id' && !value.includes('\0')) {
      this.#id = value;
    }
    // A comment has no name, `retry` is for those that connect again, and the standard ignores all others.
  }
}
