/** What the tests use of node: its own typings would offer all of it to the bundles, too. */
declare module 'node:test' {
  export function test(name: string, run: () => void | Promise<void>): void;
  export const mock: {
    readonly timers: {
      enable(options: { readonly apis: readonly ('setTimeout' | 'Date')[]; readonly now?: number }): void;
      tick(milliseconds: number): void;
      reset(): void;
    };
  };
}

declare module 'node:assert/strict' {
  interface Assert {
    (condition: unknown, message?: string): asserts condition;
    equal(actual: unknown, expected: unknown, message?: string): void;
    deepEqual(actual: unknown, expected: unknown, message?: string): void;
    match(actual: string, expected: RegExp, message?: string): void;
  }
  const assert: Assert;
  export default assert;
}

declare module 'node:fs' {
  export function readdirSync(folder: URL): readonly string[];
  export function readFileSync(file: URL, encoding: 'utf8'): string;
}
