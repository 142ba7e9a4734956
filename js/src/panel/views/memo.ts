import { type Component, type ComponentType, h, type VNode } from 'preact';

/** The same view, drawn again only when one of its properties is another object. */
export function memo<P extends object>(View: ComponentType<P>): ComponentType<P> {
  function Memo(this: Component<P>, props: P): VNode {
    this.shouldComponentUpdate = next => differ(this.props, next);
    return h(View as ComponentType<object>, props);
  }
  return Memo;
}

function differ(old: object, fresh: object): boolean {
  const names = Object.keys(fresh) as (keyof object)[];
  return names.length !== Object.keys(old).length || names.some(name => old[name] !== fresh[name]);
}
