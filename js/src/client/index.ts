/**
 * What client.js gives to a page; example.html uses most of it.
 *
 *     const client = new CopilotClient({ endpoint: 'http://localhost:8888/qdash/copilot', token });
 *     for await (const { type, data } of client.chat({ message: 'Which qubits lost T1?' }, { signal })) { … }
 */
export { AnalysisChat } from './analysis-chat';
export { answerOf, blocksOf, textOf } from './answer';
export { ChatSessions, historyOf } from './chat-session';
export { CopilotClient } from './copilot-client';
export { CopilotError } from './copilot-error';
export { consumeSSEEvents, readSSE } from './sse';
export { drawing } from '../shared/answer/figure';
export { titleOf } from '../shared/answer/plotly';
export { renderMarkdown } from '../shared/answer/safe-html';
export { legend } from '../shared/answer/strokes';
export type * from './wire';
