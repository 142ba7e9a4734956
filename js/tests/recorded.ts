/** A stream of the service as it went over the wire, and bodies that are cut anywhere. */
import { readFileSync } from 'node:fs';

/** Put in by test.mjs. */
declare const WIRE: string;

export function recorded(name = 'chat-stream.sse'): Uint8Array {
  return new Uint8Array(readFileSync(new URL(name, WIRE)));
}

export function body(chunks: Iterable<Uint8Array>): ReadableStream<Uint8Array> {
  const rest = chunks[Symbol.iterator]();
  return new ReadableStream({
    pull(controller) {
      const next = rest.next();
      if (next.done) {
        controller.close();
      } else {
        controller.enqueue(next.value);
      }
    },
  });
}

/** Pieces of `size` bytes. */
export function* pieces(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) {
    yield bytes.subarray(start, start + size);
  }
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) {
    list.push(item);
  }
  return list;
}
