import type { VNode } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { formulasIn } from '../formulas';
import { renderMarkdown, type Links } from '../markdown';
import { GrowingText, type Chunk } from '../text';
import { Code } from './code';
import { useSurroundings } from './desk';
import { memo } from './memo';
import { Scroller } from './scroller';

interface TextProps {
  readonly text: string;
  readonly growing: boolean;
}

const NO_LINKS: Links = {};

/** Markdown that may still grow. Only the last of its blocks are read and drawn again. */
export const Text = memo(({ text, growing }: TextProps): VNode => {
  const read = useRef<GrowingText | null>(null);
  read.current ??= new GrowingText();
  const chunks = read.current.chunks(text);
  const { links } = read.current;
  return (
    <div class="qd-text">
      {chunks.map((chunk, index) =>
        chunk.code === undefined ? (
          <Prose
            key={index}
            chunk={chunk}
            links={chunk.source.includes('[') ? links : NO_LINKS}
            settled={!growing || index < chunks.length - 1}
          />
        ) : (
          <Code key={index} code={chunk.code} language={chunk.language ?? ''} />
        ),
      )}
    </div>
  );
});

interface ProseProps {
  readonly chunk: Chunk;
  readonly links: Links;
  readonly settled: boolean;
}

const Prose = memo(({ chunk, links, settled }: ProseProps): VNode => {
  const { desk, hosted } = useSurroundings();
  const node = useRef<HTMLDivElement>(null);
  const html = useMemo(() => renderMarkdown(chunk.source, links), [chunk.source, links]);
  useEffect(() => {
    if (settled && hosted && node.current) {
      for (const formula of formulasIn(node.current)) {
        desk.host.typeset(formula);
      }
    }
  }, [html, settled, hosted]);
  const prose = <div ref={node} dangerouslySetInnerHTML={{ __html: html }} />;
  return chunk.kind === 'table' ? <Scroller class="qd-text-table">{prose}</Scroller> : prose;
});
