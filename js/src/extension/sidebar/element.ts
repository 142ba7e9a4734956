/** Elements, told in one expression. */

export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  ...children: readonly (Element | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    made.setAttribute(key, value);
  }
  made.append(...children);
  return made;
}

export function button(label: string, act: () => void): HTMLButtonElement {
  const made = element('button', { type: 'button', class: 'qdash-button' }, label);
  made.addEventListener('click', act);
  return made;
}
