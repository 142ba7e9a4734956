/** Renderers that load nothing from anywhere, whatever the text asks for. */
import type { RenderMimeRegistry, Sanitizer } from '@jupyterlab/rendermime';

const clones = new WeakMap<RenderMimeRegistry, RenderMimeRegistry>();

/** The notebook's renderers, with a sanitizer that also takes out what would be fetched. */
export function withoutRemote(registry: RenderMimeRegistry): RenderMimeRegistry {
  let clone = clones.get(registry);
  if (!clone) {
    clone = registry.clone({ sanitizer: stricter(registry.sanitizer) });
    clones.set(registry, clone);
  }
  return clone;
}

function stricter(sanitizer: Sanitizer): Sanitizer {
  // The original stays behind it, for its other settings.
  const strict = Object.create(sanitizer) as { sanitize: Sanitizer['sanitize'] };
  strict.sanitize = (dirty, options) => withoutSources(sanitizer.sanitize(dirty, options));
  return strict;
}

/** The same HTML without pictures, sounds and styles that would be fetched. A picture leaves its description behind. */
function withoutSources(html: string): string {
  // The content of a template is inert: nothing in it is loaded.
  const template = document.createElement('template');
  template.innerHTML = html;
  for (const element of template.content.querySelectorAll('*')) {
    if (isRemote(element)) {
      element.replaceWith(element.getAttribute('alt') ?? '');
    }
  }
  return template.innerHTML;
}

function isRemote(element: Element): boolean {
  const names = ['src', 'srcset', 'poster', 'data', 'background'];
  if (!(element instanceof HTMLAnchorElement)) {
    names.push('href', 'xlink:href');
  }
  const sources = names.map(name => element.getAttribute(name) ?? '');
  const isFetched = sources.some(source => source !== '' && !/^\s*data:image\//i.test(source));
  return isFetched || /url\(|@import/i.test(element.getAttribute('style') ?? '') || element.tagName === 'STYLE';
}
