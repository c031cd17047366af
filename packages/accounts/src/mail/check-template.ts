import { createFault, type Fault } from "@rowhouse/errors";
import { placeInTemplate, reasonOf } from "@rowhouse/templates";
import { type MailKey, mailKinds } from "./mail-kinds.ts";
import { type MailTexts, tryTemplatePart } from "./render-template.ts";
import { sampleLink, sampleValuesOf } from "./sample-values.ts";

/**
 * Sample name with markup, as a user could choose it. A template that renders it unescaped would let that user write
 * HTML into the mail.
 */
const sampleMarkup = "<ada>";

/**
 * Checks a template by rendering it with sample values. Failures at sending time go unnoticed, so a template that fails
 * to render, or omits its link, is rejected before it is stored.
 *
 * @returns the faults
 */
export async function checkTemplate(key: MailKey, template: MailTexts): Promise<Fault[]> {
  const parts = ["subject", "text", "html"] as const;
  const faults = await Promise.all(parts.map((part) => checkPart(key, part, template[part])));
  return faults.flat();
}

async function checkPart(
  key: MailKey,
  part: keyof MailTexts,
  text: string | null,
): Promise<Fault[]> {
  if (text === null) return [];
  const fault = (message: string, details?: ReturnType<typeof placeInTemplate>) => [
    createFault("VALUE_INVALID", { path: `/data/${part}`, message, details }),
  ];
  let filled: string;
  try {
    const values = { ...sampleValuesOf(key), name: `Ada ${sampleMarkup}` };
    filled = await tryTemplatePart(part, text, values);
  } catch (error) {
    return fault(`Cannot be rendered: ${reasonOf(error)}`, placeInTemplate(error));
  }
  if (filled.trim() === "") return fault("Must not render to an empty text");
  if (part === "subject") return [];
  if (mailKinds[key].page !== null && !filled.includes(sampleLink)) {
    return fault("Must contain the link: {{ link }}");
  }
  return part === "html" && filled.includes(sampleMarkup)
    ? fault("Must escape values; remove `raw`")
    : [];
}
