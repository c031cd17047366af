import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { useFormatter, useTranslations } from "use-intl";
import type { GridColumn } from "../../../records/grid/grid-column.ts";
import { recordPath } from "../../../records/model/record-path.ts";
import { type Row, titleOf } from "../../../records/model/resource.ts";
import type { PresentationOf } from "../../../records/readings/presentation.ts";
import { readingColumns } from "../../../records/readings/reading-columns.ts";
import { fieldsToRead } from "../../../records/readings/reading-table.tsx";
import { RowsFrame } from "../../../records/readings/rows-frame.tsx";
import type { GridRow } from "../../../records/rows/row-store.ts";
import { type RowChanges, useRowChanges } from "../../../records/rows/use-row-changes.ts";
import { CellValue } from "../../../records/values/cell-value.tsx";
import { valueText } from "../../../records/values/show-value.ts";
import { useWays, type Ways } from "../../../records/values/ways.ts";
import { ArrowDown, ArrowUp, Lock } from "../../../ui/icons.generated.ts";
import type { MenuGroup } from "../../../ui/menu.tsx";
import type { ViewGroup } from "../../model/open-view.ts";
import { type LayoutProps, titleText } from "../layout-parts.tsx";
import { cardKey } from "./card-keys.ts";
import { orderAt, settableOrder, sortedCards } from "./card-order.ts";
import { KanbanCard } from "./kanban-card.tsx";
import { KanbanColumn } from "./kanban-column.tsx";
import { type BoardColumn, groupKey, useBoard } from "./use-board.ts";

/** The rows as cards in a column for each value of a field. Moving a card changes that value of its row. */
export function KanbanView({
  presentation,
  ...props
}: LayoutProps & { readonly presentation: PresentationOf<"kanban"> }) {
  const { answer, resource, resources, state } = props;
  const t = useTranslations("dataView");
  const format = useFormatter();
  const ways = useWays();
  const place = useRef<HTMLDivElement>(null);
  const [moving, setMoving] = useState<Moving>(new Map());
  const [active, setActive] = useState<string>();
  const [draft, setDraft] = useState<Row | null>(null);
  const items = useMemo(() => readingColumns(answer.data, resource), [answer, resource]);
  const item = items.get(presentation.group);
  const title = items.get(presentation.title);
  const color = items.get(presentation.color ?? "");
  const orderItem = items.get(presentation.order ?? "");
  const shown = (presentation.fields ?? []).flatMap((field) => items.get(field) ?? []);
  const fields = useMemo(() => fieldsToRead(resource, answer.data), [resource, answer]);
  const board = useBoard(props, item, moving);
  const changes = useRowChanges(resource, fields, board.store);
  const order = settableOrder(orderItem, resource);
  const { move, said } = useMoves({ changes, group: item, order, setMoving });
  const columns = board.columns.map((column) => ({
    ...column,
    rows: sortedCards(column.rows, orderItem),
  }));
  const mayMove = resource.columns.find(({ name }) => name === item?.name)?.updatable === true;
  const mayCreate =
    resource.actions.includes("CREATE") &&
    resource.columns.find(({ name }) => name === item?.name)?.creatable === true;
  const mayTake = (column: BoardColumn, row: GridRow) =>
    row.key !== null &&
    mayMove &&
    !column.group.closed &&
    !column.rows.some(({ id }) => id === row.id);
  const nameOf = (column: BoardColumn) => groupText(item, column.group, ways, t("noGroup"));
  const begin = async (row: GridRow, from: BoardColumn, to: CardPlace) => {
    await move(row, from, to, { card: titleText(title, row, ways), column: nameOf(to.column) });
    // The card has another place in the document.
    requestAnimationFrame(() => focusCard(place.current, row.id));
  };
  const open = (row: GridRow) => {
    if (row.key !== null) props.onOpen([recordPath(resource, row.key)], true);
  };
  const shift = (row: GridRow, column: BoardColumn, by: number): CardPlace | null => {
    const at = column.rows.indexOf(row);
    const position = at + by;
    if (order === undefined || position < 0 || position >= column.rows.length) return null;
    return { column, position };
  };
  const menuOf = (row: GridRow, column: BoardColumn) => (): readonly MenuGroup[] => {
    const [up, down] = [shift(row, column, -1), shift(row, column, 1)];
    const step = (id: string, to: CardPlace | null, label: string, icon: typeof ArrowUp) => ({
      ...{ id, label, icon, isDisabled: to === null },
      onPress: () => {
        if (to !== null) void begin(row, column, to);
      },
    });
    return [
      {
        id: "columns",
        title: t("moveToColumn"),
        entries: columns
          .filter(({ key }) => key !== column.key)
          .map((target) => ({
            id: target.key,
            label: nameOf(target),
            isDisabled: !mayTake(target, row),
            ...(target.group.closed ? { icon: Lock, hint: t("closed") } : {}),
            onPress: () => void begin(row, column, { column: target }),
          })),
      },
      ...(order === undefined
        ? []
        : [
            {
              id: "order",
              entries: [
                step("up", up, t("moveUp"), ArrowUp),
                step("down", down, t("moveDown"), ArrowDown),
              ],
            },
          ]),
    ];
  };
  const press = (event: KeyboardEvent, row: GridRow, column: BoardColumn): void => {
    const pressed = cardKey(event);
    if (pressed === null) return;
    event.preventDefault();
    const at = columns.findIndex(({ key }) => key === column.key);
    if (pressed.kind === "FOCUS") {
      const target = nextColumn(columns, at, pressed.columns, ({ rows }) => rows.length > 0);
      const index = column.rows.indexOf(row) + pressed.cards;
      const found = target?.rows[Math.max(0, Math.min(index, target.rows.length - 1))];
      if (found !== undefined) focusCard(place.current, found.id);
    } else if (mayMove || order !== undefined) {
      const target =
        pressed.columns === 0
          ? shift(row, column, pressed.cards)
          : (nextColumn(columns, at, pressed.columns, (one) => mayTake(one, row)) ?? null);
      if (target === null) return;
      void begin(row, column, "key" in target ? { column: target } : target);
    }
  };
  const first = columns.find(({ rows }) => rows.length > 0)?.rows[0]?.id;
  const isActiveShown = columns.some(({ rows }) => rows.some(({ id }) => id === active));
  const stop = isActiveShown ? active : first;
  const all = columns.reduce((sum, { count }) => sum + count, 0);
  return (
    <RowsFrame
      label={answer.data.name}
      draft={draft}
      onDraftEnd={([created]) => {
        setDraft(null);
        if (created !== undefined)
          requestAnimationFrame(() => focusCard(place.current, created.id));
      }}
      reversedText={({ changes: edited }) => {
        const [change] = edited;
        if (change === undefined || item === undefined || edited.length > 1) return undefined;
        const id = JSON.stringify(change.key);
        const row = columns.flatMap((one) => one.rows).find((one) => one.id === id);
        const key = groupKey(change.before[item.name]);
        const target = columns.find((one) => one.key === key);
        if (row === undefined || target === undefined) return undefined;
        return t("moved", { card: titleText(title, row, ways), column: nameOf(target) });
      }}
      {...{ resource, resources, changes, rows: columns.flatMap(({ rows }) => rows) }}
      open={state.open ?? noRecords}
      onOpen={props.onOpen}
      status={
        <>
          <span className="shrink-0 tabular-nums">
            {t("cards", {
              count: format.number(all),
              group: item === undefined ? "" : titleOf(item.column),
            })}
          </span>
          <span role="status" className="sr-only">
            {said}
          </span>
        </>
      }
    >
      <div
        ref={place}
        data-board
        className="flex min-h-0 flex-1 items-start gap-3 overflow-x-auto bg-canvas p-3.5 max-sm:snap-x max-sm:scroll-px-3.5 max-sm:snap-mandatory"
      >
        {columns.map((column) => {
          const isClosed = column.group.closed;
          return (
            <KanbanColumn
              key={column.key}
              column={column}
              title={<GroupTitle item={item} group={column.group} />}
              name={nameOf(column)}
              isOpen={mayMove && !isClosed}
              isShownClosed={isClosed && !props.source.isPreview}
              onNew={
                mayCreate && item !== undefined && !isClosed
                  ? () => setDraft({ [item.name]: column.group.value ?? null })
                  : null
              }
              onLoad={() => board.load(column.key)}
              onDropCard={(id, position) => {
                const from = columns.find(({ rows }) => rows.some((row) => row.id === id));
                const row = from?.rows.find((one) => one.id === id);
                if (from === undefined || row === undefined) return;
                const at = from.rows.indexOf(row);
                const isBelow = from.key === column.key && at < position;
                void begin(row, from, {
                  column,
                  ...(order === undefined ? {} : { position: isBelow ? position - 1 : position }),
                });
              }}
            >
              {column.rows.map((row) => (
                <KanbanCard
                  key={row.id}
                  {...{ row, title, color, fields: shown }}
                  isActive={row.id === stop}
                  isMoving={moving.has(row.id)}
                  menu={mayMove && row.key !== null ? menuOf(row, column) : null}
                  onOpen={() => open(row)}
                  onActive={() => setActive(row.id)}
                  onKey={(event) => press(event, row, column)}
                />
              ))}
            </KanbanColumn>
          );
        })}
      </div>
    </RowsFrame>
  );
}

const noRecords: readonly string[] = [];

/** Returns the next column in a direction that fits; the same one for no direction. */
function nextColumn(
  columns: readonly BoardColumn[],
  at: number,
  by: number,
  fits: (column: BoardColumn) => boolean,
): BoardColumn | undefined {
  if (by === 0) return columns[at];
  const beside = by > 0 ? columns.slice(at + 1) : columns.slice(0, at).reverse();
  return beside.find(fits);
}

function focusCard(place: HTMLElement | null, id: string): void {
  const card = [...(place?.querySelectorAll<HTMLElement>("[data-card]") ?? [])].find(
    (one) => one.dataset.card === id,
  );
  card?.querySelector<HTMLElement>("[data-card-open]")?.focus();
}

/** The name of a column: the text of the related row, or its value as the field shows it. */
function GroupTitle({
  item,
  group,
}: {
  readonly item: GridColumn | undefined;
  readonly group: ViewGroup;
}) {
  if (group.label !== null) {
    return (
      <bdi className="truncate" title={group.label}>
        {group.label}
      </bdi>
    );
  }
  const { value = null } = group;
  if (value === null) return <NoGroup />;
  return item === undefined ? null : <CellValue column={item.column} value={value} />;
}

/** The column of the rows without a value. */
function NoGroup() {
  const t = useTranslations("dataView");
  return <span className="truncate">{t("noGroup")}</span>;
}

/** The same as a text, for labels. */
function groupText(
  item: GridColumn | undefined,
  group: ViewGroup,
  ways: Ways,
  none: string,
): string {
  if (group.label !== null) return group.label;
  const { value = null } = group;
  if (value === null || item === undefined) return none;
  return valueText(item.column, value, ways);
}

/** The column and the place in it to which a card is moved. */
interface CardPlace {
  readonly column: BoardColumn;
  /** Among the other cards of the column; undefined where the order of cards is not set by hand. */
  readonly position?: number | undefined;
}

interface MoveParts {
  readonly changes: RowChanges;
  readonly group: GridColumn | undefined;
  /** The field that holds the order of the cards, if it can be set. */
  readonly order: GridColumn | undefined;
  readonly setMoving: (change: (last: Moving) => Moving) => void;
}

/** Columns in which cards are shown while their writes run, by the ids of the cards. */
type Moving = ReadonlyMap<string, string>;

/** Moves cards. A card whose move is refused stands where it was, and the page says why. */
function useMoves({ changes, group, order, setMoving }: MoveParts) {
  const t = useTranslations("dataView");
  const [said, setSaid] = useState("");
  const move = async (
    row: GridRow,
    from: BoardColumn,
    { column, position }: CardPlace,
    names: { readonly card: string; readonly column: string },
  ): Promise<boolean> => {
    if (group === undefined || row.key === null) return false;
    const others = column.rows.filter(({ id }) => id !== row.id);
    const after: Row = {
      ...(from.key === column.key ? {} : { [group.name]: column.group.value ?? null }),
      ...(order === undefined || position === undefined
        ? {}
        : { [order.name]: orderAt(order, others, position) }),
    };
    if (Object.keys(after).length === 0) return false;
    setMoving((last) => new Map([...last, [row.id, column.key]]));
    setSaid(t("moving", names));
    const isWritten = await changes.write({ changes: [{ row, after }] });
    setMoving((last) => new Map([...last].filter(([id]) => id !== row.id)));
    setSaid(t(isWritten ? "moved" : "notMoved", names));
    return isWritten;
  };
  return { move, said };
}
