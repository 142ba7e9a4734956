import type { VNode } from 'preact';

import type { ImageBlock } from '../wire';

const PICTURES = /^image\/(?:png|jpeg|gif|webp|svg\+xml)$/;

/** A picture that analysis code drew. It carries its data: nothing is loaded. */
export function Picture({ image: { mime, data } }: { image: ImageBlock }): VNode | null {
  if (!PICTURES.test(mime) || !/^[A-Za-z0-9+/=\s]*$/.test(data)) {
    return null;
  }
  return <img class="qd-picture" src={`data:${mime};base64,${data}`} alt="Picture drawn by the analysis code" />;
}
