/** What the messages need: texts with fields, plurals, and a table for each language. */
import { number } from './numbers';

/** The text with its fields in it, numbers grouped. */
export function text(parts: TemplateStringsArray, ...fields: readonly (string | number)[]): string {
  return String.raw({ raw: parts }, ...fields.map(each => (typeof each === 'number' ? number(each) : each)));
}

/** Tells which plural form a language takes for a number. */
export function plural(language: string): (n: number) => Intl.LDMLPluralRule {
  const rules = new Intl.PluralRules(language);
  return n => rules.select(n);
}

/** Each message in all languages, the first of which has every one. */
type InAll<T> = { readonly [Group in keyof T]: { readonly [Key in keyof T[Group]]: readonly (T[Group][Key] | undefined)[] } };

/** The tables of the languages. What one does not have is said in the first. */
export function byLanguage<Language extends string, T extends object>(languages: readonly Language[], all: InAll<T>): Readonly<Record<Language, T>> {
  const mapped = (table: object, each: (value: never) => unknown): object =>
    Object.fromEntries(Object.entries(table).map(([name, value]) => [name, each(value as never)]));
  const table = (place: number): object =>
    mapped(all, (group: object) => mapped(group, (said: readonly unknown[]) => said[place] ?? said[0]));
  return Object.fromEntries(languages.map((language, place) => [language, table(place)])) as Record<Language, T>;
}
