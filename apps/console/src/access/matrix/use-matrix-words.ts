import { useMemo } from "react";
import { useTranslations } from "use-intl";

/** The texts of the cells, looked up once for thousands of them. */
export type MatrixWords = ReturnType<typeof useMatrixWords>;

/** Returns the texts of the cells in the language of the pages. */
export function useMatrixWords() {
  const t = useTranslations("access");
  return useMemo(() => {
    const method = (name: string) => ({
      open: t("matrix.accepts", { method: name }),
      shut: t("matrix.refuses", { method: name }),
    });
    return {
      methods: {
        GET: method("GET"),
        POST: method("POST"),
        PATCH: method("PATCH"),
        DELETE: method("DELETE"),
      },
      actions: {
        READ: t("action.READ"),
        CREATE: t("action.CREATE"),
        UPDATE: t("action.UPDATE"),
        DELETE: t("action.DELETE"),
      },
      states: {
        NONE: t("state.NONE"),
        FIELDS: t("state.FIELDS"),
        ROWS: t("state.ROWS"),
        BOTH: t("state.BOTH"),
        ALL: t("state.ALL"),
        LOST: t("state.LOST"),
      },
      shut: t("matrix.shut"),
    };
  }, [t]);
}
