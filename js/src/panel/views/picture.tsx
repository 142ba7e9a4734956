import type { VNode } from 'preact';

const PICTURES = /^image\/(?:png|jpeg|gif|webp|svg\+xml)$/;

interface PictureProps {
  readonly mime: string;
  /** Base64: nothing is loaded. */
  readonly data: string;
  readonly alt: string;
}

export function Picture({ mime, data, alt }: PictureProps): VNode | null {
  if (!PICTURES.test(mime) || !/^[A-Za-z0-9+/=\s]*$/.test(data)) {
    return null;
  }
  return <img class="qd-picture" src={`data:${mime};base64,${data}`} alt={alt} />;
}
