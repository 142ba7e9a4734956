/** The notebook's theme as far as CSS cannot read it off: light or dark, high contrast, and when it changes. */

export interface Theme {
  readonly dark: boolean;
  readonly contrast: boolean;
}

const ATTRIBUTES = ['data-jp-theme-light', 'data-jp-theme-name', 'class'];

export function current(): Theme {
  const { jpThemeLight: light, jpThemeName: name } = document.body.dataset;
  return {
    dark: light === undefined ? darkElsewhere() : light === 'false',
    contrast:
      /high.contrast/i.test(name ?? '') ||
      document.body.classList.contains('vscode-high-contrast') ||
      matchMedia('(prefers-contrast: more)').matches,
  };
}

/** Marks the panel's root with the theme, now and whenever it changes; `changed` is called after each change. */
export function followTheme(root: HTMLElement, changed: () => void): () => void {
  const mark = (): void => {
    const { dark, contrast } = current();
    root.dataset.theme = dark ? 'dark' : 'light';
    root.toggleAttribute('data-contrast', contrast);
  };
  let shown = key();
  const observer = new MutationObserver(() => {
    if (shown !== key()) {
      shown = key();
      mark();
      changed();
    }
  });
  observer.observe(document.body, { attributeFilter: ATTRIBUTES });
  mark();
  return () => observer.disconnect();
}

/** Themes may be both light and still differ in every colour. */
function key(): string {
  return JSON.stringify([current(), document.body.dataset.jpThemeName]);
}

/** Front-ends other than JupyterLab. */
function darkElsewhere(): boolean {
  const { classList } = document.body;
  if (classList.value.includes('vscode')) {
    return !classList.contains('vscode-light') && !classList.contains('vscode-high-contrast-light');
  }
  if (classList.contains('dark-theme') || classList.contains('light-theme')) {
    return classList.contains('dark-theme'); // marimo
  }
  const colab = document.documentElement.getAttribute('theme');
  if (colab !== null) {
    return colab === 'dark';
  }
  return matchMedia('(prefers-color-scheme: dark)').matches;
}
