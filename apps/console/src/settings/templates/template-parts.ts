import type { AdminOperations } from "@rowhouse/client";
import { useTranslations } from "use-intl";
import type { Words } from "../../words/words.ts";

/** A mail template in one language. */
export type MailTemplate = AdminOperations["GET /templates/{id}"]["answer"]["data"];

/** The parts of a mail that an administrator writes. */
export type TemplateParts = Pick<MailTemplate, "subject" | "text" | "html">;
export type PartName = keyof TemplateParts;

/** The parts in their order on the page. */
export const partNames: readonly PartName[] = ["subject", "text", "html"];

/** Returns the written parts of a template. */
export function partsOf({ subject, text, html }: TemplateParts): TemplateParts {
  return { subject, text, html };
}

/** Whether two templates have the same parts. */
export function isSameText(one: TemplateParts, other: TemplateParts): boolean {
  return partNames.every((name) => one[name] === other[name]);
}

/** Returns the name of a mail and the occasion that sends it, by the key of its template. */
export function useMailNames() {
  const t = useTranslations("templates");
  const nameOf = (key: MailTemplate["key"]) =>
    key.slice("auth.".length) as keyof Words["templates"]["mails"];
  return {
    nameOf: (key: MailTemplate["key"]): string => t(`mails.${nameOf(key)}`),
    occasionOf: (key: MailTemplate["key"]): string => t(`occasions.${nameOf(key)}`),
  };
}
