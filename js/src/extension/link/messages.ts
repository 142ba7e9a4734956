/** Telling messages from anything else; of what kind they are, whoever reads them looks. */

export function isMessage(raw: unknown): raw is { readonly type: string } {
  return isRecord(raw) && typeof raw.type === 'string';
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
