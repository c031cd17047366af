import { createFault, type Fault } from "@rowhouse/errors";
import { type MailKey, mailKinds } from "./mail-kinds.ts";
import { type Template, tryTemplatePart, type Variables } from "./render-template.ts";

const exampleLink = "https://example.com/admin/auth/example?token=example";
/** What somebody could call themselves: a mail that shows it as markup would be theirs to write. */
const exampleMarkup = "<ada>";

/** Example values for everything that the template of a mail may name. */
function exampleOf(key: MailKey): Variables {
  const { page, variables } = mailKinds[key];
  return {
    ...variables,
    name: `Ada ${exampleMarkup}`,
    email: "ada@example.com",
    ...(page === null ? {} : { link: exampleLink }),
  };
}

/** The names that the template of a mail may use. */
export function variablesOf(key: MailKey): string[] {
  return Object.keys(exampleOf(key)).sort();
}

/**
 * What is wrong with a template, found by filling it in with example values: a mail is sent when nobody looks, so what
 * cannot be filled in, or would not show its link, is refused before it is kept.
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
    // Liquid quotes the template, which is the administrator's own.
    const [reason = ""] = (error instanceof Error ? error.message : "").split("\n");
    return fault(`This cannot be filled in: ${reason.slice(0, 200)}`);
  }
  if (filled.trim() === "") return fault("This would be empty");
  if (part === "subject") return [];
  if (mailKinds[key].page !== null && !filled.includes(exampleLink)) {
    return fault("The link is missing: {{ link }}");
  }
  return part === "html" && filled.includes(exampleMarkup)
    ? fault("A value would be read as HTML; leave `raw` out")
    : [];
}
