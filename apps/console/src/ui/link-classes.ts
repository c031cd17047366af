/** The look of a link in text. Its target has the height of a line and some padding (WCAG 2.5.8). */
export const linkClasses = "inline-block py-0.5 text-accent underline-offset-2 hover:underline";
