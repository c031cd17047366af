import { useTranslations } from "use-intl";

/** Returns the function that names a kind of step in a few words, or by itself if the catalog does not know it. */
export function useKindName(): (kind: string) => string {
  const t = useTranslations("workflows.kinds");
  return (kind) => {
    const key = kind as Parameters<typeof t>[0];
    return t.has(key) ? t(key) : kind;
  };
}
