import { type ReactNode, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { readableColumns, titleOf } from "../../records/model/resource.ts";
import { ColumnsMenu } from "../../records/table/columns-menu.tsx";
import { listOf, namesOf, orderOf, sortOf } from "../../records/table/rows-search.ts";
import { SearchBox } from "../../records/table/search-box.tsx";
import type { NavigationResource } from "../../shell/navigation.ts";
import { PinButton } from "../../shell/pin-button.tsx";
import { Columns3, Plus, X } from "../../ui/icons.generated.ts";
import { KeyHint, ToolButton } from "../../ui/tool-button.tsx";
import { ViewsMenu } from "../views/views-menu.tsx";
import type { RowsView } from "./use-rows-view.ts";

/** The name of the table or view, and what one can do with the whole of it. */
export function RowsHeader({
  resource,
  onNew,
  children,
}: {
  readonly resource: NavigationResource;
  /** Null for a person who may not create rows. */
  readonly onNew: (() => void) | null;
  readonly children?: ReactNode;
}) {
  const t = useTranslations("grid");
  return (
    <header className="flex min-h-11 items-center gap-2 border-line border-b px-3.5 py-2">
      <h1 className="flex min-w-0 items-baseline gap-1.5">
        <span className="truncate text-ink-2 max-sm:hidden" dir="auto">
          {resource.schema} /
        </span>
        <span className="truncate text-4 font-semibold" dir="auto" title={resource.name}>
          {titleOf(resource)}
        </span>
      </h1>
      {resource.description !== null && (
        <p
          dir="auto"
          className="min-w-0 flex-1 truncate text-ink-2 max-md:hidden"
          title={resource.description}
        >
          {resource.description}
        </p>
      )}
      <span className="flex-1" />
      <PinButton entry={{ kind: "resource", id: resource.id }} name={titleOf(resource)} />
      {children}
      {onNew !== null && (
        <ToolButton kind="primary" data-new onClick={onNew}>
          <Plus size={15} aria-hidden="true" />
          {t("new")}
          <KeyHint>N</KeyHint>
        </ToolButton>
      )}
    </header>
  );
}

/** What is chosen: the filter, the groups, the order, the columns and the searched text. */
export function RowsToolbar({
  view,
  filter,
}: {
  readonly view: RowsView;
  readonly filter: ReactNode;
}) {
  const t = useTranslations("grid");
  const [isChoosing, setChoosing] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const { resource, search, columns } = view;
  const sort = sortOf(search.order_by);
  const groups = namesOf(search.group);
  const titles = new Map(resource.columns.map((column) => [column.name, titleOf(column)]));
  const all = readableColumns(resource).length;
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-1.5 gap-y-1 border-line border-b px-3.5 py-1.5">
      {filter}
      {groups.map((name) => (
        <Chip
          key={`group ${name}`}
          text={t("groupedBy", { name: titles.get(name) ?? name })}
          remove={t("ungroup", { name: titles.get(name) ?? name })}
          onRemove={() =>
            view.change({ group: listOf(groups.filter((one) => one !== name)) }, true)
          }
        />
      ))}
      {sort.map((term) => (
        <Chip
          key={`sort ${term.name}`}
          text={t(term.isDescending ? "sortedDown" : "sortedUp", {
            name: titles.get(term.name) ?? term.name,
          })}
          remove={t("unsort", { name: titles.get(term.name) ?? term.name })}
          onRemove={() => view.change({ order_by: orderOf(sort.filter((one) => one !== term)) })}
        />
      ))}
      <span className="flex-1" />
      <ViewsMenu view={view} />
      <ToolButton
        ref={button}
        kind="bare"
        aria-expanded={isChoosing}
        onClick={() => setChoosing(true)}
      >
        <Columns3 size={15} aria-hidden="true" />
        {columns.length === all
          ? t("columns", { count: all })
          : t("columnsShown", { count: columns.length, all })}
      </ToolButton>
      <SearchBox text={search.search ?? ""} onChange={(text) => view.change({ search: text })} />
      {isChoosing && <ColumnsMenu view={view} beside={button} onClose={() => setChoosing(false)} />}
    </div>
  );
}

function Chip(props: {
  readonly text: string;
  readonly remove: string;
  readonly onRemove: () => void;
}) {
  return (
    <span className="inline-flex h-6 min-w-0 items-center overflow-hidden rounded-control border border-line-strong bg-surface text-2">
      <span className="truncate px-2" dir="auto">
        {props.text}
      </span>
      <button
        type="button"
        aria-label={props.remove}
        onClick={props.onRemove}
        className="grid h-full w-6 place-items-center border-line border-l text-ink-2 hover:bg-sunken hover:text-ink"
      >
        <X size={12} aria-hidden="true" />
      </button>
    </span>
  );
}
