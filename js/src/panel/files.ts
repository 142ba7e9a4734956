/** Files that the user drops on the panel or pastes: tables for the kernel, pictures for the model. */

export const MOST_MB = 5;

const TABLE = /\.(csv|parquet)$/i;
const PNG = 'image/png';

export type Kind = 'table' | 'picture' | 'other';

export function kindOf({ name, type }: File): Kind {
  return TABLE.test(name) ? 'table' : type.startsWith('image/') ? 'picture' : 'other';
}

export function isTooLarge({ size }: Blob): boolean {
  return size > MOST_MB * 1024 * 1024;
}

export async function base64(file: Blob): Promise<string> {
  const url = await new Promise<string>((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : '');
    reader.onerror = () => reject(new Error('It could not be read'));
    reader.readAsDataURL(file);
  });
  return url.slice(url.indexOf(',') + 1);
}

/** The picture as PNG: the browser draws any other that it knows. Rejects what is no picture. */
export async function asPng(file: Blob): Promise<Blob> {
  if (file.type === PNG) {
    return file;
  }
  const drawn = await createImageBitmap(file);
  const canvas = document.createElement('canvas');
  canvas.width = drawn.width;
  canvas.height = drawn.height;
  canvas.getContext('2d')?.drawImage(drawn, 0, 0);
  const png = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, PNG));
  if (!png) {
    throw new Error('It could not be drawn');
  }
  return png;
}
