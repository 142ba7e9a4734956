/** Numbers as both languages write them. */

const GROUPED = new Intl.NumberFormat('en-US');

export function number(value: number): string {
  return GROUPED.format(value);
}
