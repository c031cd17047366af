import { type ClipboardEvent, useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { type Definition, idOf, type KindBranches } from "../model/definition.ts";
import type { Direction } from "../model/keyboard-moves.ts";
import type { OutlineRow } from "../model/outline.ts";
import { copiedText, type Deed, placeOfRow, stepDeeds } from "./step-deeds.ts";

/**
 * Changes the steps of a definition from its tree. `said` is the message for a screen reader after the last change.
 *
 * @param onDeed takes each change that is possible; undefined if none is allowed
 */
export function useStepEdits(
  definition: Definition,
  kinds: readonly KindBranches[],
  onDeed: ((deed: Deed) => void) | undefined,
) {
  const t = useTranslations("workflowEditor");
  const deeds = useMemo(() => stepDeeds(definition, kinds), [definition, kinds]);
  const [said, say] = useState("");
  const make = (deed: Deed | undefined, done?: string) => {
    if (deed === undefined || onDeed === undefined) return;
    onDeed(deed);
    if (done !== undefined) say(done);
  };
  const copy = (event: ClipboardEvent, row: OutlineRow | undefined) => {
    if (row?.type !== "step") return undefined;
    event.preventDefault();
    event.clipboardData.setData("text/plain", copiedText(definition, row.pointer));
    return row.pointer;
  };
  return {
    deeds,
    said,
    make,
    moveTo: (...place: Parameters<typeof deeds.moveTo>) => make(deeds.moveTo(...place), t("moved")),
    move: (row: OutlineRow, direction: Direction) => {
      if (row.type !== "step") return;
      const deed = deeds.move(row.pointer, direction);
      if (deed === undefined) say(t("notMoved"));
      else make(deed, t("moved"));
    },
    remove: (row: OutlineRow) => {
      if (row.type !== "step") return;
      make(deeds.remove(row.pointer), t("removed", { name: idOf(row.step) }));
    },
    duplicate: (row: OutlineRow) => {
      if (row.type === "step") make(deeds.duplicate(row.pointer));
    },
    copy,
    cut: (event: ClipboardEvent, row: OutlineRow | undefined) => {
      const pointer = copy(event, row);
      if (pointer !== undefined) make(deeds.remove(pointer));
    },
    paste: (event: ClipboardEvent, row: OutlineRow | undefined) => {
      if (row === undefined) return;
      const deed = deeds.paste(event.clipboardData.getData("text/plain"), placeOfRow(row));
      if (deed === undefined) say(t("notPasted"));
      else event.preventDefault();
      make(deed);
    },
  };
}
