import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';

import type { Links } from '../../shared/answer/markdown';
import { renderMarkdown } from '../../shared/answer/safe-html';
import { GrowingText, type Chunk } from '../growing-text';
import { Code } from './code';
import { useFormulas } from './formulas';
import { memo } from './memo';
import { MarkdownTable } from './table';

interface TextProps {
  /** Of the panel's texts, this one. */
  readonly name: string;
  readonly text: string;
  readonly growing: boolean;
}

const NO_LINKS: Links = {};

/** Between two messages. */
const FRAME_MS = 33;

/** So many letters of a block earn it a millisecond's pause: drawing takes about a tenth of the time. */
const LETTERS_A_MS = 100;

/** Markdown that may still grow. Only the last of its blocks are read and drawn again. */
export const Text = memo(({ name, text, growing }: TextProps): VNode => {
  const read = useRef<GrowingText | null>(null);
  read.current ??= new GrowingText();
  const chunks = read.current.chunks(useCalm(text, growing ? read.current.openLength / LETTERS_A_MS : 0));
  const { links } = read.current;
  return (
    <div class="qd-text">
      {chunks.map((chunk, index) => {
        const settled = !growing || index < chunks.length - 1;
        if (chunk.code !== undefined) {
          return <Code key={index} code={chunk.code} language={chunk.language ?? ''} settled={settled} />;
        }
        const known = chunk.source.includes('[') ? links : NO_LINKS;
        return chunk.kind === 'table' ? (
          <MarkdownTable key={index} source={chunk.source} links={known} name={`${name}.${index}`} growing={!settled} />
        ) : (
          <Prose key={index} chunk={chunk} links={known} settled={settled} />
        );
      })}
    </div>
  );
});

/**
 * The text, at most once in that time: a single list or table of 50,000 letters takes longer to draw than there is
 * between two messages. Texts in paragraphs never wait.
 */
function useCalm(text: string, pauseMs: number): string {
  const shown = useRef({ text, at: performance.now() });
  const [, redraw] = useState(0);
  const now = performance.now();
  const earlyMs = shown.current.at + pauseMs - now;
  if (pauseMs < FRAME_MS || earlyMs <= 0) {
    shown.current = { text, at: now };
  }
  useEffect(() => {
    if (shown.current.text === text) {
      return undefined;
    }
    const timer = setTimeout(() => redraw(n => n + 1), earlyMs);
    return () => clearTimeout(timer);
  });
  return shown.current.text;
}

interface ProseProps {
  readonly chunk: Chunk;
  readonly links: Links;
  readonly settled: boolean;
}

const Prose = memo(({ chunk, links, settled }: ProseProps): VNode => {
  const node = useRef<HTMLDivElement>(null);
  const html = useMemo(() => renderMarkdown(chunk.source, links), [chunk.source, links]);
  useFormulas(node, settled, [html]);
  return <div ref={node} dangerouslySetInnerHTML={{ __html: html }} />;
});
