import { Liquid } from "liquidjs";

export interface Template {
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

const limits = { parseLimit: 100_000, renderLimit: 1000, memoryLimit: 1_000_000 } as const;
// Liquid runs no code of a template's, and with a map of no templates it reads no file either.
const options = { ownPropertyOnly: true, templates: {}, strictFilters: true, ...limits } as const;
const plain = new Liquid(options);
const markup = new Liquid({ ...options, outputEscape: "escape" });
// For templates that are about to be kept: what nothing has a value for is a fault, not an empty place.
const strict = { ...options, strictVariables: true } as const;
const strictPlain = new Liquid(strict);
const strictMarkup = new Liquid({ ...strict, outputEscape: "escape" });

export type Variables = Readonly<Record<string, string | number>>;

/**
 * One part of a template, as it would be with these values.
 *
 * @throws for one that Liquid does not understand, that takes too long, or that names what has no value
 */
export async function tryTemplatePart(
  part: keyof Template,
  text: string,
  variables: Variables,
): Promise<string> {
  const liquid = part === "html" ? strictMarkup : strictPlain;
  return String(await liquid.parseAndRender(text, variables));
}

/**
 * Fills in a template's parts. In HTML every value is escaped; what a value holds is never read as a template.
 *
 * @throws for a template that Liquid does not understand, or that takes too long
 */
export async function renderTemplate(template: Template, variables: Variables): Promise<Template> {
  const [subject, text, html] = await Promise.all([
    plain.parseAndRender(template.subject, variables),
    plain.parseAndRender(template.text, variables),
    template.html === null ? null : markup.parseAndRender(template.html, variables),
  ]);
  // A header is one line.
  return { subject: String(subject).replaceAll(/\s+/g, " ").trim(), text: String(text), html };
}
