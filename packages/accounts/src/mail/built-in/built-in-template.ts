import type { MailKey } from "../mail-kinds.ts";
import type { Template } from "../render-template.ts";
import { englishTemplates } from "./english.ts";
import { germanTemplates } from "./german.ts";

/** Returns the mail's text that the service ships in a language; null if it ships none. */
export function builtInTemplate(key: MailKey, language: string): Template | null {
  if (language === "en") return englishTemplates[key];
  return language === "de" ? germanTemplates[key] : null;
}
