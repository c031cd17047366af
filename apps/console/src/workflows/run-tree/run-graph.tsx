import { useMemo, useState } from "react";
import { useTranslations } from "use-intl";
import { IconButton } from "../../ui/icon-button.tsx";
import { ChevronLeft, ChevronRight, Flag, TriangleAlert } from "../../ui/icons.generated.ts";
import { GraphCanvas } from "../graph/graph-canvas.tsx";
import { type GraphCard, stateCardSize } from "../graph/graph-card.ts";
import { layoutGraph } from "../graph/layout-graph.ts";
import { createWalk } from "../graph/walk-graph.ts";
import { type Definition, fieldOf, idOf, isDisabled, kindOf } from "../model/definition.ts";
import { flowOf } from "../model/flow.ts";
import { summaryOf } from "../model/step-summary.ts";
import { useDuration } from "../parts/duration.tsx";
import { iconOf } from "../parts/kind-icon.ts";
import type { StepKinds } from "../parts/kinds-query.ts";
import type { Sign } from "../parts/sign.ts";
import { useRowSign } from "./row-status.tsx";
import { followRun, rowsOf } from "./run-flow.ts";
import type { Run } from "./run-queries.ts";
import { endKey, type RunRow, startKey } from "./run-rows.ts";
import type { StepIndex } from "./step-index.ts";

interface RunGraphProps {
  readonly run: Run;
  readonly definition: Definition;
  readonly kinds: StepKinds;
  readonly index: StepIndex;
  /** Milliseconds since 1970, for what has not ended. */
  readonly now: number;
  readonly selected: string;
  readonly onSelect: (key: string) => void;
}

const ends = { start: startKey, end: endKey, isEdited: false };

/** The steps of a run as a graph: how far each has come, with its time and its rows. A loop shows one of its items. */
export function RunGraph(props: RunGraphProps) {
  const { run, definition, kinds, index, now, selected, onSelect } = props;
  const t = useTranslations("workflows");
  const words = useTranslations("workflowGraph");
  const signOf = useRowSign();
  const duration = useDuration();
  const flow = useMemo(() => flowOf(definition, kinds.steps), [definition, kinds]);
  const layout = useMemo(() => layoutGraph(flow, { ...ends, sizeOf: () => stateCardSize }), [flow]);
  const walk = useMemo(() => createWalk(flow, ends), [flow]);
  const [picked, pick] = useState<ReadonlyMap<string, number>>(new Map());
  const isOver = run.finishedAt !== null;
  const followed = useMemo(
    () => followRun(flow, index, (loop) => itemIn(selected, loop) ?? picked.get(loop), isOver),
    [flow, index, selected, picked, isOver],
  );
  const counts = useMemo(() => rowsOf(run.steps), [run.steps]);
  const titles = useMemo(
    () => new Map(kinds.steps.map(({ kind, title }) => [kind, title])),
    [kinds],
  );
  const cards = new Map<string, GraphCard>();
  for (const [key, row] of followed.rows) cards.set(key, cardOf(key, row));
  cards.set(startKey, {
    icon: iconOf(kindOf(fieldOf(definition, "trigger"))),
    ...{ name: t("start"), text: t(`origins.${run.origin}`) },
    state: signOf({ type: "start", key: startKey, ...edge }, run),
  });
  cards.set(endKey, {
    ...{ icon: Flag, name: t("end"), text: t("result") },
    state: signOf({ type: "end", key: endKey, ...edge }, run),
  });
  function cardOf(key: string, row: Extract<RunRow, { type: "step" }>): GraphCard {
    const { step, record, items } = row;
    const kind = kindOf(step);
    const title = titles.get(kind) ?? kind;
    const summary = summaryOf(step);
    const rows = counts.get(row.key);
    const parts = [
      ...(rows === undefined ? [] : [t("rowCount", { count: rows })]),
      ...(record === undefined ? [] : [duration(timeOf(record, now))]),
    ];
    return {
      ...{ icon: iconOf(kind), name: idOf(step) },
      text: summary === "" ? title : `${title} · ${summary}`,
      state: items.length > 0 ? stateOfItems(row) : signOf(row, run),
      detail: parts.length === 0 ? undefined : parts.join(" · "),
      isFaint: followed.unreached.has(key) || isDisabled(step),
      isOff: isDisabled(step),
    };
  }
  function stateOfItems(row: Extract<RunRow, { type: "step" }>): Sign | undefined {
    const failed = row.items.filter(({ status }) => status === "FAILED").length;
    const sign = signOf(row, run);
    const text = t("itemCounts", { count: row.items.length, failed });
    // A loop goes on after an item whose failure is handled.
    if (failed > 0 && sign?.tone === "ok") return { icon: TriangleAlert, text, tone: "warn" };
    return sign && { ...sign, text };
  }
  const pathOf = (key: string) => followed.rows.get(key)?.key ?? key;
  const keyOf = (path: string) =>
    [...followed.rows].find(([, row]) => row.key === path)?.[0] ??
    (path === endKey || path === startKey ? path : undefined);
  // The row of an item is that of its loop.
  const chosen = keyOf(selected) ?? keyOf(selected.slice(0, selected.lastIndexOf("."))) ?? startKey;
  const select = (path: string) => {
    pick(new Map([...picked, ...followed.items]));
    onSelect(path);
  };
  return (
    <GraphCanvas
      {...{ layout, cards, walk, chosen }}
      label={words("label")}
      name={`${run.workflowSlug}-${run.id.slice(0, 8)}`}
      onChoose={(key) => select(pathOf(key))}
      onOpen={(key) => select(pathOf(key))}
      isFaint={({ from, to, branch }) =>
        followed.unreached.has(from) ||
        (to !== undefined && followed.unreached.has(to)) ||
        (branch !== undefined && followed.untaken.has(branch))
      }
    >
      {(scale) =>
        layout.frames.map(({ owner, x, y, width, height }) => {
          const row = followed.rows.get(owner);
          const item = row && followed.items.get(row.key);
          if (row === undefined || item === undefined) return null;
          return (
            <ItemChoice
              key={owner}
              left={(x + width) * scale}
              top={(y + height) * scale}
              item={item}
              indexes={row.items.map((one) => one.index).toSorted((one, other) => one - other)}
              onChoose={(next) => select(`${row.key}.${next}`)}
            />
          );
        })
      }
    </GraphCanvas>
  );
}

const edge = { level: 1, parent: undefined, isOpen: undefined };

/** The item of a loop to which a path leads; undefined for a path outside of it. */
function itemIn(path: string, loop: string): number | undefined {
  if (!path.startsWith(`${loop}.`)) return undefined;
  return Number(path.slice(loop.length + 1).split(".", 1)[0]);
}

function timeOf(
  { startedAt, finishedAt }: { readonly startedAt: string; readonly finishedAt: string | null },
  now: number,
): number {
  return (finishedAt === null ? now : Date.parse(finishedAt)) - Date.parse(startedAt);
}

interface ItemChoiceProps {
  readonly left: number;
  readonly top: number;
  readonly item: number;
  /** The positions of the items that the run has reached, in ascending order. */
  readonly indexes: readonly number[];
  readonly onChoose: (item: number) => void;
}

/** Which item of a loop the graph shows, at the end of the loop's outline. */
function ItemChoice({ left, top, item, indexes, onChoose }: ItemChoiceProps) {
  const t = useTranslations("workflows");
  const words = useTranslations("workflowGraph");
  const at = indexes.indexOf(item);
  const [before, after] = [indexes[at - 1], indexes[at + 1]];
  const to = (next: number | undefined) => (next === undefined ? null : () => onChoose(next));
  return (
    <div
      className="absolute flex whitespace-nowrap -translate-x-full -translate-y-1/2 items-center rounded-full border border-line bg-canvas text-2 text-ink-2"
      style={{ left: left - 10, top }}
      onPointerDown={(event) => event.stopPropagation()}
    >
      <IconButton label={words("itemBefore")} icon={ChevronLeft} onPress={to(before)} isSmall />
      <span role="status">{t("item", { number: item })}</span>
      <IconButton label={words("itemAfter")} icon={ChevronRight} onPress={to(after)} isSmall />
    </div>
  );
}
