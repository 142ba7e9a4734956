/** The units that a number may have, and what of a text belongs on one line with it. */

export const PREFIXES = new Map(
  Object.entries({ f: 1e-15, p: 1e-12, n: 1e-9, u: 1e-6, µ: 1e-6, μ: 1e-6, m: 1e-3, k: 1e3, M: 1e6, G: 1e9, T: 1e12 }),
);

export const UNITS = new Map(
  Object.entries({
    ...{ s: 1, Hz: 1, V: 1, A: 1, W: 1, K: 1, T: 1, eV: 1, F: 1, H: 1, Ω: 1, rad: 1 },
    ...{ min: 60, h: 3600, d: 86_400, day: 86_400, days: 86_400, '%': 0.01, '‰': 0.001 },
  }),
);

const UNIT = `(?:[${[...PREFIXES.keys()].join('')}]?(?:${[...UNITS.keys()].join('|')})|σ|dBm?|a\\.u\\.)`;

/** The spaces of "98 %" and "3.2 ± 0.1 MHz/a.u.". */
export const WITHIN_QUANTITY = new RegExp(
  String.raw`(?<=(?:^|[^\p{L}\d])[\d.,]*\d) (?=${UNIT}(?![\p{Script=Latin}\d]))| (?=±)|(?<=±) `,
  'gu',
);

/** Browsers end a line behind its hyphens. */
export const DATE = /(?<![\d-])\d{4}-\d\d-\d\d(?![\d-])/g;
