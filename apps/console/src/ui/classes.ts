/** Joins class names; conditions that do not hold are left out. */
export function classes(...names: readonly (string | false | undefined)[]): string {
  return names.filter((name) => typeof name === "string" && name !== "").join(" ");
}

/** The look of a link in text. Its target has the height of a line and some padding (WCAG 2.5.8). */
export const linkClasses = "inline-block py-0.5 text-accent underline-offset-2 hover:underline";
