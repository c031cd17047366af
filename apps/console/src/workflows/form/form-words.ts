import { useTranslations } from "use-intl";

/** Returns the words for a choice; a choice without words is shown as it is written. */
export function useChoiceText(): (field: string, choice: string) => string {
  const t = useTranslations("workflowForm");
  return (field, choice) => {
    const key = `choices.${field}.${choice}` as "choices.backoff.fixed";
    return t.has(key) ? t(key) : choice;
  };
}
