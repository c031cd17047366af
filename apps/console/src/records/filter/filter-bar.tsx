import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import type { NavigationResource } from "../../shell/navigation.ts";
import { ListFilter, Plus } from "../../ui/icons.generated.ts";
import { ToolButton } from "../../ui/tool-button.tsx";
import { useRowTitles } from "../model/use-row-titles.ts";
import { FilterChip } from "./filter-chip.tsx";
import type { Draft } from "./filter-draft.ts";
import { type FilterFault, faultsByNode, isFilterFault } from "./filter-faults.ts";
import { type FilterEdit, type GroupNode, replaceNode, type Where } from "./filter-tree.ts";
import { compositesIn, referencesIn } from "./filter-words.ts";
import { readWhere } from "./read-where.ts";
import { writeWhere } from "./write-where.ts";

const FilterPanel = lazy(() =>
  import("./filter-panel.tsx").then((module) => ({ default: module.FilterPanel })),
);

interface FilterBarProps {
  readonly resource: NavigationResource;
  readonly resources: readonly NavigationResource[];
  readonly where: Where | undefined;
  readonly onChange: (where: Where | undefined) => void;
  /** The faults of the request that had this filter. Those of other parameters are ignored. */
  readonly faults: readonly FilterFault[];
  /** The editor of values that are templates; without it, none can be one. */
  readonly Template?: FilterEdit["Template"];
}

/** The filter of a list as chips; a press opens the builder and the text. */
export function FilterBar(props: FilterBarProps) {
  const { resource, resources, where, onChange, faults } = props;
  const t = useTranslations("filter");
  const [focus, setFocus] = useState<{ readonly id: string | null } | null>(null);
  // What was changed and not applied stays while the panel is closed.
  const [draft, keepDraft] = useState<Draft | null>(null);
  const bar = useRef<HTMLDivElement>(null);
  const tree = useMemo(() => readWhere(where ?? {}), [where]);
  const byId = useMemo(() => new Map(resources.map((one) => [one.id, one])), [resources]);
  const own = useMemo(() => faults.filter(isFilterFault), [faults]);
  const faultOf = useMemo(() => faultsByNode(tree, writeWhere(tree), own), [tree, own]);
  const titleOf = useRowTitles(
    useMemo(() => referencesIn(tree, resource, byId), [tree, resource, byId]),
  );
  const composites = compositesIn(tree, resource).flatMap((one) => {
    const title = titleOf(one.relation, one.values);
    return title === undefined ? [] : [{ ...one, title }];
  });
  const compositeOf = (id: string) =>
    composites.find(({ nodes }) => nodes.some((node) => node.id === id));
  const apply = (next: Where | undefined) => {
    keepDraft(null);
    onChange(next === undefined || Object.keys(next).length === 0 ? undefined : next);
  };
  const isChanged = draft !== null && draft.base === where;
  const messages = [...new Set(faultOf.values())];
  return (
    <div ref={bar} className="flex min-w-0 flex-wrap items-center gap-1.5">
      {tree.nodes.map((node) => {
        const composite = compositeOf(node.id);
        const nodes = composite?.nodes ?? [node];
        // The first of the conditions that refer to one row stands for all of them.
        if (nodes[0]?.id !== node.id) return null;
        return (
          <FilterChip
            key={node.id}
            node={node}
            resource={resource}
            resources={byId}
            faults={faultOf}
            titleOf={titleOf}
            composite={composite}
            onOpen={() => setFocus({ id: node.id })}
            onRemove={() => {
              const rest = nodes.reduce<GroupNode>(
                (left, { id }) => replaceNode(left, id, null),
                tree,
              );
              apply(writeWhere(rest).where);
            }}
          />
        );
      })}
      <ToolButton
        kind="bare"
        aria-haspopup="dialog"
        data-filter
        onClick={() => setFocus({ id: null })}
      >
        {isChanged ? (
          <ListFilter size={14} aria-hidden="true" className="text-warn" />
        ) : (
          <Plus size={14} aria-hidden="true" />
        )}
        {isChanged ? t("unapplied") : t("add")}
      </ToolButton>
      {tree.nodes.length > 1 && (
        <ToolButton kind="bare" onClick={() => apply(undefined)}>
          {t("clear")}
        </ToolButton>
      )}
      {messages.length > 0 && (
        <p role="alert" dir="auto" className="w-full text-2 text-danger">
          {messages.join(" ")}
        </p>
      )}
      {focus !== null && (
        <Suspense fallback={null}>
          <FilterPanel
            resource={resource}
            resources={byId}
            anchor={bar}
            where={where}
            tree={tree}
            focusId={focus.id}
            faults={own}
            Template={props.Template}
            draft={isChanged ? draft : null}
            onDraft={keepDraft}
            onApply={(next) => {
              setFocus(null);
              apply(next);
            }}
            onClose={() => setFocus(null)}
          />
        </Suspense>
      )}
    </div>
  );
}
