import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from "react";
import { useFormatter, useTranslations } from "use-intl";
import { cellOf, type GridColumn } from "../../records/grid/grid-column.ts";
import { GridValue } from "../../records/grid/grid-value.tsx";
import { FilePicture } from "../../records/library/file-picture.tsx";
import { recordPath } from "../../records/model/record-path.ts";
import type { PresentationOf } from "../../records/readings/presentation.ts";
import { readingColumns } from "../../records/readings/reading-columns.ts";
import { firstReadingPage } from "../../records/readings/reading-rows.ts";
import { fieldsToRead } from "../../records/readings/reading-table.tsx";
import { RowsFrame } from "../../records/readings/rows-frame.tsx";
import { type GridRow, RowStore } from "../../records/rows/row-store.ts";
import { useRowChanges } from "../../records/rows/use-row-changes.ts";
import { classes } from "../../ui/classes.ts";
import { EmptyView, type LayoutProps, RowTitle } from "./layout-parts.tsx";

/** The rows as cards: a picture, a title, and some values as badges. */
export function CardsView({
  presentation,
  ...props
}: LayoutProps & { readonly presentation: PresentationOf<"cards"> }) {
  const { answer, source, query, resource, resources, state } = props;
  const t = useTranslations("grid");
  const format = useFormatter();
  const store = useMemo(
    () => new RowStore(firstReadingPage(resource, source.read, query, answer)),
    [resource, source, query, answer],
  );
  const rows = useSyncExternalStore(store.subscribe, () => store.state);
  useEffect(() => {
    store.loadMore();
    return () => store.stop();
  }, [store]);
  const fields = useMemo(() => fieldsToRead(resource, answer.data), [resource, answer]);
  const changes = useRowChanges(resource, fields, store);
  const columns = useMemo(() => readingColumns(answer.data, resource), [answer, resource]);
  const onNearEnd = useCallback(() => store.loadMore(), [store]);
  const loaded = format.number(rows.rows.length);
  const count = answer.meta?.count;
  const isEmpty = rows.isComplete && rows.rows.length === 0;
  return (
    <RowsFrame
      label={answer.data.name}
      {...{ resource, resources, changes, rows: rows.rows }}
      open={state.open ?? noRecords}
      onOpen={props.onOpen}
      status={
        <span role="status" className="shrink-0 tabular-nums">
          {count === undefined
            ? t("rowsLoaded", { count: loaded })
            : t("rowsOf", { count: loaded, all: format.number(count) })}
        </span>
      }
    >
      {isEmpty ? (
        <EmptyView state={state} onState={props.onState} />
      ) : (
        <div data-rows className="min-h-0 flex-1 overflow-auto bg-canvas">
          <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,232px),1fr))] gap-3 p-3.5">
            {rows.rows.map((row) => (
              <Card
                key={row.id}
                row={row}
                title={columns.get(presentation.title)}
                subtitle={columns.get(presentation.subtitle ?? "")}
                image={columns.get(presentation.image ?? "")}
                badges={(presentation.badges ?? []).flatMap((field) => columns.get(field) ?? [])}
                onOpen={() => {
                  if (row.key !== null) props.onOpen([recordPath(resource, row.key)], true);
                }}
              />
            ))}
          </ul>
          {!rows.isComplete && <NearEnd label={t("loading")} onNearEnd={onNearEnd} />}
        </div>
      )}
    </RowsFrame>
  );
}

const noRecords: readonly string[] = [];

function Card(props: {
  readonly row: GridRow;
  readonly title: GridColumn | undefined;
  readonly subtitle: GridColumn | undefined;
  readonly image: GridColumn | undefined;
  readonly badges: readonly GridColumn[];
  readonly onOpen: () => void;
}) {
  const { row, title, subtitle, image, badges } = props;
  const file = image === undefined ? undefined : fileIdOf(cellOf(image, row.values));
  return (
    <li className="grid min-w-0 [contain-intrinsic-size:auto_160px] [content-visibility:auto]">
      <button
        type="button"
        onClick={props.onOpen}
        aria-disabled={row.key === null}
        className={classes(
          "grid w-full min-w-0 content-start gap-1.5 overflow-hidden rounded-panel border border-line bg-surface text-left hover:border-line-strong",
          row.mark !== undefined && "border-accent-line",
        )}
      >
        {image !== undefined &&
          (file === undefined ? (
            <span aria-hidden="true" className="block h-32 w-full bg-sunken" />
          ) : (
            <FilePicture id={file} preset="preview" alt="" look="h-32 w-full" />
          ))}
        <span className="grid min-w-0 gap-1 p-3">
          <span className="min-w-0 font-medium">
            <RowTitle item={title} row={row} />
          </span>
          {subtitle !== undefined && (
            <span className="flex min-w-0 text-2 text-ink-2">
              <GridValue item={subtitle} values={row.values} />
            </span>
          )}
          {badges.length > 0 && (
            <span className="mt-0.5 flex min-w-0 flex-wrap items-center gap-1.5 text-2">
              {badges.map((item) => (
                <span key={item.name} title={item.column.label ?? item.name} className="min-w-0">
                  <GridValue item={item} values={row.values} />
                </span>
              ))}
            </span>
          )}
        </span>
      </button>
    </li>
  );
}

/** Loads the next page when it comes close to the view. */
function NearEnd(props: { readonly label: string; readonly onNearEnd: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  const { onNearEnd } = props;
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) onNearEnd();
      },
      { rootMargin: "600px" },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [onNearEnd]);
  return (
    <div ref={place} role="status" className="p-4 text-center text-ink-2">
      {props.label}
    </div>
  );
}

const idForm = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const addressForm = /\/api\/files\/([0-9a-f-]{36})(?:[/?#]|$)/i;

/**
 * Returns the id of the file that a picture shows: a reference to a file, or the address of one of our own. An address of
 * another origin is never loaded.
 */
function fileIdOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (idForm.test(value)) return value;
  if (!value.startsWith("/") && !value.startsWith(`${location.origin}/`)) return undefined;
  const [, id = ""] = addressForm.exec(value) ?? [];
  return idForm.test(id) ? id : undefined;
}
