/** Elements, told in one expression. */

type Child = Element | string | false | null;

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children.filter((child): child is Element | string => Boolean(child)));
  return made;
}

export function button(kind: 'filled' | 'plain', label: string, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', class: `qdash-button qdash-mod-${kind}` }, label);
  made.addEventListener('click', act);
  return made;
}
