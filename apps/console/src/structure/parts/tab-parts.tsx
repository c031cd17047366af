import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import { FormDialog } from "../../shell/form-dialog.tsx";
import { Checkbox } from "../../ui/checkbox.tsx";
import { classes } from "../../ui/classes.ts";
import { Minus, Plus } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useDraft } from "../draft/draft-context.ts";
import { columnModels } from "../model/column-model.ts";
import { dropConstraint, removePart } from "../model/edit-draft.ts";
import { valueAt } from "../model/value-at.ts";

interface PartRowProps {
  /** `part/id`, `constraint/name` or `index/name`. */
  readonly place: string;
  readonly name: ReactNode;
  readonly facts: ReactNode;
  readonly mark?: "added" | "dropped" | undefined;
  readonly children?: ReactNode;
}

/** A key, a relation, an index or a check, with its faults and what can be done with it. */
export function PartRow({ place, name, facts, mark, children }: PartRowProps) {
  const t = useTranslations("tableDraft");
  const { faultsAt } = useDraft();
  const Icon = mark === "added" ? Plus : Minus;
  return (
    <li
      className={classes(
        "flex flex-wrap items-center gap-x-4 gap-y-1 border-line border-b px-2 py-2 last:border-b-0",
        mark === "added" && "bg-ok-soft",
        mark === "dropped" && "bg-danger-soft",
      )}
    >
      {mark !== undefined && (
        <span
          role="img"
          aria-label={t(mark)}
          className={mark === "added" ? "text-ok" : "text-danger"}
        >
          <Icon size={14} aria-hidden="true" />
        </span>
      )}
      <div className="grid min-w-0 flex-[1_1_14rem] gap-0.5">
        <div dir="auto" className={classes("wrap-anywhere", mark === "dropped" && "line-through")}>
          {name}
        </div>
        <div dir="auto" className="text-2 text-ink-2 wrap-anywhere">
          {facts}
        </div>
        {faultsAt(place).map(({ member, message }) => (
          <p key={`${member} ${message}`} lang="en" className="text-2 text-danger">
            {message}
          </p>
        ))}
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">{children}</div>
    </li>
  );
}

/** The list of such parts. */
export function PartList(props: { readonly label: string; readonly children: ReactNode }) {
  return (
    <ul
      aria-label={props.label}
      className="overflow-hidden rounded-panel border border-line bg-surface empty:hidden"
    >
      {props.children}
    </ul>
  );
}

/** A dialog that adds a part to the draft. */
export function PartDialog(props: {
  readonly title: string;
  readonly isComplete: boolean;
  readonly onAdd: () => void;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const t = useTranslations("tableDraft");
  const run = () => {
    props.onAdd();
    props.onClose();
  };
  return (
    <FormDialog
      title={props.title}
      task={{ run, isBusy: false, failure: undefined }}
      submit={t("addToDraft")}
      isReady={props.isComplete}
      onClose={props.onClose}
    >
      {props.children}
    </FormDialog>
  );
}

/** A choice of columns, in the order in which they are chosen. */
export function ColumnsChoice(props: {
  readonly label: string;
  readonly chosen: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}) {
  const t = useTranslations("tableDraft");
  const { table, draft } = useDraft();
  const { chosen, onChange } = props;
  const columns = columnModels(table, draft).filter(
    ({ name, mark }) => name !== "" && mark !== "dropped",
  );
  const nameOf = (id: string) => columns.find((column) => column.id === id)?.name ?? id;
  return (
    <fieldset className="grid gap-1.5">
      <legend className="mb-1 font-medium">{props.label}</legend>
      <div className="grid max-h-60 gap-x-4 overflow-y-auto sm:grid-cols-2">
        {columns.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            isChecked={chosen.includes(id)}
            onChange={(isChecked) =>
              onChange(isChecked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
          />
        ))}
      </div>
      {chosen.length > 1 && (
        <p className="text-2 text-ink-2">{t("order", { names: chosen.map(nameOf).join(", ") })}</p>
      )}
    </fieldset>
  );
}

/** Drops a constraint in the draft, or keeps it after all. */
export function ConstraintActions({ name }: { readonly name: string }) {
  const t = useTranslations("tableDraft");
  const { draft, change, faultsAt } = useDraft();
  const isCascade = valueAt(draft.droppedConstraints, name);
  const drop = (value: boolean | undefined) => change((last) => dropConstraint(last, name, value));
  if (isCascade === undefined) {
    return (
      <ToolButton kind="danger" aria-label={t("dropNamed", { name })} onClick={() => drop(false)}>
        {t("drop")}
      </ToolButton>
    );
  }
  const isNeeded = isCascade || faultsAt(`constraint/${name}`).length > 0;
  return (
    <>
      {isNeeded && <Checkbox label={t("cascade")} isChecked={isCascade} onChange={drop} />}
      <ToolButton aria-label={t("keepNamed", { name })} onClick={() => drop(undefined)}>
        {t("keep")}
      </ToolButton>
    </>
  );
}

/** Takes a part that is being added out of the draft. */
export function NewPartActions({ id }: { readonly id: string }) {
  const t = useTranslations("tableDraft");
  const { change } = useDraft();
  return (
    <ToolButton onClick={() => change((last) => removePart(last, id))}>{t("remove")}</ToolButton>
  );
}
