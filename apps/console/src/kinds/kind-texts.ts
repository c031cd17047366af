import { useTranslations } from "use-intl";
import type { DrawnKind } from "./record-facts.ts";

/** Returns a reader of the texts of a kind's fields; undefined for a text that a field does not have. */
export function useFieldTexts(kind: DrawnKind) {
  const t = useTranslations("recordFields");
  return (name: string, text: string): string | undefined => {
    const key = `${kind}.${name}.${text}` as "role.name.label";
    return t.has(key) ? t(key) : undefined;
  };
}

/** Returns a reader of the texts of the pages of simple kinds. */
export function useKindTexts() {
  const t = useTranslations();
  return (kind: DrawnKind, text: "title" | "text" | "search" | "add" | "empty"): string =>
    t(`recordPages.${kind}.${text}` as "recordPage.deleteText");
}
