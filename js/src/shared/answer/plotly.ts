/** Reading Plotly's JSON, which says many things in two ways. */
import type { Figure, Json, JsonObject } from '../wire';

export function titleOf(figure: Figure): string {
  return text(figure.layout.title).replace(/<[^>]*>/g, ' ').trim();
}

export function isHeatmap(trace: JsonObject): boolean {
  return trace.type === 'heatmap';
}

export function isScatter(trace: JsonObject): boolean {
  return ['scatter', 'scattergl'].includes(text(trace.type) || 'scatter');
}

export function isLine(trace: JsonObject): boolean {
  const mode = trace.mode;
  return isScatter(trace) && (typeof mode !== 'string' || mode.includes('lines'));
}

export function isAxis(name: string): boolean {
  return /^[xy]axis\d*$/.test(name);
}

export function object(value: Json | undefined): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}

/** A title may be a text or an object with one. */
export function text(value: Json | undefined): string {
  const given = typeof value === 'string' ? value : object(value).text;
  return typeof given === 'string' ? given : '';
}

const ARRAYS: Readonly<Record<string, new (bytes: ArrayBuffer) => ArrayLike<number>>> = {
  i1: Int8Array,
  u1: Uint8Array,
  i2: Int16Array,
  u2: Uint16Array,
  i4: Int32Array,
  u4: Uint32Array,
  f4: Float32Array,
  f8: Float64Array,
};

/** A list, or an array in Plotly's binary form. */
export function values(value: Json | undefined): readonly Json[] {
  if (Array.isArray(value)) {
    return value as readonly Json[];
  }
  const { dtype, bdata, shape } = object(value);
  const kind = typeof dtype === 'string' ? ARRAYS[dtype] : undefined;
  if (!kind || typeof bdata !== 'string') {
    return [];
  }
  const numbers = Array.from(new kind(Uint8Array.from(atob(bdata), each => each.charCodeAt(0)).buffer));
  const columns = typeof shape === 'string' ? Number(shape.split(',')[1] ?? 0) : 0;
  return columns > 0
    ? Array.from({ length: numbers.length / columns }, (_, row) => numbers.slice(row * columns, (row + 1) * columns))
    : numbers;
}
