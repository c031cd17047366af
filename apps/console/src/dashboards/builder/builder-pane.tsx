import { type ReactNode, useEffect, useRef } from "react";
import { useTranslations } from "use-intl";
import { LockedFields } from "../../shell/managed.tsx";
import { classes } from "../../ui/classes.ts";
import { IconButton } from "../../ui/icon-button.tsx";
import { X } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { BoardPane } from "./board-pane.tsx";
import type { Draft, Panel, Parameter } from "./draft.ts";
import { type DraftFault, faultIn } from "./draft-faults.ts";
import {
  freeParameterName,
  withoutParameter,
  withParameter,
  withParameterAt,
} from "./edit-draft.ts";
import type { Place } from "./layout.ts";
import { PanelPane } from "./panel-pane.tsx";
import { ParameterForm } from "./parameter-form.tsx";

interface BuilderPaneProps {
  /** Null for a new board. */
  readonly id: string | null;
  readonly draft: Draft;
  readonly isLocked: boolean;
  /** The chosen panel. */
  readonly panel: Panel | undefined;
  readonly pane: "board" | "parameters" | undefined;
  readonly boardFaults: readonly DraftFault[];
  readonly panelFaults: readonly Omit<DraftFault, "part">[];
  readonly onClose: () => void;
  readonly onChange: (draft: Draft, subject?: string) => void;
  readonly onPanel: (panel: Panel, subject?: string) => void;
  readonly onMove: (panel: Panel, place: Place) => void;
  readonly onCopy: (id: string) => void;
  readonly onDelete: (id: string) => void;
  /** The board itself was deleted. */
  readonly onDeleted: () => void;
}

/** The form of what is chosen, beside the board; on a narrow screen, above it while something is chosen. */
export function BuilderPane(props: BuilderPaneProps) {
  const { draft, isLocked, panel, pane, boardFaults, onChange } = props;
  const t = useTranslations("dashboardBuilder");
  const isOpen = panel !== undefined || pane !== undefined;
  const key = panel?.id ?? pane ?? "board";
  const place = useRef<HTMLElement>(null);
  const shown = useRef(key);
  useEffect(() => {
    if (shown.current === key) return;
    shown.current = key;
    // What was chosen last is where a person continues.
    if (isOpen) place.current?.focus();
  }, [key, isOpen]);
  const content = (): ReactNode => {
    if (panel !== undefined) {
      return (
        <LockedFields isLocked={isLocked}>
          <PanelPane
            key={panel.id}
            draft={draft}
            panel={panel}
            faults={props.panelFaults}
            onChange={props.onPanel}
            onMove={(to) => props.onMove(panel, to)}
            onCopy={() => props.onCopy(panel.id)}
            onDelete={() => props.onDelete(panel.id)}
          />
        </LockedFields>
      );
    }
    const shared = { draft, faults: boardFaults, onChange };
    return pane === "parameters" ? (
      <LockedFields isLocked={isLocked}>
        <ParametersPane {...shared} />
      </LockedFields>
    ) : (
      <BoardPane {...shared} id={props.id} isLocked={isLocked} onDeleted={props.onDeleted} />
    );
  };
  const title =
    panel !== undefined ? t("panel") : t(pane === "parameters" ? "parameters" : "settings");
  return (
    <aside
      ref={place}
      tabIndex={-1}
      aria-label={title}
      className={classes(
        "flex min-h-0 min-w-0 flex-col border-line bg-surface outline-none lg:border-l",
        !isOpen && "max-xl:hidden",
      )}
    >
      <div className="flex items-center gap-1 border-line border-b px-4 py-2">
        <h2 className="min-w-0 flex-1 truncate text-4 font-semibold">{title}</h2>
        {isOpen && <IconButton label={t("close")} icon={X} onPress={props.onClose} />}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-4">{content()}</div>
    </aside>
  );
}

interface ParametersPaneProps {
  readonly draft: Draft;
  readonly faults: readonly DraftFault[];
  readonly onChange: (draft: Draft, subject?: string) => void;
}

const kinds = ["PERIOD", "VALUE", "PERSON"] as const;

/** The parameters that readers of the board may set, in their order. */
function ParametersPane({ draft, faults, onChange }: ParametersPaneProps) {
  const t = useTranslations("dashboardBuilder");
  const add = (kind: Parameter["kind"]) => {
    const parts = {
      name: freeParameterName(draft, kind.toLowerCase()),
      label: t(`parameterKinds.${kind}`),
    };
    const value = { resourceId: null, field: "", multiple: false } as const;
    const own = kind === "VALUE" ? { kind, ...value } : { kind };
    const parameter: Parameter = { ...parts, ...own, default: null };
    onChange({ ...draft, parameters: [...draft.parameters, parameter] });
  };
  return (
    <div className="grid content-start gap-5">
      <p className="text-ink-2">{t("parametersText")}</p>
      {draft.parameters.map((parameter, index) => (
        <ParameterForm
          // biome-ignore lint/suspicious/noArrayIndexKey: names are edited, and may be the same meanwhile
          key={index}
          parameter={parameter}
          isFirst={index === 0}
          isLast={index === draft.parameters.length - 1}
          bound={
            draft.panels.filter(({ bindings }) =>
              bindings.some((binding) => binding.parameter === parameter.name),
            ).length
          }
          faultAt={(pointer) => faultIn(faults, parameter, pointer)}
          onChange={(next, subject) =>
            onChange(
              withParameter(draft, index, next),
              subject === undefined ? undefined : `parameter ${index} ${subject}`,
            )
          }
          onMove={(by) => onChange(withParameterAt(draft, index, index + by))}
          onDelete={() => onChange(withoutParameter(draft, index))}
        />
      ))}
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 font-medium">{t("addParameter")}</legend>
        <div className="flex flex-wrap gap-2">
          {kinds.map((kind) => (
            <ToolButton key={kind} onClick={() => add(kind)}>
              {t(`parameterKinds.${kind}`)}
            </ToolButton>
          ))}
        </div>
      </fieldset>
    </div>
  );
}
