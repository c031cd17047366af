import { renderLiquid } from "@rowhouse/templates";

export interface MailTexts {
  readonly subject: string;
  readonly text: string;
  readonly html: string | null;
}

export type MailVariables = Readonly<Record<string, string | number>>;

const bounds = { memoryMax: 1_000_000, charactersMax: 1_000_000 } as const;

/**
 * Renders one part of a template with these values.
 *
 * @throws if Liquid rejects it, if it exceeds a bound, or if it uses an undefined variable
 */
export function tryTemplatePart(
  part: keyof MailTexts,
  text: string,
  variables: MailVariables,
): Promise<string> {
  return renderPart(part, text, variables, true);
}

/**
 * Renders the parts of a template. Values are escaped in HTML and never parsed as a template.
 *
 * @throws if Liquid rejects the template or it exceeds a bound
 */
export async function renderTemplate(
  template: MailTexts,
  variables: MailVariables,
): Promise<MailTexts> {
  const [subject, text, html] = await Promise.all([
    renderPart("subject", template.subject, variables, false),
    renderPart("text", template.text, variables, false),
    template.html === null ? null : renderPart("html", template.html, variables, false),
  ]);
  // A header is a single line.
  return { subject: subject.replaceAll(/\s+/g, " ").trim(), text, html };
}

function renderPart(
  part: keyof MailTexts,
  text: string,
  variables: MailVariables,
  isStrict: boolean,
): Promise<string> {
  const format = part === "html" ? "HTML" : "TEXT";
  return renderLiquid(text, variables, { ...bounds, format, isStrict });
}
