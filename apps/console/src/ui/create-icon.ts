import { createElement, type ReactElement } from "react";
import { classes } from "./classes.ts";

interface IconProps {
  /** Width and height in pixels. */
  readonly size?: number;
  readonly strokeWidth?: number;
  readonly className?: string;
  readonly "aria-hidden"?: "true" | boolean;
  readonly role?: "img";
  /** An icon with a name is not hidden from screen readers. */
  readonly "aria-label"?: string;
}

export type IconComponent = (props: IconProps) => ReactElement;

type Shape = readonly [tag: string, attributes: Readonly<Record<string, string>>];

/**
 * Creates the component of an icon. It renders the element that lucide-react renders.
 *
 * @param names classes of its names, by which tests find it
 */
export function createIcon(names: string, shapes: readonly Shape[]): IconComponent {
  return ({ size = 24, strokeWidth = 2, className = "", ...aria }) =>
    createElement(
      "svg",
      {
        xmlns: "http://www.w3.org/2000/svg",
        width: size,
        height: size,
        viewBox: "0 0 24 24",
        fill: "none",
        stroke: "currentColor",
        strokeWidth,
        strokeLinecap: "round",
        strokeLinejoin: "round",
        className: classes("lucide", names, className),
        "aria-hidden": aria["aria-label"] === undefined ? "true" : undefined,
        ...aria,
      },
      ...shapes.map(([tag, attributes]) => createElement(tag, attributes)),
    );
}
