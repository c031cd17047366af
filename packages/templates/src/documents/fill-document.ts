import { renderLiquid, type TextFormat, type Variables } from "../liquid/render-liquid.ts";

/** The limit of a document that Liquid makes, in characters. */
const charactersMax = 5_000_000;
const memoryMax = 10_000_000;

/**
 * Renders the source of a document. An undefined variable is an empty text, as in a mail.
 *
 * @throws if Liquid rejects the source, or if it exceeds a bound
 */
export function fillDocument(
  source: string,
  format: TextFormat,
  values: Variables,
): Promise<string> {
  return renderLiquid(source, values, { format, memoryMax, charactersMax });
}
