import type { ReactNode } from "react";
import type { ColorName } from "./color-of.ts";

/** The classes of each color; Tailwind finds them only as whole names. */
export const colorClasses: Readonly<Record<ColorName, string>> = {
  gray: "bg-tone-gray-soft text-tone-gray",
  red: "bg-tone-red-soft text-tone-red",
  orange: "bg-tone-orange-soft text-tone-orange",
  amber: "bg-tone-amber-soft text-tone-amber",
  yellow: "bg-tone-yellow-soft text-tone-yellow",
  lime: "bg-tone-lime-soft text-tone-lime",
  green: "bg-tone-green-soft text-tone-green",
  teal: "bg-tone-teal-soft text-tone-teal",
  cyan: "bg-tone-cyan-soft text-tone-cyan",
  blue: "bg-tone-blue-soft text-tone-blue",
  indigo: "bg-tone-indigo-soft text-tone-indigo",
  violet: "bg-tone-violet-soft text-tone-violet",
  pink: "bg-tone-pink-soft text-tone-pink",
};

/** A value in a color that its column has for it. */
export function Badge(props: { readonly color: ColorName; readonly children: ReactNode }) {
  return (
    <span
      className={`inline-block max-w-full truncate rounded-full px-2 align-middle text-2 leading-5 font-medium ${colorClasses[props.color]}`}
    >
      {props.children}
    </span>
  );
}
