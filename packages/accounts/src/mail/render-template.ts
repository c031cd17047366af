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

/**
 * Fills in a template's parts. In HTML every value is escaped; what a value holds is never read as a template.
 *
 * @throws for a template that Liquid does not understand, or that takes too long
 */
export async function renderTemplate(
  template: Template,
  variables: Readonly<Record<string, string | number>>,
): Promise<Template> {
  const [subject, text, html] = await Promise.all([
    plain.parseAndRender(template.subject, variables),
    plain.parseAndRender(template.text, variables),
    template.html === null ? null : markup.parseAndRender(template.html, variables),
  ]);
  // A header is one line.
  return { subject: String(subject).replaceAll(/\s+/g, " ").trim(), text: String(text), html };
}
