import { Fragment, type VNode } from 'preact';

/** A sentence in which code stands between backticks. */
export function Marked({ text }: { text: string }): VNode {
  return (
    <>
      {text.split('`').map((part, place) => (
        <Fragment key={place}>{place % 2 === 1 ? <code>{part}</code> : part}</Fragment>
      ))}
    </>
  );
}
