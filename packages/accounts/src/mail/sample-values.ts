import { type MailKey, mailKinds } from "./mail-kinds.ts";
import type { MailVariables } from "./render-template.ts";

/** The link of every sample: example.com is reserved, and no secret is in it. */
export const sampleLink = "https://example.com/admin/auth/example#token=example";

/** Sample values of all variables that the mail's template may use. */
export function sampleValuesOf(key: MailKey): MailVariables & { name: string; email: string } {
  const { page, variables } = mailKinds[key];
  return {
    ...variables,
    name: "Ada Lovelace",
    email: "ada@example.com",
    ...(page === null ? {} : { link: sampleLink, site: new URL(sampleLink).host }),
  };
}

/** Names of the variables that the mail's template may use. */
export function mailVariablesOf(key: MailKey): string[] {
  return Object.keys(sampleValuesOf(key)).sort();
}
