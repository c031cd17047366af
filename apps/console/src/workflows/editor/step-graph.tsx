import { useMemo, useRef } from "react";
import { useTranslations } from "use-intl";
import { Ban, CircleAlert, MessageSquareText, TriangleAlert } from "../../ui/icons.generated.ts";
import { cardButton, GraphCanvas } from "../graph/graph-canvas.tsx";
import { cardSize, type GraphCard, type GraphEdits } from "../graph/graph-card.ts";
import { layoutGraph } from "../graph/layout-graph.ts";
import { createWalk } from "../graph/walk-graph.ts";
import { fieldOf, idOf, isDisabled, kindOf, noteOf } from "../model/definition.ts";
import { flowOf } from "../model/flow.ts";
import { type OutlineRow, outlineOf, triggerKey } from "../model/outline.ts";
import { summaryOf, triggerSummary } from "../model/step-summary.ts";
import { iconOf } from "../parts/kind-icon.ts";
import type { Sign } from "../parts/sign.ts";
import { type StepViewProps, useStepView } from "./step-view.tsx";
import { actOnRow } from "./tree-keys.ts";
import { moves } from "./use-tree-drag.ts";

const ends = { start: triggerKey, end: undefined, isEdited: true };

/** The steps of a definition as a graph, with the keys, the menu and the moves of the tree. */
export function StepGraph(props: StepViewProps & { readonly name: string }) {
  const { definition, kinds, isLocked, chosen, faults, onChoose, onOpen } = props;
  const t = useTranslations("workflowGraph");
  const editor = useTranslations("workflowEditor");
  const place = useRef<HTMLDivElement>(null);
  const flow = useMemo(() => flowOf(definition, kinds.steps), [definition, kinds]);
  const rows = useMemo(
    () =>
      new Map(outlineOf(definition, kinds.steps, new Set()).map((row) => [row.key, row] as const)),
    [definition, kinds],
  );
  const layout = useMemo(() => layoutGraph(flow, { ...ends, sizeOf: () => cardSize }), [flow]);
  const walk = useMemo(() => createWalk(flow, ends), [flow]);
  const { edits, titles, deeds, overlays, add, open, openMenu } = useStepView(props, {
    onOpen: (row) => onOpen(row.key),
    elementOf: ({ key }) => cardButton(place.current, key) ?? null,
    onMenuClose: () => cardButton(place.current, chosen)?.focus(),
  });
  const cards = new Map<string, GraphCard>();
  for (const [key, row] of rows) {
    if (row.type !== "step" && row.type !== "trigger") continue;
    const isStep = row.type === "step";
    const kind = isStep ? kindOf(row.step) : row.kind;
    const summary = isStep ? summaryOf(row.step) : triggerSummary(fieldOf(definition, "trigger"));
    const title = titles(row);
    const isOff = isStep && isDisabled(row.step);
    const parts = [...(isOff ? [editor("isDisabled")] : []), title, summary];
    cards.set(key, {
      icon: iconOf(kind),
      name: isStep ? idOf(row.step) || editor("noId") : editor("trigger"),
      text: parts.filter((part) => part !== "").join(" · "),
      isOff,
      hasMenu: isStep,
      sign: signOf(key, row),
    });
  }
  function signOf(key: string, row: OutlineRow): Sign | undefined {
    const { errors = 0, warnings = 0 } = faults.get(key) ?? {};
    if (errors > 0) {
      return { icon: CircleAlert, text: editor("faultCount", { count: errors }), tone: "danger" };
    }
    if (warnings > 0) {
      const text = editor("warningCount", { count: warnings });
      return { icon: TriangleAlert, text, tone: "warn" };
    }
    if (row.type !== "step") return undefined;
    if (isDisabled(row.step)) return { icon: Ban, text: editor("isDisabled"), tone: "plain" };
    const note = noteOf(row.step);
    return note === "" ? undefined : { icon: MessageSquareText, text: note, tone: "plain" };
  }
  const rowOf = (key: string) => rows.get(key);
  const pointerOf = (key: string) => {
    const row = rows.get(key);
    return row?.type === "step" ? row.pointer : undefined;
  };
  const active = rowOf(chosen);
  const graphEdits: GraphEdits = {
    onKey: (event, key) => {
      const row = rowOf(key);
      return row !== undefined && actOnRow(event, row, deeds);
    },
    openMenu: (key, beside) => {
      const row = rowOf(key);
      if (row !== undefined) openMenu(row, beside);
    },
    insert: ({ list, index }) => add({ list, index }),
    fits: (key, target) => {
      const pointer = pointerOf(key);
      return pointer !== undefined && moves(pointer, target);
    },
    moveTo: (key, { list, index }) => {
      const pointer = pointerOf(key);
      if (pointer !== undefined) edits.moveTo(pointer, { list, index });
    },
  };
  return (
    // Steps are copied and pasted as in the tree.
    <div
      ref={place}
      className="flex min-h-0 min-w-0 flex-1"
      onCopy={(event) => edits.copy(event, active)}
      onCut={(event) => edits.cut(event, active)}
      onPaste={(event) => edits.paste(event, active)}
    >
      <GraphCanvas
        {...{ layout, cards, walk, chosen, onChoose }}
        label={t("label")}
        name={props.name}
        onOpen={(key) => {
          const row = rowOf(key);
          if (row !== undefined) open(row);
        }}
        {...(isLocked ? {} : { edits: graphEdits })}
      />
      {overlays}
    </div>
  );
}
