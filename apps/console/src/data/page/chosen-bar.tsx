import { useTranslations } from "use-intl";
import { Copy, Pencil, Trash2, X } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";

/** What one can do with the rows that are checked. */
export function ChosenBar(props: {
  readonly count: number;
  /** Null for what the person may not do. */
  readonly onChange: (() => void) | null;
  readonly onDuplicate: (() => void) | null;
  readonly onDelete: (() => void) | null;
  readonly onClear: () => void;
}) {
  const t = useTranslations("grid");
  return (
    <div
      role="toolbar"
      aria-label={t("selectedRows", { count: props.count })}
      className="flex min-h-10 flex-wrap items-center gap-1.5 border-line border-b bg-accent-soft px-3.5 py-1.5"
    >
      <span className="mr-2 font-medium">{t("selectedRows", { count: props.count })}</span>
      {props.onChange !== null && (
        <ToolButton onClick={props.onChange}>
          <Pencil size={14} aria-hidden="true" />
          {t("change")}
        </ToolButton>
      )}
      {props.onDuplicate !== null && (
        <ToolButton onClick={props.onDuplicate}>
          <Copy size={14} aria-hidden="true" />
          {t("duplicate")}
        </ToolButton>
      )}
      {props.onDelete !== null && (
        <ToolButton kind="danger" onClick={props.onDelete}>
          <Trash2 size={14} aria-hidden="true" />
          {t("deleteRows")}
        </ToolButton>
      )}
      <span className="flex-1" />
      <ToolButton kind="bare" onClick={props.onClear}>
        <X size={14} aria-hidden="true" />
        {t("unselect")}
      </ToolButton>
    </div>
  );
}
