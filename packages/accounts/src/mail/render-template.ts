import { Liquid } from "liquidjs";

export interface Template {
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

const limits = { parseLimit: 100_000, renderLimit: 1000, memoryLimit: 1_000_000 } as const;
// Liquid executes no code of a template, and with an empty map of templates it reads no file.
const options = { ownPropertyOnly: true, templates: {}, strictFilters: true, ...limits } as const;
const plain = new Liquid(options);
const markup = new Liquid({ ...options, outputEscape: "escape" });
// For templates before they are stored: an undefined variable is an error, not an empty text.
const strict = { ...options, strictVariables: true } as const;
const strictPlain = new Liquid(strict);
const strictMarkup = new Liquid({ ...strict, outputEscape: "escape" });

export type Variables = Readonly<Record<string, string | number>>;

/**
 * Renders one part of a template with these values.
 *
 * @throws if Liquid rejects it, if it takes too long, or if it uses an undefined variable
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
 * Renders the parts of a template. Values are escaped in HTML and never parsed as a template.
 *
 * @throws if Liquid rejects the template or it takes too long
 */
export async function renderTemplate(template: Template, variables: Variables): Promise<Template> {
  const [subject, text, html] = await Promise.all([
    plain.parseAndRender(template.subject, variables),
    plain.parseAndRender(template.text, variables),
    template.html === null ? null : markup.parseAndRender(template.html, variables),
  ]);
  // A header is a single line.
  return { subject: String(subject).replaceAll(/\s+/g, " ").trim(), text: String(text), html };
}
