import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { OpenMenu } from "../../ui/menu.tsx";
import { type Definition, idOf } from "../model/definition.ts";
import type { Place } from "../model/edit-steps.ts";
import type { OutlineRow } from "../model/outline.ts";
import type { StepKinds } from "../parts/kinds-query.ts";
import { AddStepDialog } from "./add-step-dialog.tsx";
import { type Deed, placeOfRow } from "./step-deeds.ts";
import type { TreeDeeds } from "./tree-keys.ts";
import { useRowMenu } from "./use-row-menu.ts";
import { useRowTitles } from "./use-row-titles.ts";
import { useStepEdits } from "./use-step-edits.ts";

/** What the tree and the graph of a definition are given. */
export interface StepViewProps {
  readonly definition: Definition;
  readonly kinds: StepKinds;
  readonly isLocked: boolean;
  /** The key of the chosen row: that of a step, or the trigger's. */
  readonly chosen: string;
  /** The numbers of faults by the key of their row. */
  readonly faults: ReadonlyMap<string, { readonly errors: number; readonly warnings: number }>;
  readonly onChoose: (key: string) => void;
  /** The form of the chosen row gets the focus. */
  readonly onOpen: (key: string) => void;
  readonly onDeed: (deed: Deed) => void;
  /** Tests the workflow up to a step. */
  readonly onTestUntil: (key: string) => void;
}

/** What the tree and the graph share: the changes of steps, the menu of a row and the choice of a new step's kind. */
export function useStepView(
  { definition, kinds, isLocked, onDeed, onTestUntil }: StepViewProps,
  view: {
    /** The form of a row is opened, or its inner rows. */
    readonly onOpen: (row: OutlineRow) => void;
    /** The element of a row. */
    readonly elementOf: (row: OutlineRow) => Element | null;
    readonly onMenuClose: () => void;
  },
) {
  const t = useTranslations("workflowEditor");
  const edits = useStepEdits(definition, kinds.steps, isLocked ? undefined : onDeed);
  const titles = useRowTitles(kinds);
  const menuOf = useRowMenu();
  const [adding, setAdding] = useState<Place>();
  const add = (place: Place) => {
    if (!isLocked) setAdding(place);
  };
  const [menu, setMenu] = useState<{ readonly row: OutlineRow; readonly beside: Element }>();
  const beside = useRef<Element>(null);
  beside.current = menu?.beside ?? null;
  const menuFor = (row: OutlineRow) =>
    menuOf(row, {
      ...{ definition, kinds: kinds.steps, isLocked, deeds: edits.deeds, onAdd: add, onTestUntil },
      onDeed: (deed) => edits.make(deed),
    });
  const openMenu = (row: OutlineRow, element: Element | null) => {
    if (element !== null && menuFor(row).length > 0) setMenu({ row, beside: element });
  };
  const open = (row: OutlineRow) => (row.type === "add" ? add(placeOfRow(row)) : view.onOpen(row));
  const deeds: TreeDeeds = {
    ...{ ...edits, open },
    add: (row) => add(placeOfRow(row)),
    openMenu: (row) => openMenu(row, view.elementOf(row)),
  };
  const overlays = (
    <>
      <p role="status" className="sr-only">
        {edits.said}
      </p>
      {menu !== undefined && (
        <OpenMenu
          label={t("menuOf", {
            name: menu.row.type === "step" ? idOf(menu.row.step) : titles(menu.row),
          })}
          groups={menuFor(menu.row)}
          beside={beside}
          onClose={() => {
            setMenu(undefined);
            view.onMenuClose();
          }}
        />
      )}
      {adding !== undefined && (
        <AddStepDialog
          kinds={kinds.steps}
          onClose={() => setAdding(undefined)}
          onChoose={({ kind }) => {
            setAdding(undefined);
            edits.make(edits.deeds.add(kind, adding));
          }}
        />
      )}
    </>
  );
  return { edits, titles, deeds, overlays, add, open, openMenu };
}
