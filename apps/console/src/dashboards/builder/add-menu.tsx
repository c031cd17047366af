import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { Plus } from "../../ui/icons.generated.ts";
import { OpenMenu } from "../../ui/menu.tsx";
import { ToolButton } from "../../ui/tool-button.tsx";
import { type PanelKind, panelKinds } from "./draft.ts";
import { kindIcons } from "./kind-icon.ts";

interface AddMenuProps {
  readonly isFull: boolean;
  readonly onAdd: (kind: PanelKind) => void;
}

/** Adds a panel of a kind. */
export function AddMenu({ isFull, onAdd }: AddMenuProps) {
  const t = useTranslations("dashboardBuilder");
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ToolButton
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        disabled={isFull}
        title={isFull ? t("full") : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Plus size={14} aria-hidden="true" />
        {t("addPanel")}
      </ToolButton>
      {isOpen && (
        <OpenMenu
          label={t("addPanel")}
          beside={button}
          groups={[
            {
              id: "kinds",
              entries: panelKinds.map((kind) => ({
                id: kind,
                label: t(`kinds.${kind}`),
                icon: kindIcons[kind],
                onPress: () => onAdd(kind),
              })),
            },
          ]}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
