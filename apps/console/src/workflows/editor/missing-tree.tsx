import { useTranslations } from "use-intl";
import { EmptyState } from "../../ui/empty-state.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";

interface MissingTreeProps {
  readonly onCode: () => void;
  readonly onUndo: () => void;
}

/** In place of the tree while the code is not a definition. */
export function MissingTree({ onCode, onUndo }: MissingTreeProps) {
  const t = useTranslations("workflowEditor");
  return (
    <div className="p-4">
      <EmptyState title={t("noTree")} text={t("noTreeText")}>
        <div className="flex gap-2">
          <ToolButton onClick={onCode}>{t("openCode")}</ToolButton>
          <ToolButton onClick={onUndo}>{t("undo")}</ToolButton>
        </div>
      </EmptyState>
    </div>
  );
}
