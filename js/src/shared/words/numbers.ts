/** Numbers as both languages write them. */

const GROUPED = new Intl.NumberFormat('en-US');

export function number(value: number): string {
  return GROUPED.format(value);
}

/** Whole minutes and seconds. */
export function split(seconds: number): readonly [minutes: number, seconds: number] {
  const whole = Math.round(seconds);
  return [Math.floor(whole / 60), whole % 60];
}
