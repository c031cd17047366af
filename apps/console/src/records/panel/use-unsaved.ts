import { useBlocker } from "@tanstack/react-router";
import { useTranslations } from "use-intl";

/** Asks before a tab closes or another record opens while there are unsaved changes. */
export function useUnsaved(isUnsaved: boolean): void {
  const t = useTranslations("record");
  useBlocker({
    enableBeforeUnload: isUnsaved,
    disabled: !isUnsaved,
    shouldBlockFn: ({ current, next }) => {
      // A filter or an order leaves the record open.
      const isSame = current.pathname === next.pathname && openIn(current) === openIn(next);
      return !isSame && !confirm(t("leave"));
    },
  });
}

function openIn({ search }: { readonly search: object }): string {
  return "open" in search ? JSON.stringify(search.open) : "";
}
