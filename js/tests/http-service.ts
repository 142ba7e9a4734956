/** A server of HTTP that answers as a test says, and remembers what it was asked. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly json: unknown;
}

export interface Service {
  readonly endpoint: string;
  readonly asked: readonly Asked[];
}

type Answering = (asked: Asked, response: ServerResponse) => void | Promise<void>;

export async function withService(answer: Answering, run: (service: Service) => Promise<void>): Promise<void> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void read(request).then(each => {
      asked.push(each);
      return answer(each, response);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  try {
    await run({ endpoint: `http://127.0.0.1:${server.address().port}/qdash/copilot`, asked });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

async function read(request: IncomingMessage): Promise<Asked> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of request) {
    text += decoder.decode(chunk, { stream: true });
  }
  const { method, url, headers } = request;
  return { method, url, headers, json: text ? JSON.parse(text) : null };
}

export function answerJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' });
  response.end(JSON.stringify(value));
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  response.flushHeaders();
}

/** Each piece goes out by itself. */
export async function play(response: ServerResponse, chunks: Iterable<Uint8Array | string>): Promise<void> {
  beginStream(response);
  for (const chunk of chunks) {
    response.write(chunk);
    await new Promise(resolve => setTimeout(resolve, 1));
  }
}
