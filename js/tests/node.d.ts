/** What the tests use of node: its own typings would offer all of it to the bundles, too. */
declare module 'node:test' {
  interface Test {
    (name: string, run: () => void | Promise<void>): void;
    (name: string, options: { readonly skip?: boolean | string; readonly timeout?: number }, run: () => void | Promise<void>): void;
  }
  export const test: Test;
  export const mock: {
    /** Calls go through, and are counted. */
    method(of: object, name: string): {
      readonly mock: { readonly calls: readonly { readonly this: unknown }[]; restore(): void };
    };
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
    notDeepEqual(actual: unknown, expected: unknown, message?: string): void;
    match(actual: string, expected: RegExp, message?: string): void;
    doesNotMatch(actual: string, expected: RegExp, message?: string): void;
  }
  const assert: Assert;
  export default assert;
}

declare module 'node:fs' {
  export function readdirSync(folder: URL): readonly string[];
  export function readFileSync(file: URL, encoding: 'utf8'): string;
  export function readFileSync(file: URL): Uint8Array;
}

declare module 'node:process' {
  export const env: Readonly<Record<string, string | undefined>>;
}

declare module 'node:http' {
  export interface IncomingMessage extends AsyncIterable<Uint8Array> {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string | undefined>>;
  }
  export interface ServerResponse {
    writeHead(status: number, headers?: Readonly<Record<string, string>>): void;
    write(chunk: Uint8Array | string): boolean;
    end(chunk?: Uint8Array | string): void;
    destroy(): void;
    flushHeaders(): void;
    on(event: 'close', listener: () => void): void;
  }
  export interface Server {
    listen(port: number, host: string, listener: () => void): void;
    address(): { readonly port: number };
    close(): void;
    closeAllConnections(): void;
  }
  export function createServer(listener: (request: IncomingMessage, response: ServerResponse) => void): Server;
}

declare module 'node:net' {
  export interface Socket {
    setNoDelay(on: boolean): void;
    write(data: Uint8Array, done: () => void): boolean;
    end(): void;
    destroy(): void;
    pipe(to: Socket): void;
    on(event: 'data', listener: (data: Uint8Array) => void): void;
    on(event: 'error' | 'close' | 'end', listener: () => void): void;
  }
  export interface Server {
    listen(port: number, host: string, listener: () => void): void;
    address(): { readonly port: number };
    close(): void;
  }
  export function connect(port: number, host: string): Socket;
  export function createServer(listener: (socket: Socket) => void): Server;
}
