import { Component, type ComponentType, createElement, type VNode } from "preact";

/** A component that is drawn again only when one of its properties is another value. */
export function memo<P extends object>(name: string, draw: (props: P) => VNode | null): ComponentType<P> {
  return class Memo extends Component<P> {
    static override displayName = name;
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before = this.props as Record<string, unknown>;
      return Object.entries(next).some(([key, value]) => before[key] !== value);
    }
    override render(): VNode {
      return createElement(draw as ComponentType<object>, this.props);
    }
  };
}
