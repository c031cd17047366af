import { useTranslations } from "use-intl";
import {
  ArrowDown,
  ArrowUp,
  Ban,
  CirclePlay,
  Copy,
  CopyPlus,
  FlaskConical,
  IndentDecrease,
  IndentIncrease,
  Plus,
  ShieldAlert,
  Trash2,
} from "../../ui/icons.generated.ts";
import type { MenuEntry, MenuGroup } from "../../ui/menu.tsx";
import { type Definition, isDisabled } from "../model/definition.ts";
import type { Place } from "../model/edit-steps.ts";
import type { Direction } from "../model/keyboard-moves.ts";
import { type OutlineRow, placeAfter } from "../model/outline.ts";
import { splitPointer } from "../model/pointer.ts";
import { branchTitle } from "../model/step-summary.ts";
import type { StepKind } from "../parts/kinds-query.ts";
import { copiedText, type Deed, listsOf, mayAddHandler, type StepDeeds } from "./step-deeds.ts";

interface RowMenuContext {
  readonly definition: Definition;
  readonly kinds: readonly StepKind[];
  readonly isLocked: boolean;
  readonly deeds: StepDeeds;
  /** Asks for the kind of a new step at a place. */
  readonly onAdd: (place: Place) => void;
  readonly onDeed: (deed: Deed | undefined) => void;
  /** Tests the workflow up to a step. */
  readonly onTestUntil: (key: string) => void;
}

/** Returns the entries of the menu of a row; none for the trigger. */
export function useRowMenu(): (row: OutlineRow, context: RowMenuContext) => readonly MenuGroup[] {
  const t = useTranslations("workflowEditor");
  const groupsOf = (row: OutlineRow, context: RowMenuContext): readonly MenuGroup[] => {
    const { definition, kinds, deeds, onAdd, onDeed, onTestUntil } = context;
    const add = (id: string, label: string, place: Place): MenuEntry => ({
      ...{ id, label, icon: Plus, onPress: () => onAdd(place) },
    });
    if (row.type === "branch") {
      const remove: MenuEntry = {
        ...{ id: "remove", label: t("removeHandler"), icon: Trash2, isDangerous: true },
        onPress: () => onDeed(deeds.removeHandler(row.list)),
      };
      return [
        { id: "add", entries: [add("first", t("addFirst"), { list: row.list, index: 0 })] },
        ...(row.isHandler ? [{ id: "remove", entries: [remove] }] : []),
      ];
    }
    if (row.type === "add") {
      return [{ id: "add", entries: [add("here", t("addStep"), row)] }];
    }
    if (row.type !== "step") return [];
    const { pointer } = row;
    const move = (direction: Direction, icon: typeof ArrowUp, keys: string): MenuEntry => {
      const deed = deeds.move(pointer, direction);
      return {
        ...{ id: direction, label: t(`move.${direction}`), icon, hint: keys },
        isDisabled: deed === undefined,
        onPress: () => onDeed(deed),
      };
    };
    const inside = listsOf(definition, kinds, pointer).map(({ list, keys, title, length }) =>
      add(`in ${list}`, t("addInside", { list: branchTitle(keys, title) }), {
        list,
        index: length,
      }),
    );
    const handler: MenuEntry = {
      ...{ id: "handler", label: t("addHandler"), icon: ShieldAlert },
      onPress: () => onDeed(deeds.addHandler(pointer)),
    };
    return [
      {
        id: "add",
        entries: [
          add("before", t("addBefore"), splitPointer(pointer)),
          { ...add("after", t("addAfter"), placeAfter(pointer)), hint: "+" },
          ...inside,
          ...(mayAddHandler(definition, kinds, pointer) ? [handler] : []),
        ],
      },
      {
        id: "move",
        entries: [
          move("up", ArrowUp, "Alt ↑"),
          move("down", ArrowDown, "Alt ↓"),
          move("in", IndentIncrease, "Alt →"),
          move("out", IndentDecrease, "Alt ←"),
        ],
      },
      {
        id: "copy",
        entries: [
          {
            ...{ id: "duplicate", label: t("duplicate"), icon: CopyPlus, hint: "Ctrl D" },
            onPress: () => onDeed(deeds.duplicate(pointer)),
          },
          {
            ...{ id: "copy", label: t("copy"), icon: Copy, hint: "Ctrl C" },
            onPress: () => void navigator.clipboard?.writeText(copiedText(definition, pointer)),
          },
        ],
      },
      {
        id: "test",
        entries: [
          {
            ...{ id: "test", label: t("testUntil"), icon: FlaskConical },
            onPress: () => onTestUntil(row.key),
          },
          {
            ...{ id: "disable", icon: isDisabled(row.step) ? CirclePlay : Ban },
            label: t(isDisabled(row.step) ? "enableStep" : "disableStep"),
            onPress: () => onDeed(deeds.toggleDisabled(pointer)),
          },
        ],
      },
      {
        id: "delete",
        entries: [
          {
            ...{ id: "delete", label: t("delete"), icon: Trash2, isDangerous: true, hint: "Del" },
            onPress: () => onDeed(deeds.remove(pointer)),
          },
        ],
      },
    ];
  };
  return (row, context) => {
    const groups = groupsOf(row, context);
    if (!context.isLocked) return groups;
    return groups.map(({ entries, ...group }) => ({
      ...group,
      entries: entries.map((one) => ({ ...one, isDisabled: !harmless.has(one.id) })),
    }));
  };
}

/** The entries that change nothing. */
const harmless: ReadonlySet<string> = new Set(["copy", "test"]);
