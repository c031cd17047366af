import { useTranslations } from "use-intl";
import { ToolButton } from "../../ui/tool-button.tsx";
import type { ViewState } from "../model/view-state.ts";

/** In place of rows: whether the filter of the person leaves none, or there are none. */
export function EmptyView(props: {
  readonly state: Pick<ViewState, "where" | "search">;
  readonly onState: (change: Partial<ViewState>) => void;
}) {
  const t = useTranslations("grid");
  const { where, search } = props.state;
  const isFiltered = where !== undefined || search !== undefined;
  return (
    <div className="grid flex-1 place-content-center justify-items-center gap-3 p-8 text-center">
      <p className="text-4 font-medium">{t(isFiltered ? "noMatch" : "noRows")}</p>
      <p className="max-w-90 text-ink-2">{t(isFiltered ? "noMatchText" : "noRowsText")}</p>
      {isFiltered && (
        <ToolButton onClick={() => props.onState({ where: undefined, search: undefined })}>
          {t("clearFilter")}
        </ToolButton>
      )}
    </div>
  );
}
