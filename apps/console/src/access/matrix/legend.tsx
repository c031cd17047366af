import { useTranslations } from "use-intl";
import { CellMark, markedStates } from "./cell-mark.tsx";

/** What the marks of the matrix mean. */
export function Legend() {
  const t = useTranslations("access");
  return (
    <ul
      aria-label={t("matrix.legend")}
      className="flex flex-wrap gap-x-4 gap-y-1 text-2 text-ink-2"
    >
      {markedStates.map((state) => (
        <li key={state} className="flex items-center gap-1.5">
          <CellMark state={state} isShut={false} />
          {t(`state.${state}`)}
        </li>
      ))}
      <li className="flex items-center gap-1.5">
        <CellMark state="ALL" isShut />
        {t("matrix.shut")}
      </li>
    </ul>
  );
}
