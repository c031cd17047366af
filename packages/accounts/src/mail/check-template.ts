import { createFault, type Fault } from "@rowhouse/errors";
import { type MailKey, mailKinds } from "./mail-kinds.ts";
import { type Template, tryTemplatePart, type Variables } from "./render-template.ts";

const exampleLink = "https://example.com/admin/auth/example#token=example";
/**
 * Example name with markup, as a user could choose it. A template that renders it unescaped would let that user write
 * HTML into the mail.
 */
const exampleMarkup = "<ada>";

/** Example values of all variables that the mail's template may use. */
function exampleOf(key: MailKey): Variables {
  const { page, variables } = mailKinds[key];
  return {
    ...variables,
    name: `Ada ${exampleMarkup}`,
    email: "ada@example.com",
    ...(page === null ? {} : { link: exampleLink }),
  };
}

/** Names of the variables that the mail's template may use. */
export function variablesOf(key: MailKey): string[] {
  return Object.keys(exampleOf(key)).sort();
}

/**
 * Checks a template by rendering it with example values. Failures at sending time go unnoticed, so a template that fails
 * to render, or omits its link, is rejected before it is stored.
 *
 * @returns the faults
 */
export async function checkTemplate(key: MailKey, template: Template): Promise<Fault[]> {
  const parts = ["subject", "text", "html"] as const;
  const faults = await Promise.all(parts.map((part) => checkPart(key, part, template[part])));
  return faults.flat();
}

async function checkPart(
  key: MailKey,
  part: keyof Template,
  text: string | null,
): Promise<Fault[]> {
  if (text === null) return [];
  const fault = (message: string) => [
    createFault("VALUE_INVALID", { path: `/data/${part}`, message }),
  ];
  let filled: string;
  try {
    filled = await tryTemplatePart(part, text, exampleOf(key));
  } catch (error) {
    // Liquid's message quotes the template, which the administrator wrote.
    const [reason = ""] = (error instanceof Error ? error.message : "").split("\n");
    return fault(`Cannot be rendered: ${reason.slice(0, 200)}`);
  }
  if (filled.trim() === "") return fault("Must not render to an empty text");
  if (part === "subject") return [];
  if (mailKinds[key].page !== null && !filled.includes(exampleLink)) {
    return fault("Must contain the link: {{ link }}");
  }
  return part === "html" && filled.includes(exampleMarkup)
    ? fault("Must escape values; remove `raw`")
    : [];
}
