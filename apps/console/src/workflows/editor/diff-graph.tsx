import { useMemo } from "react";
import { useTranslations } from "use-intl";
import { ArrowUpDown, Minus, Pencil, Plus } from "../../ui/icons.generated.ts";
import { GraphCanvas } from "../graph/graph-canvas.tsx";
import { cardSize, type GraphCard, stateCardSize } from "../graph/graph-card.ts";
import { layoutGraph } from "../graph/layout-graph.ts";
import { createWalk } from "../graph/walk-graph.ts";
import { type Definition, fieldOf, idOf, kindOf } from "../model/definition.ts";
import { flowOf, walkFlow } from "../model/flow.ts";
import { mergeFlows } from "../model/merge-flows.ts";
import { triggerKey } from "../model/outline.ts";
import { summaryOf, triggerSummary } from "../model/step-summary.ts";
import { iconOf } from "../parts/kind-icon.ts";
import type { StepKinds } from "../parts/kinds-query.ts";
import type { Sign } from "../parts/sign.ts";
import { ChangeList, type EditionChange } from "./change-list.tsx";
import { useRowTitles } from "./use-row-titles.ts";

interface DiffGraphProps {
  readonly before: Definition;
  readonly after: Definition;
  readonly changes: readonly EditionChange[];
  readonly kinds: StepKinds;
  readonly name: string;
  /** The key of the chosen step; by default the first one that differs. */
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
}

const ends = { start: triggerKey, end: undefined, isEdited: false };

const looks = {
  STEP_ADDED: { icon: Plus, tone: "ok" },
  STEP_REMOVED: { icon: Minus, tone: "danger" },
  STEP_MOVED: { icon: ArrowUpDown, tone: "accent" },
  CHANGED: { icon: Pencil, tone: "warn" },
} as const;

/** Two definitions as one graph: which steps were added, removed, moved or changed, and how the chosen one differs. */
export function DiffGraph(props: DiffGraphProps) {
  const { before, after, changes, kinds, onChoose } = props;
  const t = useTranslations("workflowEditor");
  const words = useTranslations("workflowGraph");
  const titles = useRowTitles(kinds);
  const byStep = useMemo(() => {
    const groups = new Map<string, EditionChange[]>();
    for (const change of changes) {
      const key = change.step ?? triggerKey;
      const known = groups.get(key);
      if (known === undefined) groups.set(key, [change]);
      else known.push(change);
    }
    return groups;
  }, [changes]);
  const flow = useMemo(
    () => mergeFlows(flowOf(before, kinds.steps), flowOf(after, kinds.steps)),
    [before, after, kinds],
  );
  const layout = useMemo(() => {
    const sizeOf = (key: string) => (byStep.has(key) ? stateCardSize : cardSize);
    return layoutGraph(flow, { ...ends, sizeOf });
  }, [flow, byStep]);
  const walk = useMemo(() => createWalk(flow, ends), [flow]);
  const stateOf = (key: string): Sign | undefined => {
    const [first] = byStep.get(key) ?? [];
    return first && { ...looks[first.kind], text: t(`changeKinds.${first.kind}`) };
  };
  const titleOf = new Map(kinds.steps.map(({ kind, title }) => [kind, title]));
  const trigger = fieldOf(after, "trigger");
  const cards = new Map<string, GraphCard>();
  const add = (key: string, kind: string, name: string, title: string, summary: string) => {
    const text = summary === "" ? title : `${title} · ${summary}`;
    const isFaint = byStep.get(key)?.[0]?.kind === "STEP_REMOVED";
    cards.set(key, { icon: iconOf(kind), name, text, state: stateOf(key), isFaint });
  };
  const kindOfTrigger = kindOf(trigger);
  const triggerRow = { type: "trigger", key: triggerKey, kind: kindOfTrigger } as const;
  const rest = { level: 1, position: 1, siblings: 1, parent: undefined, isOpen: undefined };
  const triggerTitle = titles({ ...triggerRow, ...rest });
  add(triggerKey, kindOfTrigger, t("trigger"), triggerTitle, triggerSummary(trigger));
  for (const { key, step } of walkFlow(flow)) {
    const kind = kindOf(step);
    add(key, kind, idOf(step) || t("noId"), titleOf.get(kind) ?? kind, summaryOf(step));
  }
  const first = [...cards.keys()].find((key) => byStep.has(key)) ?? triggerKey;
  const chosen = props.chosen !== undefined && cards.has(props.chosen) ? props.chosen : first;
  const own = byStep.get(chosen) ?? [];
  return (
    <div className="grid rounded-panel border border-line lg:h-[70dvh] lg:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)]">
      <div className="flex min-h-0 min-w-0 flex-col">
        <GraphCanvas
          {...{ layout, cards, walk, chosen, onChoose }}
          label={words("label")}
          name={props.name}
          onOpen={onChoose}
          isFaint={({ from, to }) =>
            [from, to].some((key) => key !== undefined && cards.get(key)?.isFaint === true)
          }
        />
      </div>
      <section
        aria-label={t("changes")}
        className="grid min-h-0 content-start gap-3 overflow-y-auto border-line p-4 max-lg:border-t lg:border-l"
      >
        <h3 className="font-semibold text-4">
          <bdi>{cards.get(chosen)?.name}</bdi>
        </h3>
        {own.length === 0 ? (
          <p className="text-ink-2">{t("versions.unchanged")}</p>
        ) : (
          <ChangeList changes={own} />
        )}
      </section>
    </div>
  );
}
