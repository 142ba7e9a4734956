/** The messages that the tests of the Python package write and read as well: tests/wire. */
import { readdirSync, readFileSync } from 'node:fs';

/** Put in by test.mjs. */
declare const WIRE: string;

/** What the files of that prefix hold, by their names. */
export function golden(prefix: string): readonly (readonly [string, unknown])[] {
  return readdirSync(new URL(WIRE))
    .filter(name => name.startsWith(prefix))
    .map(name => [name, JSON.parse(readFileSync(new URL(name, WIRE), 'utf8'))] as const);
}
